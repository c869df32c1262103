"""Replays: what is kept of a run, and how it is read again."""

import gzip
from pathlib import Path

import pytest

from saitei.service.replays.files import ReplayError, ReplayFile, newest_replays, write_replays
from saitei.service.replays.replay import (
    Board,
    BoardCard,
    BoardPlayer,
    Frame,
    Replay,
    ReplayCase,
    Words,
)
from saitei.service.web.board import draw
from tests.browser.site import played


def replay(scenario: str) -> Replay:
    return next(one for one in played()[1] if one.scenario == scenario)


def texts(case: ReplayCase) -> list[str]:
    return [frame.text.ja for frame in case.frames]


def test_each_action_that_changes_the_board_is_a_picture() -> None:
    assert texts(replay("flashback.countered-is-exiled").main) == [
        "はじめの場面",
        "あなたが《思い返し》を唱える",
        "対戦相手が《ただの打ち消し》を唱える",
        "《ただの打ち消し》が解決する",
    ]


def test_the_last_picture_is_the_outcome_and_the_contrast_differs() -> None:
    found = replay("flashback.countered-is-exiled")
    main, contrast = found.main.frames[-1].board.players[0], found.contrasts[0]
    assert [card.name.ja for card in main.exile] == ["思い返し"]
    assert main.graveyard == []
    you = contrast.frames[-1].board.players[0]
    assert [card.name.ja for card in you.graveyard] == ["思い返し"]
    assert contrast.flipped
    assert [check.held for check in contrast.main] == [False]


def test_choices_and_events_are_told_in_both_languages() -> None:
    notes = [
        note for frame in replay("kicker.may-be-paid").contrasts[0].frames for note in frame.notes
    ]
    assert "あなたの選択（追加コストを払うかどうか）：はい" in [note.ja for note in notes]
    assert "You (additional cost): yes" in [note.en for note in notes]
    assert any("ダメージ4点" in note.ja for note in notes)


def test_a_trial_that_is_taken_back_leaves_no_picture() -> None:
    found = replay("flashback.sorcery-timing")
    assert texts(found.main) == ["はじめの場面"]
    says = found.main.checks[0].says
    assert says.ja == "あなたが《計画の思い返し》を唱えることができない"
    assert texts(found.contrasts[0]) == ["はじめの場面"]


def test_equal_events_in_a_row_are_counted() -> None:
    notes = [
        note.ja
        for frame in replay("soaring-thought-thief.each-opponent-mills").main.frames
        for note in frame.notes
    ]
    assert "《白紙の石》：ライブラリー→墓地（4回）" in notes


def test_every_player_of_the_game_is_drawn_and_no_other() -> None:
    board = replay("soaring-thought-thief.each-opponent-mills").main.frames[0].board
    assert [player.player for player in board.players] == ["you", "opponent", "third"]
    assert len(replay("flashback.countered-is-exiled").main.frames[0].board.players) == 2


def test_what_the_engine_gets_wrong_is_seen_to_fail() -> None:
    found = replay("disturb.countered-is-exiled")
    if found.outcome == "confirmed":
        pytest.skip("this engine version plays it as the ruling says")
    failed = [check for check in found.main.checks if not check.held]
    assert [check.says.ja for check in failed] == ["《眠れぬ衛兵》：追放領域にある"]
    assert failed[0].observed.ja == "墓地にある"


def test_attachments_lie_on_what_they_are_attached_to() -> None:
    drawn = draw(replay("hostile-hostel.attached-phase-out-together").main)
    hostel = drawn.frames[0].you.lands + drawn.frames[0].you.permanents
    on_it = {len(card.attached) for card in hostel}
    assert 2 in on_it


def card(key: int, **facts: object) -> BoardCard:
    return BoardCard.model_validate({"key": key, "name": Words(ja="札", en="Card"), **facts})


def frame(*cards: BoardCard, life: int = 20) -> Frame:
    you = BoardPlayer(player="you", life=life, battlefield=list(cards))
    board = Board(turn="you", turn_number=5, step="upkeep", players=[you])
    return Frame(text=Words(ja="場面", en="Scene"), board=board)


def test_what_changed_is_marked_and_nothing_in_the_first_picture() -> None:
    case = ReplayCase(
        title="",
        frames=[frame(card(1), card(2)), frame(card(1), card(2, damage=2), life=18)],
        checks=[],
    )
    first, second = draw(case).frames
    assert [one.changed for one in first.you.permanents] == [False, False]
    assert [one.changed for one in second.you.permanents] == [False, True]
    assert second.you.changed == {"life"}


def test_attachments_in_a_circle_are_drawn_once() -> None:
    case = ReplayCase(
        title="", frames=[frame(card(1, attached_to=2), card(2, attached_to=1), card(3))], checks=[]
    )
    assert len(draw(case).frames[0].you.permanents) == 1


def test_written_and_read_again_they_are_the_same(tmp_path: Path) -> None:
    replays = played()[1]
    path = write_replays(replays, tmp_path)
    assert path.name.startswith("replays-phase-")
    again = ReplayFile(path)
    assert again.scenarios == sorted(one.scenario for one in replays)
    assert all(again.replay(one.scenario) == one for one in replays)
    assert again.replay("nothing.like-it") is None
    assert [one for one, _ in again.using("flashback-sorcery")] == ["flashback.sorcery-timing"]


def test_equal_replays_make_equal_bytes(tmp_path: Path) -> None:
    replays = played()[1]
    first = write_replays(replays, tmp_path).read_bytes()
    assert write_replays(tuple(reversed(replays)), tmp_path).read_bytes() == first


def test_the_newest_version_is_by_number(tmp_path: Path) -> None:
    one = played()[1][0]
    for version in ("0.9.0", "0.103.0", "0.99.1"):
        write_replays([one.model_copy(update={"version": version})], tmp_path)
    newest = newest_replays(tmp_path)
    assert newest is not None
    assert newest.path.name == "replays-phase-0.103.0.jsonl.gz"
    assert newest_replays(tmp_path / "nothing") is None


def test_replays_of_two_versions_are_not_one_file(tmp_path: Path) -> None:
    one = played()[1][0]
    with pytest.raises(ValueError, match="exactly one engine version"):
        write_replays([one, one.model_copy(update={"version": "9.9"})], tmp_path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"no gzip", "cannot be read", id="not compressed"),
        pytest.param(gzip.compress(b"{}\n"), ":1: not a replay", id="no replay"),
        pytest.param(gzip.compress(b"{"), ":1: not a replay", id="no JSON"),
        pytest.param(gzip.compress(b"\xff\xfe"), "cannot be read", id="no UTF-8"),
        pytest.param(gzip.compress(b"{}")[:12] + b"\xff" * 9, "cannot be read", id="cut short"),
    ],
)
def test_a_damaged_file_is_one_line_that_names_it(
    tmp_path: Path, content: bytes, says: str
) -> None:
    path = tmp_path / "replays-phase-1.0.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match=says) as error:
        ReplayFile(path).replay("a.b")
    assert path.name in str(error.value)
    assert "\n" not in str(error.value)
