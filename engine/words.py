"""The words of the scenario language: players, zones, steps, and how scalars are read.

YAML gives strings only (`saitei.data.yaml_text`), so each type here says how a string becomes a
value, and what the error says when it does not.
"""

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

PlayerWord = Literal["you", "opponent", "third", "fourth"]
PLAYERS: tuple[PlayerWord, ...] = get_args(PlayerWord)
PLAYER_JA: dict[str, str] = {
    "you": "あなた",
    "opponent": "対戦相手",
    "third": "３人目",
    "fourth": "４人目",
}

ZoneWord = Literal["battlefield", "hand", "graveyard", "exile", "library", "stack", "command"]
ZONE_JA: dict[str, str] = {
    "battlefield": "戦場",
    "hand": "手札",
    "graveyard": "墓地",
    "exile": "追放領域",
    "library": "ライブラリー",
    "stack": "スタック",
    "command": "統率領域",
    "none": "どこにもない",
}

StepWord = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "begin combat",
    "declare attackers",
    "declare blockers",
    "combat damage",
    "end combat",
    "postcombat main",
    "end",
    "cleanup",
]
STEPS: tuple[StepWord, ...] = get_args(StepWord)
STEP_JA: dict[str, str] = {
    "untap": "アンタップ・ステップ",
    "upkeep": "アップキープ",
    "draw": "ドロー・ステップ",
    "precombat main": "戦闘前メイン・フェイズ",
    "begin combat": "戦闘開始ステップ",
    "declare attackers": "攻撃クリーチャー指定ステップ",
    "declare blockers": "ブロック・クリーチャー指定ステップ",
    "combat damage": "戦闘ダメージ・ステップ",
    "end combat": "戦闘終了ステップ",
    "postcombat main": "戦闘後メイン・フェイズ",
    "end": "終了ステップ",
    "cleanup": "クリンナップ・ステップ",
}

Color = Literal["white", "blue", "black", "red", "green"]


class Model(BaseModel):
    """A part of a scenario file: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def _yes_no(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if value in ("yes", "true"):
        return True
    if value in ("no", "false"):
        return False
    raise ValueError("write yes or no")


YesNo = Annotated[
    bool, BeforeValidator(_yes_no), WithJsonSchema({"enum": ["yes", "no", True, False]})
]


def as_list(value: Any) -> Any:
    """`targets: bear` means `targets: [bear]`; `targets: none` means none at all."""
    if value == "none":
        return []
    return [value] if isinstance(value, str | int) else value


class OneOrMany:
    """In the JSON Schema: a list, or one item without brackets, or none."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        made = handler(schema)
        return {"anyOf": [made, made["items"]]}


class OrWord:
    """In the JSON Schema: a mapping, or a bare word in its stead."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), {"type": "string"}]}


_COMPARISON = re.compile(r"(>=|<=|>|<)?\s*(-?\d+)")


def _number(value: Any) -> Any:
    text = str(value).strip()
    if not _COMPARISON.fullmatch(text):
        raise ValueError("write a number, or a comparison such as '>= 2'")
    return text


Number = Annotated[
    str,
    BeforeValidator(_number),
    WithJsonSchema({"type": ["integer", "string"], "pattern": r"^(>=|<=|>|<)?\s*-?\d+$"}),
]


def number_holds(wanted: str, seen: int) -> bool:
    """Whether ``seen`` is the number, or satisfies the comparison, written in ``wanted``."""
    match = _COMPARISON.fullmatch(wanted)
    if match is None:  # the model has checked it
        raise ValueError(wanted)
    sign, value = match[1], int(match[2])
    return {
        None: seen == value,
        ">=": seen >= value,
        "<=": seen <= value,
        ">": seen > value,
        "<": seen < value,
    }[sign]


Handle = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9'#_.-]*$")]
Handles = Annotated[list[Handle], BeforeValidator(as_list), OneOrMany()]
ManaText = Annotated[str, StringConstraints(pattern=r"^(\{[WUBRGC0-9]+\})*$")]
Fingerprint = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9a-f]{12}(#[a-z])?$"),
    WithJsonSchema({"type": ["string", "number"]}),
]
RuleNumber = Annotated[
    str,
    StringConstraints(pattern=r"^\d{3}(\.\d+[a-z]?)?$"),
    # An editor's YAML reads 702.10 as a number; ours does not.
    WithJsonSchema({"type": ["string", "number"]}),
]
"""``702.34a``, ``702.10`` or ``728``."""

_MANA = re.compile(r"\{([^}]+)\}")


def mana_symbols(text: str) -> list[str]:
    """``"{2}{U}"`` as one letter per mana: ``["C", "C", "U"]`` (generic mana is colourless)."""
    out: list[str] = []
    for symbol in _MANA.findall(text):
        out += ["C"] * int(symbol) if symbol.isdigit() else list(symbol)
    return out
