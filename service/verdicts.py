"""Committed engine verdicts, joined to rulings: a ruling's standing (design section 4)."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.engine.verdicts import Outcome as EngineOutcome
from saitei.engine.verdicts import Run, Verdict, read_verdicts, version_key
from saitei.ingest.notes import Note
from saitei.service.views import Outcome, VerdictView

VERDICTS = DATA / "verdicts"

# Worst first: a ruling stands no better than the worst of its scenarios.
_WORST_FIRST: tuple[Outcome, ...] = (
    "contradicted",
    "error",
    "inconclusive",
    "unsupported",
    "outdated",
    "confirmed",
)
_SHOWN = frozenset({"confirmed", "outdated"})
_TEXTS = ("as-written", "reworded", "patched")


def newest_run(folder: Path = VERDICTS) -> Run | None:
    """The committed run of the highest engine version, or None where there is none."""
    # By the file's name: reading all of them would take as long as the rest of a cold answer.
    files = folder.glob("phase-*.json")
    newest = max(files, key=lambda path: version_key(path.stem.rpartition("-")[2]), default=None)
    return read_verdicts(newest) if newest else None


@lru_cache(maxsize=1)
def committed_run() -> Run | None:
    """The run answers show, read once."""
    return newest_run()


@lru_cache(maxsize=1)
def _by_ruling() -> Mapping[str, tuple[Verdict, ...]]:
    run = committed_run()
    grouped: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in run.verdicts if run else ():
        for ruling in verdict.rulings:
            grouped[ruling.partition("#")[0]].append(verdict)
    return {ruling: tuple(verdicts) for ruling, verdicts in grouped.items()}


def chosen_verdicts(outcome: EngineOutcome | None, ruling: str | None) -> list[Verdict]:
    """Committed verdicts of an outcome, on a ruling (fingerprint, with ``#claim`` or without)."""
    run = committed_run()
    return [
        verdict
        for verdict in (run.verdicts if run else ())
        if (outcome is None or verdict.outcome == outcome)
        and (
            ruling is None
            or any(ruling in (each, each.partition("#")[0]) for each in verdict.rulings)
        )
    ]


def standing(fingerprint: str, note: Note | None) -> VerdictView | None:
    """What the engine says about a ruling; None where no scenario tests it.

    ``partial`` when what was tested holds but an executable claim has no scenario that shows it.
    """
    run, verdicts = committed_run(), _by_ruling().get(fingerprint)
    if run is None or not verdicts:
        return None
    outcomes = {verdict.outcome for verdict in verdicts}
    outcome: Outcome = next(each for each in _WORST_FIRST if each in outcomes)
    all_shown = outcome in _SHOWN and not _unshown_claims(fingerprint, note, verdicts)
    if outcome != "contradicted" and outcomes & _SHOWN and not all_shown:
        outcome = "partial"
    return VerdictView(
        outcome=outcome,
        text=max((verdict.text for verdict in verdicts), key=_TEXTS.index),
        engine=run.engine,
        version=run.version,
        scenarios=[verdict.scenario for verdict in verdicts],
    )


def _unshown_claims(fingerprint: str, note: Note | None, verdicts: tuple[Verdict, ...]) -> set[str]:
    if note is None:
        return set()
    shown = {
        ruling.partition("#")[2]
        for verdict in verdicts
        if verdict.outcome in _SHOWN
        for ruling in verdict.rulings
        if ruling.startswith(fingerprint)
    }
    return {claim.id for claim in note.claims if claim.executable is True} - shown
