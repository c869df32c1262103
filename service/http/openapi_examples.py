"""An example of every answer, made of the very shapes: one that no longer fits cannot be made."""

from collections.abc import Mapping

from pydantic import BaseModel

from saitei.engine.verdicts import ContrastVerdict, ExpectationVerdict, Verdict
from saitei.service.http.lists import (
    BulkList,
    ChangeList,
    DocumentList,
    PrincipleList,
    ResultList,
    SearchList,
    VerdictList,
)
from saitei.service.http.problems import Problem, problem
from saitei.service.http.shapes import (
    BulkView,
    CardView,
    CatalogView,
    ChangeView,
    ChatView,
    DocumentListed,
    FaceView,
    PrincipleListed,
    ReplayView,
    Revision,
    ScenarioView,
)
from saitei.service.replays.replay import Board, BoardPlayer, Frame, Replay, ReplayCase, Words
from saitei.service.views import (
    AnswerView,
    DocumentView,
    OccurrenceView,
    ReadingView,
    ResultView,
    SubjectView,
    VerdictView,
)

_HOST = "https://saitei.example"
_REVISION = "1e9a51c2023be404"
_FINGERPRINT = "c97ba3070b48"
_ID = f"mid-release-notes.{_FINGERPRINT}"
_SCENARIO = "flashback.countered-is-exiled"
_ENGINE, _VERSION = "phase", "0.103.0"
_QUERY = "フラッシュバックで唱えた呪文が打ち消されたら？"
_TITLE = "フラッシュバックで唱えた呪文は打ち消されても追放される"
_ANSWER = "追放される。解決されても、打ち消されても、スタックを離れるなら必ず追放される。"
_FILE = "mid-release-notes/flashback.scenario.yaml"

_RULING = ResultView(
    id=_ID,
    fingerprint=_FINGERPRINT,
    occurrences=[
        OccurrenceView(
            id=_ID,
            document="mid-release-notes",
            line=129,
            heading=["再録：フラッシュバック"],
        )
    ],
    document=DocumentView(
        id="mid-release-notes",
        title="『イニストラード：真夜中の狩り』リリースノート",
        updated="2021-09-15",
        set="MID",
    ),
    line=129,
    subject=SubjectView(id="flashback", ja="フラッシュバック", en="Flashback", kind="mechanic"),
    text=None,
    answer=_ANSWER,
    because="スタックから別の領域へ動くときに、行き先を追放に置き換える。",
    rules=["702.34a"],
    checked="2025-02-07",
    status="current",
    kind="ruling",
    principle=None,
    verdict=VerdictView(
        outcome="confirmed",
        text="as-written",
        engine=_ENGINE,
        version=_VERSION,
        scenarios=[_SCENARIO],
    ),
    score=3.48,
)
_READING = ReadingView(cards=[], terms=["フラッシュバック"])
_ANSWERED = AnswerView(
    query=_QUERY,
    answered=True,
    kind="direct",
    confidence=0.97,
    needed=0.52,
    refused=None,
    results=[_RULING],
    reading=_READING,
    best=_RULING,
    alternatives=[],
    revision=_REVISION,
)
_HELD = ExpectationVerdict(
    text="{think-twice: {zone: exile}}",
    line=17,
    held=True,
    expected="zone: exile",
    observed="zone: exile",
    shows=[_FINGERPRINT],
)
_VERDICT = Verdict(
    scenario=_SCENARIO,
    rulings=[_FINGERPRINT],
    outcome="confirmed",
    cause=None,
    text="as-written",
    expectations=[_HELD],
    contrasts=[
        ContrastVerdict(title="手札から唱えて打ち消されたら墓地", flipped=True, expectations=[])
    ],
    reason="",
    scenario_sha256="0" * 64,
    seconds=0.04,
)
_GIVEN = {"turn": "you", "you": {"graveyard": ["think-twice"], "mana": "{2}{U}"}}
_CARD = "輝かしい聖戦士、エーデリン"
_CARD_EN = "Adeline, Resplendent Cathar"
_REPLAY = Replay(
    scenario=_SCENARIO,
    title=_TITLE,
    basis="ruling",
    rulings=[_FINGERPRINT],
    rules=["702.34a"],
    cards=["think-twice", "counterspell"],
    engine=_ENGINE,
    version=_VERSION,
    scenario_sha256="0" * 64,
    outcome="confirmed",
    cause=None,
    text="as-written",
    main=ReplayCase(
        title=_TITLE,
        frames=[
            Frame(
                text=Words(ja="あなたが《熟慮》を唱える", en="You cast Think Twice"),
                board=Board(
                    turn="you",
                    turn_number=1,
                    step="precombat main",
                    players=[BoardPlayer(player="you", life=20, library=40)],
                ),
            )
        ],
        checks=[],
    ),
    contrasts=[],
)

