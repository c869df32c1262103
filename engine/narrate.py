"""A step in Japanese words, for the trace."""

from saitei.engine.record import Record
from saitei.engine.steps import (
    ActivateStep,
    AddManaStep,
    AdvanceStep,
    AttackStep,
    BindStep,
    BlockStep,
    CastStep,
    CheckStep,
    ConcedeStep,
    IllegalStep,
    LegalStep,
    PassStep,
    PlayStep,
    ResolveStep,
    StepBase,
)
from saitei.engine.table import Table
from saitei.engine.words import PLAYER_JA, STEP_JA


def step_words(step: StepBase, record: Record, table: Table) -> str:
    """One sentence that says what the step does."""

    def name(handle: str) -> str:
        known = handle in table.handles or handle in PLAYER_JA
        return f"《{record.name(table.ref(handle))}》" if known else handle

    by = PLAYER_JA[step.by]
    if isinstance(step, CastStep):
        return f"{by}が{name(step.cast)}を唱える"
    if isinstance(step, ActivateStep):
        return f"{by}が{name(step.activate)}の能力を起動する"
    if isinstance(step, PlayStep):
        return f"{by}が{name(step.play)}をプレイする"
    if isinstance(step, AttackStep):
        if step.attack == "none":
            return f"{by}は攻撃しないと宣言する"
        return f"{by}が{'、'.join(name(one) for one in step.attack)}で攻撃する"
    if isinstance(step, BlockStep):
        if isinstance(step.block, str):
            return f"{by}はブロックしないと宣言する"
        return f"{by}が{'、'.join(name(one) for one in step.block)}でブロックする"
    if isinstance(step, PassStep):
        return f"{PLAYER_JA[step.pass_]}が優先権をパスする"
    if isinstance(step, ResolveStep):
        what = {"top": "一番上を解決する", "all": "すべて解決する"}
        return "スタックの" + what.get(str(step.resolve), "途中まで解決する")
    if isinstance(step, AdvanceStep):
        turn = f"{PLAYER_JA[step.advance.turn]}のターンの" if step.advance.turn else ""
        return f"{turn}{STEP_JA[step.advance.to]}まで進める"
    if isinstance(step, ConcedeStep):
        return f"{PLAYER_JA[step.concede]}が投了する"
    if isinstance(step, AddManaStep):
        return "マナを加える"
    if isinstance(step, LegalStep | IllegalStep):
        inner = step.legal if isinstance(step, LegalStep) else step.illegal
        can = "できることを" if isinstance(step, LegalStep) else "できないことを"
        return f"「{step_words(inner, record, table)}」が{can}確かめる"
    if isinstance(step, CheckStep):
        return "途中の状態を確かめる"
    if isinstance(step, BindStep):
        return "、".join(f"「{handle}」" for handle in step.bind) + "に注目する"
    return ""
