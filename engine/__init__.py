"""Scenarios -> verdicts on a rules engine.

Four nouns: a scenario (`scenario`, read by `loading`), a game (`protocol`, played by `table`), an
observation (the views of `protocol`, compared by `checking`), a verdict (`verdicts`, given by
`runner`). What other packages use:

* `verdicts.read_verdicts(path) -> Run`: committed verdicts; imports no engine
* `cards.packaged_cards()`, `cards.read_cards(files)`, `CardBook.with_atomic(file)`
* `loading.load_scenarios(paths, cards) -> list[Scenario]`
* `protocol.load_engine(name) -> Adapter`; entry points of group `saitei.engines`
* `runner.run_scenario(scenario, adapter, cards, ...) -> ScenarioResult`, `runner.vacuity(...)`
* `pool.run_pool(scenarios, job, ...)`: the same in worker processes with a time limit
* `faults.packaged_faults()`, `audit.audit(cards, adapter)`, `report.result_lines(...)`

Every error is an `errors.EngineError`. Only the `phase_*` modules import the engine.
"""