EXAMPLES: Mapping[str, BaseModel] = {
    "/v1/search": SearchList(
        data=[_RULING],
        has_more=True,
        next_page=f"{_HOST}/v1/search?q=flashback&page=2",
        query=_QUERY,
        answered=True,
        kind="direct",
        confidence=0.97,
        needed=0.52,
        refused=None,
        reading=_READING,
        message=None,
    ),
    "/v1/answer": _ANSWERED,
    "/v1/rulings/{ruling}": _RULING,
    "/v1/revision": Revision(revision=_REVISION),
    "/v1/cards/named": CardView(
        id="adeline-resplendent-cathar",
        ja=_CARD,
        en=_CARD_EN,
        faces=[
            FaceView(
                ja=_CARD,
                en=_CARD_EN,
                cost="{1}{W}{W}",
                type_line="Legendary Creature — Human Knight",
                pt="*/4",
            )
        ],
        set="MID",
        layout="normal",
        rulings=5,
        rulings_uri=f"{_HOST}/v1/cards/adeline-resplendent-cathar/rulings",
    ),
    "/v1/cards/autocomplete": CatalogView(data=[_CARD, "輝かしい天使"]),
    "/v1/cards/{name}/rulings": ResultList(data=[_RULING]),
    "/v1/scenarios/{scenario}": ScenarioView(
        id=_SCENARIO,
        title=_TITLE,
        basis="ruling",
        rulings=[_FINGERPRINT],
        rules=["702.34a"],
        given=_GIVEN,
        when=[{"cast": "think-twice", "by": "you"}],
        then=[{"think-twice": {"zone": "exile"}, "shows": _FINGERPRINT}],
        contrast=[],
        file=_FILE,
        line=1,
        yaml=f"- id: {_SCENARIO}\n  title: {_TITLE}\n",
        verdict=_VERDICT,
        engine=_ENGINE,
        version=_VERSION,
    ),
    "/v1/scenarios/{scenario}/replay": ReplayView(replay=_REPLAY),
    "/v1/verdicts": VerdictList(data=[_VERDICT], engine=_ENGINE, version=_VERSION),
    "/v1/documents": DocumentList(
        data=[
            DocumentListed(
                id="mid-release-notes",
                title="『イニストラード：真夜中の狩り』リリースノート",
                kind="release-notes",
                set="MID",
                updated="2021-09-15",
                language="ja",
                rulings=311,
                text=False,
            )
        ]
    ),
    "/v1/principles": PrincipleList(
        data=[
            principle := PrincipleListed(
                id="all-targets-illegal",
                statement="対象がすべて不適正なら、呪文や能力は解決されない。",
                condition="対象を1つ以上選んだとき。",
                exceptions="適正な対象が1つでも残れば解決される。",
                rules=["608.2b"],
                questions=["対象が1つだけの除去が不発になったら、ついでのドローは？"],
                instances=["bone-to-ash.illegal-target-no-draw"],
                scenarios=[],
            )
        ]
    ),
    "/v1/principles/{principle}": principle,
    "/v1/changes": ChangeList(
        data=[
            ChangeView(
                number=1,
                document="my-faq",
                kind="added",
                ruling=f"my-faq.{_FINGERPRINT}",
                before=None,
                after="新しい裁定の文。",
                at="2025-03-01T09:00:00+00:00",
            )
        ],
        last=1,
    ),
    "/v1/bulk": BulkList(
        data=[
            BulkView(
                type="notes",
                description="Rulings with what we say of them: the objects of /v1/rulings",
                download_uri=f"{_HOST}/v1/bulk/notes",
            )
        ]
    ),
}
"""By path: what it answers with 200. Files of JSON lines have none."""

CHAT_EXAMPLE = ChatView(
    query=_QUERY,
    answered=True,
    kind="direct",
    text=f"{_ANSWER}\n出典: 『イニストラード：真夜中の狩り』リリースノート（2021-09-15） 129行目",
    id=_ID,
    url=f"{_HOST}/rulings/{_ID}",
    revision=_REVISION,
)

PROBLEM_EXAMPLES: Mapping[int, Problem] = {
    404: problem("ruling_not_found", "裁定 'nothing' はありません。"),
    422: problem("bad_query", "質問が空です。"),
    429: problem("rate_limited", "要求が多すぎます。1秒後にもう一度どうぞ。"),
    500: problem("internal_error", "内部エラーが起きました。"),
    503: problem("timeout", "10秒以内に答えられませんでした。"),
}
