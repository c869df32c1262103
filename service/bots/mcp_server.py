"""Saitei's tools for language models, by the Model Context Protocol."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from saitei.service.bots.mcp_shapes import (
    CardRulings,
    FoundRulings,
    Played,
    RulingBrief,
    RulingTested,
)

if TYPE_CHECKING:
    from saitei.service.http.links import Links
    from saitei.service.knowledge import OpenKnowledge

INSTRUCTIONS = """\
Official rulings of Magic: The Gathering (Japanese documents), in our words by today's rules.
- Ask search_rulings first, in Japanese or English. If `answered` is false, say that no ruling was
  found; candidates are not answers.
- Always pass on `qualifications`: outdated rulings, reworded cards, matters of tournament policy
  (for those, no penalty is known here: refer to a judge).
- A rules engine's result is reference, never authority. At an event the head judge decides.
"""
READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
MAX_LIMIT = 20

RulingId = Annotated[
    str, Field(description="Id from search_rulings, or a fingerprint (12 hex digits)")
]
Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Result = TypeVar("Result")


class Source:
    """Opens the knowledge base when a tool is called for the first time.

    ``opener`` gives it; it is imported and opened inside, not before.
    """

    def __init__(self, opener: "Callable[[], OpenKnowledge]", public_url: str = "") -> None:
        self.open, self.public_url = opener, public_url

    @property
    def links(self) -> "Links":
        from saitei.service.http.links import Links

        return Links(self.public_url)


def _told(ask: Callable[[], Result]) -> Result:
    """What the caller did wrong, in words for the model; all else is a crash, told as such."""
    from saitei.data.tables import TableError
    from saitei.index.encoder import EncoderError
    from saitei.index.retrieval import QueryError
    from saitei.index.store import StoreError
    from saitei.ingest.kana import KanaError
    from saitei.service.lookups import MissingError

    try:
        return ask()
    except (QueryError, MissingError) as error:
        raise ToolError(str(error)) from None
    except (StoreError, EncoderError, KanaError, TableError):
        # The message names folders of this machine.
        raise ToolError("知識ベースを開けません。saitei doctor で確かめてください。") from None


def create_mcp(source: Source) -> MCPServer:
    """The server with its tools; nothing is opened, and nothing is asked of any network."""
    from importlib.metadata import version

    server = MCPServer(
        "saitei",
        title="裁定 (Saitei)",
        instructions=INSTRUCTIONS,
        version=version("saitei"),
        # At INFO the libraries below write addresses into the log.
        log_level="WARNING",
    )

    @server.tool(title="裁定を探す", annotations=READ_ONLY)
    def search_rulings(
        question: Annotated[str, Field(description="質問。カード名があれば含める")],
        limit: Limit = 5,
    ) -> FoundRulings:
        """Answer a rules question from official rulings, or say that none answers it."""
        from saitei.service.bots.mcp_answers import found_rulings

        return _told(lambda: found_rulings(source.open(), question, limit, source.links))

    @server.tool(title="裁定を読む", annotations=READ_ONLY)
    def get_ruling(id: RulingId) -> RulingBrief:
        """One ruling with its reason, source, rule numbers and standing."""
        from saitei.service.bots.mcp_answers import one_ruling

        return _told(lambda: one_ruling(source.open(), id, source.links))

    @server.tool(title="カードの裁定", annotations=READ_ONLY)
    def rulings_for_card(
        card: Annotated[str, Field(description="カード名（日本語か英語、一部でもよい）")],
        limit: Limit = 10,
        page: Annotated[int, Field(ge=1)] = 1,
    ) -> CardRulings:
        """All rulings about a card; the name may be partial or slightly misspelt."""
        from saitei.service.bots.mcp_answers import card_rulings

        return _told(lambda: card_rulings(source.open(), card, limit, page, source.links))

    @server.tool(title="エンジンの判定", annotations=READ_ONLY)
    def verdict_for_ruling(id: RulingId) -> RulingTested:
        """Whether a rules engine plays a ruling as it says, scenario by scenario."""
        from saitei.service.bots.mcp_answers import ruling_tested

        return _told(lambda: ruling_tested(source.open(), id))

    @server.tool(title="再現", annotations=READ_ONLY)
    def replay(
        scenario: Annotated[str, Field(description="Scenario id from another tool")],
    ) -> Played:
        """How a scenario was played on the engine, step by step, with its contrasts."""
        from saitei.service.bots.mcp_answers import played

        return _told(lambda: played(scenario))

    return server
