"""A scenario file with one scenario of each outcome, on packaged cards."""

from pathlib import Path

RULING = "ea7ae329335b"
"""An official ruling, so that its source can be told."""

_CASE = """
- id: {id}
  title: {title}
  basis: ruling
  rulings: [{ruling}]
  rules: [120.3, 702.34a]
  given:
    you: {{hand: [burn], mana: "{{R}}"}}
    opponent: {{battlefield: [{{card: bear, as: foe}}]}}
  when:
    - cast: burn
      targets: [foe]
    - resolve: all
  then:
    - {then}
      shows: {ruling}
  contrast:
    - title: {contrast}
      given: {given}
      then:
        - {other}
"""
DIES = "foe: {zone: graveyard}"
_BIG = "{opponent: {battlefield: [{card: big-bear, as: foe}]}}"
_LIVES = "foe: {zone: battlefield}"


def scenario(name: str, then: str = DIES, *, given: str = _BIG, other: str = _LIVES) -> str:
    """Burn at a bear, and what is expected of it."""
    return _CASE.format(
        id=name, title=f"題{name}", ruling=RULING, then=then, contrast="大きな熊なら", given=given,
        other=other,
    )  # fmt: skip


GOOD = scenario("burn.good")
WRONG = scenario("burn.wrong", "foe: {zone: exile, damage: 0}")
LAME = scenario("burn.lame", given="{you: {life: 19}}", other="you: {life: 19}")
UNTOLD = scenario("burn.untold", "visible: {object: foe, to: [you]}")
STUCK = scenario("burn.stuck").replace("      targets: [foe]\n", "")


def write(folder: Path, *scenarios: str) -> Path:
    """The scenarios as one file."""
    file = folder / "burn.scenario.yaml"
    file.write_text("".join(scenarios), "utf-8")
    return file
