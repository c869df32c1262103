"""Lines into blocks of rulings under headings, every line accounted for (design section 5).

One pass, line by line, linear in the source. A *block* is the rulings that belong together: those
under one card header, or, where headers were lost, a run of bullets between blank lines.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from saitei.ingest import marks
from saitei.ingest.marks import Chapter
from saitei.ingest.models import LineKind, PlacedLine, Unplaced
from saitei.ingest.reading import Line, Reading

HEADING_LENGTH = 60
"""Longest line, in characters, that can be a heading."""

GENERAL_SECTION = "に関する一般的な情報"
"""How a heading ends that stands among card rulings and covers the one block below it."""

KnowsName = Callable[[str], bool]


@dataclass(slots=True)
class Draft:
    """A ruling as found. ``raw`` is what the fingerprint is taken of: bullet and all."""

    line: int
    text: str
    raw: str


@dataclass(slots=True)
class Block:
    """Rulings that belong together, with the card header above them as far as it survived."""

    chapter: Chapter
    heading: tuple[str, ...]
    names: tuple[str, ...] = ()
    header: list[str] = field(default_factory=list)
    faces: int = 0
    drafts: list[Draft] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """A source, sorted: blocks in order, and what each line was taken for."""

    title: str = ""
    updated: str | None = None
    blocks: list[Block] = field(default_factory=list)
    lines: list[PlacedLine] = field(default_factory=list)
    unplaced: list[Unplaced] = field(default_factory=list)


def outline(reading: Reading, knows_name: KnowsName) -> Outline:
    """Sort the lines of a source. ``knows_name`` tells whether a bare line is a card's name."""
    return _Sorter(reading, knows_name).run()


def join_wrapped(left: str, right: str) -> str:
    """Two physical lines of one sentence; a space only between Latin words."""
    latin = left[-1:].isascii() and right[:1].isascii() and left[-1:].isalnum()
    return f"{left} {right}" if latin and right[:1].isalnum() else left + right


