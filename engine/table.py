"""Plays the steps of a case on a game."""

from collections.abc import Callable
from typing import Any

from saitei.engine.choices import Choices, Names
from saitei.engine.errors import MissingAnswerError, RefusedError, StepError, UnsupportedError
from saitei.engine.expectations import Match
from saitei.engine.matching import object_matches, stack_matches
from saitei.engine.offers import one_ability, one_way
from saitei.engine.protocol import Adapter, Attack, Block, Event, Game, Question, Ref, Seat, Way
from saitei.engine.record import Record
from saitei.engine.steps import (
    ActivateStep,
    AddManaStep,
    AdvanceStep,
    AttackStep,
    BindStep,
    BlockStep,
    CastStep,
    ConcedeStep,
    PassStep,
    PayStep,
    PlayStep,
    ResolveStep,
    StepBase,
    Until,
)
from saitei.engine.words import PLAYERS, PlayerWord, mana_symbols

_RESTING = ("priority", "attackers", "blockers", "over")
_LIMIT = 400


class Table:
    """A game, the handles by which the scenario speaks of its objects, and the record.

    ``born`` is the incarnation each handle's object had at the start, or when it was bound.
    """

    def __init__(self, game: Game, adapter: Adapter, record: Record) -> None:
        self.game, self.adapter, self.record = game, adapter, record
        self.handles: dict[str, int] = dict(game.handles)
        self.names = Names(self.handles, record)
        self.born: dict[str, int] = {}
        self._choices = Choices(PassStep.model_construct(), self.names)
        self._step: str | None = None
        self._passes = 0
        for handle in self.handles:
            self._remember(handle)

    def _remember(self, handle: str) -> None:
        view = self.game.object(self.handles[handle])
        if view is not None:
            self.born[handle] = view.incarnation

    def ref(self, handle: str) -> Ref:
        """What a handle or player word stands for. Raises `StepError`."""
        return self.names.ref(handle)

    def number(self, handle: str) -> int:
        """The engine's number of an object. Raises `StepError`."""
        return self.names.number(handle)

    def remember(self) -> tuple[Any, ...]:
        """What a trial may change here; the game has its own snapshot."""
        return dict(self.handles), dict(self.born), self._choices, self._step, self._passes

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Back to what was remembered."""
        handles, self.born, self._choices, self._step, self._passes = memory
        self.handles.clear()
        self.handles.update(handles)

    def play(self, step: StepBase) -> None:
        """One step with its choices. Raises `StepError`, `RefusedError`, `UnsupportedError`."""
        self._step = step.id
        self._choices = Choices(step, self.names)
        before = len(self.record.happened)
        plays: dict[type[StepBase], Callable[[Any], None]] = {
            CastStep: self._cast,
            ActivateStep: self._activate,
            PlayStep: self._play,
            AttackStep: self._attack,
            BlockStep: self._block,
            PassStep: self._pass,
            ResolveStep: self._resolve,
            AdvanceStep: self._advance,
            ConcedeStep: self._concede,
            AddManaStep: self._add_mana,
            BindStep: self._bind,
        }
        plays[type(step)](step)
        events = [item.event for item in self.record.happened[before:]]
        self._choices.finish(self.game, events)

    def _settle(self) -> None:
        """Answer what is asked until a player has priority, attacks, blocks, or it is over."""
        for _ in range(_LIMIT):
            asked = self.game.question()
            if asked.kind in _RESTING:
                return
            self._ask(asked)
        raise StepError("the engine keeps asking")

    def _ask(self, asked: Question) -> None:
        self.record.add_question(asked, self.handles, self._step)
        self._did(self._choices.answer(self.game, asked))

    # -- steps

    def _did(self, events: list[Event]) -> None:
        self.record.add_events(events, self._step)

    def _pass_once(self) -> None:
        self._passes += 1
        self._did(self.game.pass_priority())

    def _acted(self) -> None:
        self._passes = 0

    def _priority(self, player: PlayerWord) -> None:
        """Others pass until this player may act; nothing may resolve on the way."""
        alive = sum(1 for word in self._players() if self.game.player(word).in_game)
        for _ in range(alive):
            asked = self.game.question()
            if asked.kind != "priority":
                raise StepError(f"{player} cannot act now: the engine waits for {asked.word}")
            if asked.player == player:
                return
            if self._passes + 1 >= alive:
                raise StepError(
                    f"{player} has no priority before something resolves or the step ends; "
                    "write resolve or advance first"
                )
            self._pass_once()
        raise StepError(f"{player} gets no priority")

    def _players(self) -> list[PlayerWord]:
        found: list[PlayerWord] = []
        for word in PLAYERS:
            try:
                self.game.player(word)
            except (ValueError, IndexError):
                break
            found.append(word)
        return found

    def _cast(self, step: CastStep) -> None:
        self._priority(step.by)
        if step.mana:
            self.game.add_mana(step.by, mana_symbols(step.mana))
        card = self.number(step.cast)
        ways = self.game.cast_ways(step.by, card)
        before = {entry.object for entry in self.game.stack()}
        if not ways:
            self._refused_cast(step, card)
            return
        way = one_way(ways, step, f"cast {step.cast}")
        if len(ways) > 1:
            self._choices.spent("how")
        self._take(step.by, card, way, step.paying)
        self._own_targets(step, before)
        self._same_face(card, step.face, f"cast {step.cast}")
        cast = [entry.variant for entry in self.game.stack() if entry.object == card]
        if step.how is not None and cast and step.how.lower() in cast[0]:
            self._choices.spent("how")  # the only way there was; the engine need not have asked

    def _refused_cast(self, step: CastStep, card: int) -> None:
        view = self.game.object(card)
        pool = "".join(f"{{{letter}}}" for letter in self.game.player(step.by).mana)
        where = f"{step.cast} is in {view.zone if view else 'no zone'}, mana pool {pool or 'empty'}"
        try:
            # What the engine takes without offering it fails later, when it is to be paid.
            self._did(self.game.try_cast(step.by, card))
            self._acted()
            self._settle()
        except RefusedError as error:
            raise RefusedError(f"cast {step.cast}: {error} ({where})") from None

    def _take(self, player: PlayerWord, number: int, way: Way, paying: list[PayStep]) -> None:
        if paying and "manual mana" not in self.adapter.capabilities:
            raise UnsupportedError(
                f"{self.adapter.name} cannot pay by hand in the middle of a cast"
            )
        self._did(self.game.take(player, number, way, manual_mana=bool(paying)))
        self._acted()
        if not paying:
            self._settle()
            return
        for _ in range(_LIMIT):
            asked = self.game.question()
            if asked.word == "ManaPayment":
                break
            if asked.kind in _RESTING:
                raise StepError("paying: the engine asked for no payment")
            self._ask(asked)
        for pay in paying:
            source = self.number(pay.activate)
            ways = self.game.activate_ways(player, source)
            index = (pay.ability or 1) - 1
            if index >= len(ways):
                raise StepError(f"paying: {pay.activate} has no ability {index + 1}")
            self._did(self.game.take(player, source, ways[index]))
            self._answer_payment(pay)
        self._did(self.game.finish_payment())
        self._settle()

    def _answer_payment(self, pay: PayStep) -> None:
        """What a mana ability asks: its color is said in ``paying``, a cost by the step."""
        for _ in range(_LIMIT):
            asked = self.game.question()
            if asked.word == "ManaPayment" or asked.kind in _RESTING:
                return
            if asked.kind != "color":
                self._ask(asked)
            elif pay.color is None:
                raise MissingAnswerError(f"paying: {pay.activate} asks for a color")
            else:
                self._did(self.game.answer(pay.color))
        raise StepError("paying: the engine keeps asking")

    def _own_targets(self, step: CastStep | ActivateStep, before: set[int]) -> None:
        """A target the engine took by itself must still be said by the scenario."""
        if self._choices.has("targets"):
            return
        new = [entry for entry in self.game.stack() if entry.object not in before]
        mine = [entry for entry in new if not entry.triggered]
        if mine and mine[-1].targets:
            seen = ", ".join(self.names.called(target) for target in mine[-1].targets)
            raise MissingAnswerError(f"only one legal target, say it: targets: [{seen}]")

    def _activate(self, step: ActivateStep) -> None:
        self._priority(step.by)
        if step.mana:
            self.game.add_mana(step.by, mana_symbols(step.mana))
        source = self.number(step.activate)
        ways = list(self.game.activate_ways(step.by, source))
        if not ways:
            raise RefusedError(f"activate {step.activate}: it has no activated ability now")
        before = {entry.object for entry in self.game.stack()}
        way = one_ability(ways, step)
        try:
            self._take(step.by, source, way, step.paying)
        except RefusedError as error:
            raise RefusedError(f"activate {step.activate}: {error}") from None
        self._own_targets(step, before)

    def _play(self, step: PlayStep) -> None:
        self._priority(step.by)
        card = self.names.number(step.play)
        ways = list(self.game.play_ways(step.by, card))
        if not ways:
            raise RefusedError(f"play {step.play}: the engine does not offer it")
        if len(ways) > 1:
            if step.face is None:
                raise MissingAnswerError(f"play {step.play}: say face: front or back")
            ways = [way for way in ways if way.back == (step.face == "back")]
            if not ways:
                raise RefusedError(f"play {step.play}: the engine does not offer that face")
        self._did(self.game.take(step.by, card, ways[0]))
        self._acted()
        self._settle()
        self._same_face(card, step.face, f"play {step.play}")

    def _same_face(self, card: int, face: str | None, what: str) -> None:
        """The face named is the one that came; the engine need not have asked."""
        view = self.game.object(card)
        if face is None or view is None:
            return
        if view.back != (face == "back"):
            raise RefusedError(f"{what}: the engine took the other face")
        self._choices.spent("face")

    def _attack(self, step: AttackStep) -> None:
        if not self._until_declared("attackers", step.by):
            if step.attack == "none":
                return
            raise RefusedError(f"attack: no creature of {step.by} can attack now")
        others = [
            word for word in self._players()
            if word != step.by and self.game.player(word).in_game
        ]  # fmt: skip
        attacks = []
        if isinstance(step.attack, dict):
            attacks = [Attack(self.number(k), self.ref(v)) for k, v in step.attack.items()]
        elif step.attack != "none":
            if len(others) != 1:
                raise StepError("attack: say whom: {attacker: player}")
            attacks = [Attack(self.number(handle), Seat(others[0])) for handle in step.attack]
        self._did(self.game.attack(attacks))
        self._acted()
        self._settle()

    def _block(self, step: BlockStep) -> None:
        if not self._until_declared("blockers", step.by):
            if step.block == "none":
                return
            raise RefusedError(f"block: no creature of {step.by} can block now")
        pairs = [] if isinstance(step.block, str) else list(step.block.items())
        blocks = [
            Block(self.number(blocker), self.number(attacker))
            for blocker, attackers in pairs
            for attacker in attackers
        ]
        self._did(self.game.block(blocks))
        self._acted()
        self._settle()

    def _until_declared(self, kind: str, player: PlayerWord) -> bool:
        """All pass until the declaration; False when the engine skips it (nobody could)."""
        turn = self.game.turn()[0]
        for _ in range(_LIMIT):
            asked = self.game.question()
            if asked.kind == kind:
                if asked.player != player:
                    raise StepError(f"{asked.player} declares {kind}, not {player}")
                return True
            now, step = self.game.turn()
            late: tuple[str, ...] = (
                "end combat",
                "postcombat main",
                "end",
                "cleanup",
                "combat damage",
            )
            if kind == "attackers":
                late += ("declare blockers",)
            if asked.kind == "over" or now != turn or step in late:
                return False
            if asked.kind == "attackers":
                raise StepError("block: attackers have not been declared")
            if asked.kind == "blockers":
                return False
            if asked.kind == "priority":
                self._pass_once()
            else:
                self._settle()
        raise StepError(f"no declaration of {kind}")

    def _pass(self, step: PassStep) -> None:
        asked = self.game.question()
        if asked.kind != "priority" or asked.player != step.pass_:
            raise StepError(f"{step.pass_} has no priority: {asked.player}, {asked.word}")
        self._pass_once()
        self._settle()

    def _resolve(self, step: ResolveStep) -> None:
        if step.resolve == "top":
            if not self.game.stack():
                raise StepError("resolve: the stack is empty")
            self._resolve_top()
            return
        until = self.number(step.resolve.until) if isinstance(step.resolve, Until) else None
        before = {entry.object for entry in self.game.stack()}
        for _ in range(_LIMIT):
            stack = self.game.stack()
            self._choices.saw([entry for entry in stack if entry.object not in before])
            if not stack or (until is not None and until in (stack[0].object, stack[0].source)):
                return
            self._resolve_top()
            if self.game.question().kind == "over":
                return
        raise StepError("resolve: the stack does not become empty")

    def _resolve_top(self) -> None:
        top = self.game.stack()[0].object
        for _ in range(_LIMIT):
            asked = self.game.question()
            if asked.kind == "priority":
                self._pass_once()
            self._settle()
            resting = self.game.question().kind
            if top not in [entry.object for entry in self.game.stack()] or resting == "over":
                self._acted()
                return
            if resting != "priority":
                raise StepError(f"resolve: the engine waits for {resting}")
        raise StepError("resolve: the top of the stack does not resolve")

    def _advance(self, step: AdvanceStep) -> None:
        wanted, left = step.advance, step.advance.nth
        last = self.game.turn()
        for _ in range(_LIMIT * 4):
            asked = self.game.question()
            if asked.kind == "over":
                return
            now = self.game.turn()
            if now != last:
                last = now
                self._acted()
                if now[1] == wanted.to and self._turn_fits(wanted.turn):
                    left -= 1
                    if left == 0:
                        self._settle()
                        return
            if asked.kind == "attackers":
                self._did(self.game.attack([]))
            elif asked.kind == "blockers":
                self._did(self.game.block([]))
            elif asked.kind == "priority":
                self._pass_once()
            self._settle()
        raise StepError(f"advance: '{wanted.to}' does not come")

    def _turn_fits(self, player: PlayerWord | None) -> bool:
        return player is None or self.game.view().active == player

    def _concede(self, step: ConcedeStep) -> None:
        if "concede" not in self.adapter.capabilities:
            raise UnsupportedError(f"{self.adapter.name}: a player cannot concede")
        self._did(self.game.concede(step.concede))
        self._acted()
        self._settle()

    def _add_mana(self, step: AddManaStep) -> None:
        for player, mana in step.add_mana.items():
            self.game.add_mana(player, mana_symbols(mana))

    def _bind(self, step: BindStep) -> None:
        for handle, match in step.bind.items():
            found = self.find(match)
            if match.nth is not None:
                found = found[match.nth - 1 : match.nth]
            if len(found) != 1:
                raise StepError(f"bind: {len(found)} objects fit '{handle}'")
            self.handles[handle] = found[0]
            self._remember(handle)

    def find(self, match: Match) -> list[int]:
        """Numbers of the objects that fit a description, in order of their coming to be."""
        if match.ability:
            entries = [
                entry for entry in reversed(self.game.stack()) if stack_matches(match, entry, self)
            ]
            return [entry.object for entry in entries]
        return [view.id for view in self.game.objects() if object_matches(match, view, self)]
