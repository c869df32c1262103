"""``python -m saitei.engine FILE...``: run scenario files and say what came of them.

Options: ``--trace`` prints the steps of every scenario (else of those not confirmed only),
``--vacuity`` blanks the cards' texts, ``--only ID`` runs scenarios whose id starts with ID,
``--cards FILE`` takes texts from an MTGJSON AtomicCards file, ``--workers N`` plays on N processes,
``--json FILE`` writes the verdicts. Exit 0 when all are confirmed or outdated, 1 when one is not, 2
for wrong use or bad input.
"""

import argparse
import os
import sys
from pathlib import Path

from saitei.engine.cards import card_files, read_good_cards
from saitei.engine.errors import ScenarioError
from saitei.engine.faults import packaged_faults
from saitei.engine.loading import load_scenarios
from saitei.engine.pool import Job, run_pool
from saitei.engine.protocol import load_engine
from saitei.engine.report import result_lines
from saitei.engine.runner import vacuity
from saitei.engine.verdicts import Run, write_verdicts


def main(arguments: list[str] | None = None) -> int:
    """Run; see the module."""
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except ScenarioError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of a pipe went away. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: list[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m saitei.engine", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--engine", default="phase")
    parser.add_argument("--cards", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--vacuity", action="store_true")
    options = parser.parse_args(arguments)
    # Somebody else's card may be half written; only what the scenarios use must be good.
    cards, complaints = read_good_cards(card_files())
    for complaint in complaints:
        print(f"warning: {complaint}", file=sys.stderr)
    if options.cards is not None:
        cards = cards.with_atomic(options.cards)
    scenarios = load_scenarios(options.files, cards)
    faults = packaged_faults()
    adapter = load_engine(options.engine)
    good, seconds, verdicts = 0, [], []
    chosen = [one for one in scenarios if one.id.startswith(options.only)]
    job = Job(options.engine, cards, faults, trace=True)
    for scenario, result in zip(
        chosen, run_pool(chosen, job, workers=options.workers), strict=True
    ):
        fine = result.verdict.outcome in ("confirmed", "outdated")
        good += fine
        verdicts.append(result.verdict)
        seconds += [case.seconds for case in (result.main, *result.contrasts)]
        print("\n".join(result_lines(result, scenario, steps=options.trace or not fine)))
        if options.vacuity and fine:
            empty = vacuity(scenario, adapter, cards)
            if empty.vacuous:
                print(f"    vacuous: no change without the text of {', '.join(empty.unchanged)}")
                good -= 1
    if options.json is not None:
        run = Run(engine=adapter.name, version=adapter.version, verdicts=verdicts)
        write_verdicts(run, options.json)
    middle = sorted(seconds)[len(seconds) // 2] * 1000 if seconds else 0
    print(
        f"{good} of {len(chosen)} fine, {len(seconds)} cases, median {middle:.0f} ms a case "
        f"({adapter.name} {adapter.version})"
    )
    return 0 if good == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
