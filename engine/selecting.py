"""Which scenarios to run: by file, folder, id or subject, and by rule and mechanic."""

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.engine.cards import CardBook
from saitei.engine.errors import ScenarioError
from saitei.engine.loading import label, load_scenarios, scenario_files
from saitei.engine.references import mechanics, subjects_of, within
from saitei.engine.scenario import Scenario

PACKAGED = DATA / "scenarios"


def find_scenarios(named: Sequence[str], cards: CardBook) -> list[Scenario]:
    """The scenarios meant by ``named``, each once; all packaged ones when nothing is named.

    A name is a file or folder, ``file::id`` as pytest writes it, the id of a packaged scenario, or
    the first part of such ids (a card or a mechanic). Raises `ScenarioError`.
    """
    if not named:
        return load_scenarios([PACKAGED], cards)
    files = [name for name in named if Path(name.partition("::")[0]).exists()]
    found = load_scenarios([Path(name.partition("::")[0]) for name in files], cards)
    chosen = [one for name in files for one in _in_file(name, found)]
    ids = [name for name in named if name not in files]
    if ids:
        packaged = load_scenarios([PACKAGED], cards)
        for name in ids:
            chosen += _by_id(name, packaged)
    return list({one.id: one for one in chosen}.values())


def _in_file(name: str, loaded: Sequence[Scenario]) -> list[Scenario]:
    file, _, wanted = name.partition("::")
    labels = {label(path) for path in scenario_files([Path(file)])}
    found = [one for one in loaded if one.file in labels and wanted in ("", one.id)]
    if wanted and not found:
        raise ScenarioError(f"{name}: no such scenario in that file")
    return found


def _by_id(name: str, packaged: Sequence[Scenario]) -> list[Scenario]:
    found = [one for one in packaged if one.id == name or one.id.startswith(f"{name}.")]
    if not found:
        known = {one.id for one in packaged} | {one.id.split(".")[0] for one in packaged}
        near = difflib.get_close_matches(name, sorted(known), 1, 0.6)
        hint = f"; is it '{near[0]}'?" if near else ""
        raise ScenarioError(f"'{name}' is neither a file, a scenario nor a subject of one{hint}")
    return found


def narrowed(
    scenarios: Iterable[Scenario], *, rules: Sequence[str] = (), subjects: Sequence[str] = ()
) -> list[Scenario]:
    """Those that name one of the rules (or one below it) and are about one of the subjects.

    Raises `ScenarioError` when a subject is neither a mechanic nor that of any scenario.
    """
    all_of_them = list(scenarios)
    known = set(mechanics()) | {one for each in all_of_them for one in subjects_of(each)}
    for subject in subjects:
        if subject not in known:
            near = difflib.get_close_matches(subject, sorted(known), 1, 0.6)
            hint = f"; is it '{near[0]}'?" if near else ""
            raise ScenarioError(f"no mechanic or card '{subject}'{hint}")
    return [
        one
        for one in all_of_them
        if (not rules or any(within(number, rule) for number in one.rules for rule in rules))
        and (not subjects or any(subject in subjects_of(one) for subject in subjects))
    ]
