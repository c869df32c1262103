"""What a case leaves behind while it is played: events, questions, and the trace of its steps.

The trace is data for a replay: the position before, each step with the stack, the choices and the
events in Japanese words, and the position after.
"""

from dataclasses import dataclass, field

from saitei.engine.protocol import Event, Game, Obj, ObjectView, PlayerView, Question, Ref, Seat
from saitei.engine.words import PLAYER_JA, STEP_JA, ZONE_JA, PlayerWord


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was asked: ``options`` by handle, player word or text."""

    kind: str
    player: PlayerWord | None
    options: tuple[str, ...]
    word: str
    step: str | None


@dataclass(frozen=True, slots=True)
class Happened:
    """An event and the id of the step it belongs to."""

    event: Event
    step: str | None


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step as it was played, in Japanese."""

    id: str | None
    line: int
    text: str
    choices: tuple[str, ...]
    events: tuple[str, ...]
    stack: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TracePlayer:
    """A player's part of a position, in Japanese names."""

    player: str
    life: int
    battlefield: tuple[str, ...]
    hand: tuple[str, ...]
    graveyard: tuple[str, ...]
    exile: tuple[str, ...]
    library: int


@dataclass(frozen=True, slots=True)
class TracePosition:
    """A position, in Japanese."""

    turn: str
    step: str
    stack: tuple[str, ...]
    players: tuple[TracePlayer, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A case as it was played."""

    before: TracePosition
    steps: tuple[TraceStep, ...]
    after: TracePosition | None


@dataclass(slots=True)
class Record:
    """Collects while a case is played. ``names`` are Japanese names by English name."""

    game: Game
    names: dict[str, str]
    happened: list[Happened] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    steps: list[TraceStep] = field(default_factory=list)
    _seen: dict[int, str] = field(default_factory=dict)
    _choices: list[str] = field(default_factory=list)
    _events: list[Event] = field(default_factory=list)

    def add_events(self, events: list[Event], step: str | None) -> None:
        """Events in the order they happened."""
        self.happened += [Happened(event, step) for event in events]
        self._events += events

    def add_question(self, asked: Question, handles: dict[str, int], step: str | None) -> None:
        """A question, with options by the handles known now."""
        by_number = {number: handle for handle, number in reversed(handles.items())}
        options = tuple(
            option
            if isinstance(option, str)
            else option.player
            if isinstance(option, Seat)
            else by_number.get(option.id, f"{self.name(option)}({option.id})")
            for option in asked.options
        )
        self.asked.append(Asked(asked.kind, asked.player, options, asked.word, step))

    def add_choice(self, asked: Question, text: str) -> None:
        """What was answered."""
        player = PLAYER_JA.get(asked.player or "", "？")
        self._choices.append(f"{player}が選ぶ（{_KIND_JA.get(asked.kind, asked.kind)}）：{text}")

    def forget_step(self) -> None:
        """A trial is taken back."""
        self._choices, self._events = [], []

    def close_step(self, step: str | None, line: int, text: str) -> None:
        """A step is over."""
        stack = tuple(
            f"《{self._ja(entry.name)}》" + ("の能力" if entry.ability else "")
            for entry in self.game.stack()
        )
        events = tuple(words for event in self._events if (words := self.words(event)))
        self.steps.append(TraceStep(step, line, text, tuple(self._choices), events, stack))
        self._choices, self._events = [], []

    def position(self) -> TracePosition:
        """The position as it is now."""
        view = self.game.view()
        objects = self.game.objects()
        players = []
        for word in PLAYER_JA:
            try:
                seen = self.game.player(word)  # type: ignore[arg-type]
            except (ValueError, IndexError):
                break
            field_ = tuple(
                self._permanent(item)
                for item in objects
                if item.zone == "battlefield" and item.controller == word
            )
            exile = tuple(
                self._ja(item.name)
                for item in objects
                if item.zone == "exile" and item.owner == word
            )
            players.append(self._player(seen, field_, exile))
        stack = tuple(self._ja(entry.name) for entry in self.game.stack())
        return TracePosition(PLAYER_JA[view.active], STEP_JA[view.step], stack, tuple(players))

    def _player(
        self, seen: PlayerView, field_: tuple[str, ...], exile: tuple[str, ...]
    ) -> TracePlayer:
        return TracePlayer(
            PLAYER_JA[seen.player],
            seen.life,
            field_,
            tuple(self.name(Obj(number)) for number in seen.hand),
            tuple(self.name(Obj(number)) for number in seen.graveyard),
            exile,
            len(seen.library),
        )

    def _permanent(self, item: ObjectView) -> str:
        parts = []
        if item.power is not None and "Creature" in item.types:
            parts.append(f"{item.power}/{item.toughness}")
        if item.tapped:
            parts.append("タップ")
        if item.phased_out:
            parts.append("フェイズ・アウト")
        parts += [f"{name}カウンター{count}個" for name, count in item.counters.items()]
        inner = f"（{'、'.join(parts)}）" if parts else ""
        return self._ja(item.name) + inner

    def name(self, who: Ref | None) -> str:
        """A Japanese name for an object or a player."""
        if isinstance(who, Seat):
            return PLAYER_JA[who.player]
        if who is None:
            return "？"
        view = self.game.object(who.id)
        if view is not None:
            self._seen[who.id] = view.name
        return self._ja(self._seen.get(who.id, "？"))

    def _ja(self, english: str) -> str:
        return self.names.get(english, english)

    def words(self, event: Event) -> str:
        """An event in Japanese, or nothing for those that only fill the page."""
        who = f"《{self._ja(event.name)}》" if event.kind == "zone" and event.name else ""
        who = who or (f"《{self.name(event.object)}》" if event.object else "")
        player = PLAYER_JA.get(event.player or "", "")
        if event.kind == "zone":
            return (
                f"{who}：{ZONE_JA.get(event.zone_from or 'none', '？')}→"
                f"{ZONE_JA.get(event.zone_to or 'none', '？')}"
            )
        if event.kind == "damage":
            combat = "戦闘" if event.combat else ""
            source, target = self.name(event.source), self.name(event.target)
            return f"《{source}》が{target}に{combat}ダメージ{event.amount}点"
        if event.kind == "life":
            return f"{player}のライフ{event.amount:+d}"
        if event.kind == "counters":
            return f"{who}：{event.name}カウンター{event.amount:+d}"
        if event.kind in ("attack", "block"):
            verb = "攻撃" if event.kind == "attack" else "ブロック"
            return f"{who}が{self.name(event.target)}を{verb}"
        if event.kind == "step":
            return f"―― {STEP_JA.get(event.name, event.name)}"
        if event.kind == "trigger":
            return f"{who}の能力が誘発"
        simple = {
            "cast": f"{player}が{who}を唱える",
            "draw": f"{player}がカード１枚を引く",
            "token": f"{who}・トークンが生成される",
            "sacrifice": f"{player}が{who}を生け贄に捧げる",
            "discard": f"{player}が{who}を捨てる",
            "tap": f"{who}がタップ状態になる",
            "untap": f"{who}がアンタップ状態になる",
            "transform": f"{who}が変身する",
            "countered": f"{who}が打ち消される",
        }
        return simple.get(event.kind, "")


_KIND_JA = {
    "targets": "対象",
    "new_targets": "新しい対象",
    "modes": "モード",
    "x": "Ｘ",
    "may": "してもよい",
    "pay": "支払い",
    "kick": "追加コスト",
    "choose": "選択",
    "name": "名前",
    "color": "色",
    "order": "順番",
    "replace": "置換効果",
    "divide": "割り振り",
    "how": "唱え方",
    "face": "面",
}
