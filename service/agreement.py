"""Do notes and scenarios agree? What one says a ruling is, the other must show."""

from collections.abc import Iterable, Iterator, Sequence

from saitei.engine.scenario import Scenario
from saitei.ingest.notes import Executable, Note, Status, Superseded
from saitei.service.notes_check import Finding

# Of such a ruling a part no longer holds or is misprinted; today's rule may be what is shown.
_IN_PART = ("narrowed", "document-error", "reworded")


def check_agreement(notes: Sequence[Note], scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Every contradiction between a note's status and a scenario's basis.

    A scenario with ``basis: ruling`` plays out what the ruling says: confirmed, it would contradict
    a note by which the ruling is superseded. With ``basis: rules`` it says that the ruling no
    longer holds, which the note must say too. Executable claims without a scenario are warnings.
    """
    by_fingerprint = {fp: note for note in notes for fp in note.rulings}
    shown: set[str] = set()
    for scenario in scenarios:
        told: list[Status] = []
        for ruling in scenario.rulings:
            shown.add(ruling)
            note = by_fingerprint.get(ruling.partition("#")[0])
            if note is None:
                yield Finding(scenario.id, f"no note for the ruling {ruling}")
                continue
            claim = _claim(note, ruling.partition("#")[2])
            if claim is None:
                yield Finding(scenario.id, f"the note {note.key} has no claim {ruling}")
                continue
            status, executable = claim
            told.append(status)
            if executable is not True:
                yield Finding(scenario.id, f"{note.key} says that {ruling} cannot be executed")
            if isinstance(status, Superseded) and scenario.basis == "ruling":
                yield Finding(scenario.id, f"shows as holding what {note.key} calls superseded")
        outdated = any(isinstance(each, Superseded) or each in _IN_PART for each in told)
        if scenario.basis == "rules" and told and not outdated:
            yield Finding(scenario.id, "basis: rules, but its notes say that the ruling holds")
    yield from _unshown(by_fingerprint, shown)


def _claim(note: Note, letter: str) -> tuple[Status, Executable] | None:
    """Status and executable of a claim, or of the whole note where no claim is named."""
    if not letter:
        return note.status, note.executable
    return next(
        ((claim.status, claim.executable) for claim in note.claims if claim.id == letter), None
    )


def _unshown(by_fingerprint: dict[str, Note], shown: Iterable[str]) -> Iterator[Finding]:
    known = set(shown)
    for fp, note in by_fingerprint.items():
        claims = [claim.id for claim in note.claims if claim.executable is True]
        wanted = [f"{fp}#{claim}" for claim in claims] if claims else [fp]
        missing = [each for each in wanted if each not in known]
        if note.executable is True and fp not in known and missing:
            message = f"no scenario shows {', '.join(missing)}"
            yield Finding(note.key, message, warning=True)
