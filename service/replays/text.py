"""A replay for a terminal, in Japanese."""

from collections.abc import Iterator, Sequence

from saitei.engine.references import source_lines
from saitei.engine.verdicts import Outcome
from saitei.service.replays.replay import (
    Board,
    BoardCard,
    BoardPlayer,
    Check,
    Frame,
    Replay,
    ReplayCase,
)
from saitei.service.replays.words import player_words, step_name
from saitei.service.text import outcome_text

_NIGHT = {"day": "、昼", "night": "、夜", "neither": ""}


def replay_lines(replay: Replay) -> Iterator[str]:
    """The scenario, what the engine makes of it, and each case picture by picture."""
    yield f"{replay.title}  [{replay.scenario}]"
    yield f"結果: {result_words(replay.outcome, replay.engine, replay.version)}"
    if replay.basis == "rules":
        yield "裁定は旧ルールによるもので、この場面は今のルールを確かめます"
    yield from (f"裁定: {line}" for line in source_lines(replay.rulings))
    if replay.rules:
        yield f"規則: {'、'.join(replay.rules)}"
    if replay.text != "as-written":
        how = "言い換え" if replay.text == "reworded" else "補正"
        yield f"カードの文: {how}あり（saitei cards audit に理由）"
    yield ""
    yield "■ 本編"
    yield from _case(replay.main)
    for contrast in replay.contrasts:
        yield ""
        yield f"■ 対照: {contrast.title}"
        yield from _case(contrast)
        if contrast.flipped is not None:
            yield "  → 結果が変わる" if contrast.flipped else "  → 結果が変わらない"


def result_words(outcome: Outcome, engine: str, version: str) -> str:
    """An outcome with the engine it is of."""
    return f"{outcome_text(outcome)}（{engine} {version}）"


def _case(case: ReplayCase) -> Iterator[str]:
    if case.frames:
        yield from _board(case.frames[0])
    for number, frame in enumerate(case.frames[1:], 1):
        yield f"  {number:2}. {frame.text.ja}"
        yield from (f"        {note.ja}" for note in frame.notes)
        if frame.board.stack:
            yield f"        スタック（上から）: {' / '.join(_stack(frame.board))}"
    if len(case.frames) > 1:
        yield from _board(case.frames[-1], "おわりの場面")
    if case.failure:
        yield f"  ！ {case.failure}"
    yield from _checks(case.checks)


def _checks(checks: Sequence[Check]) -> Iterator[str]:
    for check in checks:
        yield f"  {'✓' if check.held else '✗'} {check.says.ja}"
        if not check.held:
            yield f"      実際: {check.observed.ja}"


def _board(frame: Frame, title: str = "はじめの場面") -> Iterator[str]:
    board = frame.board
    turn = f"{player_words(board.turn).ja}の第{board.turn_number}ターン"
    yield f"  {title}: {turn}、{step_name(board.step).ja}{_NIGHT[board.day_night]}"
    for player in board.players:
        yield f"    {player_words(player.player).ja}: {_numbers(player)}"
        for zone, cards in (
            ("戦場", player.battlefield),
            ("手札", player.hand),
            ("墓地", player.graveyard),
            ("追放", player.exile),
            ("統率", player.command),
        ):
            if cards:
                yield f"      {zone}: {'、'.join(map(_card, cards))}"
    if board.stack:
        yield f"    スタック（上から）: {' / '.join(_stack(board))}"
    if board.winner is not None:
        winner = (
            "引き分け" if board.winner == "nobody" else player_words(board.winner).ja + "の勝ち"
        )
        yield f"    ゲーム終了: {winner}"


def _numbers(player: BoardPlayer) -> str:
    parts = [f"ライフ{player.life}"]
    if player.poison:
        parts.append(f"毒{player.poison}")
    if player.energy:
        parts.append(f"エネルギー{player.energy}")
    if player.mana:
        parts.append("マナ" + "".join(f"{{{symbol}}}" for symbol in player.mana))
    parts.append(f"ライブラリー{player.library}枚")
    if not player.in_game:
        parts.append("敗北")
    return "、".join(parts)


def _card(card: BoardCard) -> str:
    parts = [card.pt] if card.pt else []
    if card.loyalty is not None:
        parts.append(f"忠誠度{card.loyalty}")
    parts += [f"{name}カウンター{count}個" for name, count in card.counters.items()]
    if card.damage:
        parts.append(f"ダメージ{card.damage}点")
    for has, word in (
        (card.tapped, "タップ"),
        (card.sick, "召喚酔い"),
        (card.token, "トークン"),
        (card.back, "第２面"),
        (card.phased_out, "フェイズ・アウト"),
    ):
        if has:
            parts.append(word)
    if card.attacking is not None:
        parts.append(f"{card.attacking.ja}を攻撃")
    parts += [f"{one.ja}をブロック" for one in card.blocking]
    return f"《{card.name.ja}》" + (f"（{'、'.join(parts)}）" if parts else "")


def _stack(board: Board) -> list[str]:
    return [
        f"《{item.name.ja}》"
        + ("の能力" if item.ability else "")
        + (f"→{'、'.join(one.ja for one in item.targets)}" if item.targets else "")
        for item in board.stack
    ]
