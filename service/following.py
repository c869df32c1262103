"""One knowledge base, kept open, for a process that answers many questions."""

from saitei.service.knowledge import Knowledge, OpenKnowledge


class OpenedKnowledge:
    """Follows what other processes publish, at the price of reading the pointer."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._opened: OpenKnowledge | None = None

    def current(self) -> OpenKnowledge:
        """The newest published generation. Raises ``StoreError`` or ``EncoderError``."""
        opened = self._opened
        if opened is not None:
            published = self._knowledge.store.current()
            if published is not None and published.path == opened.searcher.generation.path:
                return opened
        self._opened = opened = self._knowledge.open()
        return opened