class _Sorter:
    def __init__(self, reading: Reading, knows_name: KnowsName) -> None:
        self.lines = reading.lines
        self.structured = reading.structured
        self.knows_name = knows_name
        self.out = Outline(title=reading.title)
        self.chapter: Chapter = "front"
        self.path: list[tuple[int, str]] = []
        self.block: Block | None = None
        self.draft: Draft | None = None
        self.in_header = False
        self.modes = False
        self.question = False
        self.after_blank = True
        self.product = False
        self.kinds: dict[int, LineKind] = {}
        texts = [line.text for line in self.lines if line.text]
        self.wrap = _wrap_width(texts)
        self.bullet = _usual_bullet(texts)
        self.has_headers = _has_card_headers(texts)
        self.has_bullets = self.bullet != "" or any(line.role == "bullet" for line in self.lines)

    def run(self) -> Outline:
        for index, line in enumerate(self.lines):
            if not line.text:
                self.blank()
            else:
                self.place(index, line)
                self.after_blank = False
        self.out.lines = [PlacedLine(number, kind) for number, kind in sorted(self.kinds.items())]
        self.out.blocks = [block for block in self.out.blocks if block.drafts]
        return self.out

    # -- one line -----------------------------------------------------------------------------

    def place(self, index: int, line: Line) -> None:
        text = line.text
        if line.role == "rule" or marks.is_rule(text):
            self.mark(line, "separator")
            self.end_block()
        elif line.role == "heading":
            self.heading(line, text, line.level)
        elif line.role == "bullet" or self.is_bullet(text):
            self.bulleted(line)
        elif starred := marks.STARRED.match(text):
            self.heading(line, starred["title"], 0)
        elif marks.QUESTION.match(text) or (self.question and marks.ANSWER.match(text)):
            self.questioned(line)
        elif self.continues(index, text):
            self.extend(line)
        elif chapter := marks.chapter_of(text):
            self.open_chapter(line, chapter)
        else:
            self.unbulleted(index, line)

    def unbulleted(self, index: int, line: Line) -> None:
        text = line.text
        updated = marks.updated_of(text)
        if updated is not None:
            self.out.updated = self.out.updated or updated or None
            self.mark(line, "updated")
        elif marks.is_legal(text):
            self.mark(line, "legal")
            self.end_block()
        elif self.card_header(line):
            self.mark(line, "card")
        elif self.chapter == "front" and not self.out.blocks and self.front(line):
            pass
        elif self.in_header and self.block and not self.block.drafts and not self.after_blank:
            self.card_text(line)
        elif self.product or marks.is_product(text):
            if self.is_heading(index, text) and not marks.is_product(text):
                self.heading(line, text, 0)
            else:
                self.mark(line, "product")
        elif self.is_heading(index, text):
            self.heading(line, text, 0)
        elif self.chapter == "cards":
            self.loose_in_cards(line)
        elif text.endswith(("。", "：", ":", "。)", "。）")) or len(text) > HEADING_LENGTH:
            # Prose of a general section: an introduction to the rulings under the heading.
            if self.path:
                self.mark(line, "introduction")
                self.end_block()
            else:
                self.lose(line, "prose outside any section")
        else:
            self.lose(line, "neither heading, ruling nor known boilerplate")

    def front(self, line: Line) -> bool:
        """Lines before the first chapter: title, credits, what the document is."""
        text = line.text
        if marks.is_title(text) and not self.out.title:
            self.out.title = text
            self.mark(line, "title")
        elif marks.is_title(text) and text == self.out.title:
            self.mark(line, "title")
        elif marks.is_credits(text):
            self.mark(line, "credits")
        elif self.out.title and (text.endswith("。") or len(text) > HEADING_LENGTH):
            self.mark(line, "introduction")
        else:
            return False
        return True

    def loose_in_cards(self, line: Line) -> None:
        """A paragraph of a card chapter without bullet: text of the card above, or a ruling."""
        text, block = line.text, self.block
        sentence = text.endswith(("。", "。)", "。）", "。」")) or (
            text.endswith(".") and len(text) > 40
        )
        if block and self.in_header and not block.drafts and self.has_bullets and self.has_headers:
            self.card_text(line)
        elif sentence and self.after_blank:
            if not self.has_bullets and block and self.in_header and block.header:
                self.ruling(line, text)
                return
            if not self.has_headers or not self.has_bullets:
                if self.block and self.block.drafts and not self.has_headers:
                    self.end_block()
                self.ruling(line, text)
            else:
                self.lose(line, "a paragraph without bullet in a chapter of bulleted rulings")
        elif block and self.in_header:
            self.card_text(line)
        else:
            self.lose(line, "neither card text nor ruling")

    # -- what a line can be -------------------------------------------------------------------

    def is_bullet(self, text: str) -> bool:
        match = marks.BULLET.match(text)
        if not match or marks.STARRED.match(text) or marks.is_power(text):
            return False
        # A wrapped line may start with a middle dot of the sentence itself.
        own = text[0] != "・" or self.bullet in ("・", "•", "")
        return own or not self.mid_sentence()

    def mid_sentence(self) -> bool:
        return (
            self.draft is not None
            and not self.after_blank
            and not marks.SENTENCE_END.search(self.draft.text)
        )

    def continues(self, index: int, text: str) -> bool:
        """Whether this line goes on with the ruling of the line above."""
        if self.draft is None or self.after_blank or self.structured or self.modes:
            return False
        if marks.names_of(text) or marks.chapter_of(text):
            return False
        if marks.is_card_line(text) and not self.mid_sentence():
            return False
        above = self.lines[index - 1].text
        if self.wrap:
            return not marks.SENTENCE_END.search(above) or _width(above) >= self.wrap * 0.8
        return False

    def is_heading(self, index: int, text: str) -> bool:
        if len(text) > HEADING_LENGTH or text.endswith(("。", "、", "：", ":", "。)", "。）")):
            return False
        if "《" in text or marks.is_credits(text) or not re.search(r"[^\W\d_]", text):
            return False
        followed = index + 1 >= len(self.lines) or not self.lines[index + 1].text
        alone = (self.after_blank or self.block is None or not self.block.drafts) and followed
        known = text.endswith(GENERAL_SECTION) or marks.is_product_section(text)
        if self.chapter == "cards":
            return known
        if self.chapter == "front" and not self.out.blocks and not self.out.title:
            return known
        return known or alone or marks.is_major(text) or not self.structured

    def card_header(self, line: Line) -> bool:
        """Take a line of a printed card, if it is one, into the block's header."""
        text, block = line.text, self.block
        names = marks.names_of(text)
        if not names and self.chapter != "front" and len(text) <= 40 and self.after_blank:
            names = (text,) if self.knows_name(text) else ()
        if marks.is_run_together(text):
            head = re.split(r"\{", text, maxsplit=1)[0].strip(" 　")
            if head or not (block and self.in_header and not block.drafts):
                self.begin_card(marks.names_of(head) or ((head,) if head else ()))
            self.note_header(text)
            return True
        if names:
            second_face = block is not None and self.in_header and not block.drafts and block.names
            if second_face and block is not None:
                block.names = (*block.names, *names)
                block.header.append(text)
            else:
                self.begin_card(names)
            return True
        if marks.is_face(text):
            if block is None or block.drafts or not self.in_header:
                self.begin_card(())
            if self.block:
                self.block.faces += 1
            return True
        if marks.is_card_line(text) and (self.in_header or marks.is_type_line(text)):
            if not self.in_header or (block and block.drafts):
                if self.chapter == "front":
                    return False
                self.begin_card(())
            self.note_header(text)
            return True
        return False

    # -- taking ------------------------------------------------------------------------------

    def mark(self, line: Line, kind: LineKind) -> None:
        self.kinds[line.number] = kind

    def lose(self, line: Line, why: str) -> None:
        self.mark(line, "unplaced")
        self.out.unplaced.append(Unplaced(line.number, line.text, why))
        self.draft = None

    def begin_card(self, names: tuple[str, ...]) -> None:
        self.end_block()
        self.open_block(names)
        self.in_header = True

    def note_header(self, text: str) -> None:
        if self.block:
            self.block.header.append(text)

    def card_text(self, line: Line) -> None:
        self.mark(line, "card")
        self.note_header(line.text)
        self.modes = marks.asks_for_modes(line.text)

    def open_block(self, names: tuple[str, ...] = ()) -> Block:
        chapter = self.chapter
        if chapter == "front":
            # A source without chapters: rulings of cards, but for sections that say otherwise.
            chapter = "general" if self.path else "cards"
        block = Block(chapter, tuple(text for _, text in self.path), names)
        self.out.blocks.append(block)
        self.block = block
        return block

    def end_block(self) -> None:
        self.block = self.draft = None
        self.in_header = self.modes = self.question = False

    def blank(self) -> None:
        self.after_blank = True
        self.draft = None
        self.modes = False
        block = self.block
        if block and block.drafts and not block.names and not block.header and not self.question:
            self.end_block()
            if self.chapter == "front" and self.path and self.path[-1][1].endswith(GENERAL_SECTION):
                self.path.pop()

    def bulleted(self, line: Line) -> None:
        text = line.text
        if self.modes and self.block and not self.block.drafts and "《" not in text:
            self.mark(line, "card")
            self.note_header(text)
            return
        self.modes = False
        match = marks.BULLET.match(text) if line.role != "bullet" else None
        bare = text[match.end() :] if match else text
        self.ruling(line, marks.GLUED_RULE.sub("", bare), text)
        if marks.GLUED_RULE.search(text):
            self.end_block()

    def ruling(self, line: Line, text: str, raw: str | None = None) -> None:
        self.mark(line, "ruling")
        block = self.block or self.open_block()
        self.draft = Draft(line.number, text, raw or text)
        block.drafts.append(self.draft)

    def extend(self, line: Line) -> None:
        assert self.draft is not None
        self.mark(line, "ruling")
        self.draft.raw = join_wrapped(self.draft.raw, line.text)
        glued = marks.GLUED_RULE.search(line.text)
        self.draft.text = join_wrapped(self.draft.text, marks.GLUED_RULE.sub("", line.text))
        if glued:
            self.end_block()

    def questioned(self, line: Line) -> None:
        """A pair of question and answer is one ruling."""
        if marks.QUESTION.match(line.text):
            self.ruling(line, line.text)
            self.question = True
        elif self.block and self.block.drafts:
            self.draft = self.block.drafts[-1]
            self.mark(line, "ruling")
            self.draft.text += "\n" + line.text
            self.draft.raw += "\n" + line.text
            self.question = False

    def open_chapter(self, line: Line, chapter: Chapter) -> None:
        self.mark(line, "heading")
        self.end_block()
        self.chapter, self.product = chapter, False
        self.path = [(1, line.text)]

    def heading(self, line: Line, text: str, level: int) -> None:
        if marks.is_title(text) and self.chapter == "front" and not self.out.blocks:
            self.out.title = self.out.title or text
            self.mark(line, "title")
            return
        names = marks.names_of(text) or ((text,) if self.knows_name(text) else ())
        if names:
            self.mark(line, "card")
            self.begin_card(names)
            return
        chapter = marks.chapter_of(text)
        if chapter:
            self.open_chapter(line, chapter)
            return
        self.mark(line, "heading")
        self.end_block()
        self.product = marks.is_product_section(text)
        if not level:
            level = 2 if marks.is_major(text) or marks.is_product_section(text) else 3
        elif self.path and self.path[0][0] == 1:
            level = max(level, 2)
        if self.chapter == "cards" and level <= 2 and text.endswith(GENERAL_SECTION):
            self.path = self.path[:1]
        self.path = [(above, name) for above, name in self.path if above < level]
        self.path.append((level, text))


def _width(text: str) -> int:
    """Columns a line takes: full-width characters count two."""
    return sum(1 if char < "\u0100" or "\uff61" <= char <= "\uff9f" else 2 for char in text)


def _wrap_width(texts: Sequence[str]) -> int:
    """The column lines are wrapped at, or 0 when they are not hard-wrapped."""
    if len(texts) < 2:
        return 0
    widths = sorted(_width(text) for text in texts)
    widest = widths[-1]
    return widest if widest <= 100 else 0


def _usual_bullet(texts: Sequence[str]) -> str:
    counts = Counter(text[0] for text in texts if marks.BULLET.match(text))
    return counts.most_common(1)[0][0] if counts else ""


def _has_card_headers(texts: Sequence[str]) -> bool:
    """Whether any printed card header survived in the source."""
    return any(
        marks.is_type_line(text) or marks.is_run_together(text) or bool(marks.names_of(text))
        for text in texts
    )
