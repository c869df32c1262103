"""Lines into blocks of rulings under headings, every line accounted for (design section 5).

One pass, line by line, linear in the source. A *block* is the rulings that belong together: those
under one card header, or, where headers were lost, a run of bullets between blank lines.
"""

import re
from collections.abc import Callable

from saitei.ingest import marks
from saitei.ingest.layout import Layout, goes_on, layout_of
from saitei.ingest.marks import HEADING_LENGTH, NAME_LENGTH, Chapter
from saitei.ingest.outline import Block, Draft, Outline, joined
from saitei.ingest.reading import Line, Reading

KnowsName = Callable[[str], bool]


def outline(reading: Reading, knows_name: KnowsName) -> Outline:
    """Sort the lines of a source. ``knows_name`` tells whether a bare line is a card's name."""
    return _Sorter(reading, knows_name).run()


class _Sorter:
    """The state of the one pass: chapter, headings, block, the ruling being read."""

    def __init__(self, reading: Reading, knows_name: KnowsName) -> None:
        self.lines = reading.lines
        self.structured = reading.structured
        self.known_title = reading.title
        self.knows_name = knows_name
        self.layout: Layout = layout_of(reading)
        self.out = Outline()
        self.chapter: Chapter = "front"
        self.path: list[tuple[int, str]] = []
        self.block: Block | None = None
        self.draft: Draft | None = None
        self.in_header = False
        self.modes = False
        self.asked: Draft | None = None
        self.paired = False
        self.after_blank = True
        self.product = False
        self.done = 0

    def run(self) -> Outline:
        for index, line in enumerate(self.lines):
            if not line.text:
                self.blank()
            elif index >= self.done:
                self.place(index, line)
                self.after_blank = self.out.lines[-1].kind == "separator"
        self.out.blocks = [block for block in self.out.blocks if block.drafts]
        self.out.title = self.out.title or self.known_title
        return self.out

    # -- one line -----------------------------------------------------------------------------

    def place(self, index: int, line: Line) -> None:
        text = line.text
        starred = marks.starred(text)
        if line.role == "rule" or marks.is_rule(text):
            self.out.mark(line, "separator")
            self.end_block()
        elif line.role == "heading" or starred:
            self.heading(index, Line(line.number, starred or text, "heading", line.level or 2))
        elif self.framed(index) and not marks.is_title(text):
            self.open_chapter(line, marks.kind_of_chapter(text))
        elif line.role == "bullet" or self.is_bullet(text):
            self.bulleted(line)
        elif marks.QUESTION.match(text):
            self.question(line)
        elif self.asked is not None and marks.ANSWER.match(text):
            self.answer(line)
        elif self.continues(index, text):
            self.extend(line)
        elif chapter := marks.chapter_of(text):
            self.open_chapter(line, chapter)
        else:
            self.paragraph(index, line)

    def paragraph(self, index: int, line: Line) -> None:
        """A line that is none of these, and the lines it is wrapped over."""
        end = index + 1
        while (
            end < len(self.lines)
            and self.layout.is_full(self.lines[end - 1].text)
            and goes_on(self.lines[end - 1].text, self.lines[end].text)
        ):
            end += 1
        parts = [one.text for one in self.lines[index:end]]
        self.plain(end - 1, Line(line.number, joined(parts)))
        kind = self.out.lines[-1].kind
        for one in self.lines[index + 1 : end]:
            self.out.mark(one, kind)
        self.done = end

    def plain(self, index: int, line: Line) -> None:
        """A paragraph that ends at ``index``: boilerplate, card header, heading, loose ruling."""
        text = line.text
        updated = marks.updated_of(text)
        if updated is not None:
            self.out.updated = self.out.updated or updated or None
            self.out.mark(line, "updated")
        elif marks.is_legal(text) and "《" not in text:
            self.out.mark(line, "legal")
            self.end_block()
        elif self.card_header(index, line):
            self.out.mark(line, "card")
        elif self.chapter == "front" and not self.out.blocks and self.front(line):
            pass
        elif self.header_open and not self.after_blank:
            self.card_text(line)
        elif marks.is_product(text) or (self.product and not self.is_heading(index, text)):
            self.out.mark(line, "product")
        elif marks.is_rule_text(text):
            self.out.mark(line, "introduction")
        elif self.is_heading(index, text):
            self.heading(index, line)
        elif self.chapter == "cards":
            self.loose_in_cards(line)
        elif not self.out.lines and not marks.is_prose(text) and len(text) <= HEADING_LENGTH:
            # What stands first and is nothing else names the document.
            self.out.title = text
            self.out.mark(line, "title")
        elif not marks.is_prose(text) and len(text) <= HEADING_LENGTH:
            self.lose(line, "見出し、裁定、既知の定型のどれでもない")
        elif len(self.path) > 1 and not self.layout.has_bullets:
            self.ruling(line, text)
        elif self.path:
            # Prose of a general section introduces the rulings under its heading.
            self.out.mark(line, "introduction")
            self.end_block()
        else:
            self.lose(line, "どの節にも属さない文")

    def front(self, line: Line) -> bool:
        """Lines before the first chapter: title, credits, what the document is."""
        text = line.text
        title = self.out.title or self.known_title
        if marks.is_title(text) and self.out.title in ("", text):
            self.out.title = text
            self.out.mark(line, "title")
        elif marks.is_credits(text):
            self.out.mark(line, "credits")
        elif title and (marks.is_prose(text) or len(text) > HEADING_LENGTH):
            self.out.mark(line, "introduction")
        else:
            return False
        return True

    def loose_in_cards(self, line: Line) -> None:
        """A paragraph without bullet in a card chapter: text of the card above, or a ruling."""
        text, block, layout = line.text, self.block, self.layout
        if not (marks.is_prose(text) and self.after_blank):
            if self.header_open:
                self.card_text(line)
            else:
                self.lose(line, "カードの文章でも裁定でもない")
                if self.after_blank and re.search(r"[^\W\d_]", text):
                    # Perhaps the name of a card: what follows is not about the card above.
                    self.end_block()
        elif not layout.has_headers:
            # Headers are lost: a paragraph by itself is a ruling that lost its bullet.
            if block and block.drafts:
                self.end_block()
            self.ruling(line, text)
        elif not layout.has_bullets and block and block.header:
            self.ruling(line, text)
        elif self.header_open:
            self.card_text(line)
        else:
            self.lose(line, "箇条書きの裁定の間にある、行頭記号のない段落")

    # -- what a line can be -------------------------------------------------------------------

    @property
    def header_open(self) -> bool:
        """Whether a card's header is being read: begun, and no ruling under it yet."""
        return self.in_header and self.block is not None and not self.block.drafts

    def is_bullet(self, text: str) -> bool:
        if not marks.BULLET.match(text) or marks.is_power(text):
            return False
        # A wrapped line may start with a middle dot that belongs to the sentence.
        own = text[0] not in "・･" or self.layout.bullet in ("・", "･", "•", "")
        return own or not self.mid_sentence

    @property
    def mid_sentence(self) -> bool:
        """Whether the line above belongs to a ruling and does not end its sentence."""
        return (
            self.draft is not None
            and not self.after_blank
            and not marks.ends_sentence(self.draft.parts[-1])
        )

    def continues(self, index: int, text: str) -> bool:
        """Whether this line goes on with the ruling of the line above."""
        if self.draft is None or self.after_blank or self.structured:
            return False
        if not self.layout.wrap and not self.paired:
            return False
        if marks.names_of(text) or marks.chapter_of(text):
            return False
        if self.mid_sentence or self.paired:
            return True
        full = self.layout.is_full(self.lines[index - 1].text)
        return (full or marks.is_prose(text)) and not marks.is_card_line(text)

    def is_heading(self, index: int, text: str) -> bool:
        if len(text) > HEADING_LENGTH or text.endswith(("、", "：", ":")) or marks.is_prose(text):
            return False
        if "《" in text or marks.is_credits(text) or not re.search(r"[^\W\d_]", text):
            return False
        if marks.is_general_section(text) or marks.is_product_section(text):
            return True
        untitled = self.chapter == "front" and not self.out.blocks and not self.out.title
        if self.chapter == "cards" or untitled:
            return False
        above_rulings = any(
            not below.text or below.role == "bullet" or marks.BULLET.match(below.text)
            for below in self.lines[index + 1 : index + 2]
        )
        free = self.after_blank or self.block is None or not self.block.drafts
        return marks.is_major(text) or (free and above_rulings)

    def card_header(self, index: int, line: Line) -> bool:
        """Take a line of a printed card, if it is one, into the block's header."""
        text = line.text
        if marks.is_run_together(text):
            head = text.partition("{")[0].strip(" \u3000")
            if head or not self.header_open:
                self.begin_card(marks.names_of(head) or ((head,) if head else ()))
            self.note_header(text)
            return True
        names = self.names_at(index, line)
        if names:
            if self.header_open and self.block and self.block.names:
                # The second face of one card, or a card without rulings: names tell later.
                self.block.names = (*self.block.names, *names)
            else:
                self.begin_card(names)
            self.note_header(text)
            return True
        if marks.is_face(text):
            if not self.header_open:
                self.begin_card(())
            if self.block:
                self.block.faces += 1
            return True
        if marks.is_card_line(text) and (self.header_open or marks.is_type_line(text)):
            if not self.header_open:
                if self.chapter == "front" and not self.out.blocks:
                    return False
                self.begin_card(())
            self.note_header(text)
            return True
        return False

    def names_at(self, index: int, line: Line) -> tuple[str, ...]:
        """The names a line gives the card whose header it begins; empty if it begins none."""
        text, marked = line.text, line.role == "heading"
        opening = self.chapter == "front" and not self.out.blocks and not marked
        names = marks.names_of(text)
        if names and ("《" in text or not opening or any(map(self.knows_name, names))):
            return names
        if not (marked or self.after_blank) or len(text) > NAME_LENGTH or marks.is_card_line(text):
            return ()
        names = marks.bare_names(text)
        # Words such as 飛行 are names of cards too, and what a general section may be about.
        known = not opening and self.chapter != "general" and any(map(self.knows_name, names))
        return names if known or self.above_header(index) else ()

    def above_header(self, index: int) -> bool:
        """Whether the line is the last above a card's cost and type line."""
        below = [line.text for line in self.lines[index + 1 : index + 4]]
        return marks.begins_header([text for text in below if text] if self.structured else below)

    def framed(self, index: int) -> bool:
        around = [line.text for line in self.lines[max(index - 1, 0) : index + 2]]
        return len(around) == 3 and marks.is_frame(around[0]) and marks.is_frame(around[2])

    # -- taking ------------------------------------------------------------------------------

    def lose(self, line: Line, why: str) -> None:
        self.out.lose(line, why)
        self.draft = None

    def begin_card(self, names: tuple[str, ...]) -> None:
        self.end_block()
        self.open_block(names)
        self.in_header = True

    def note_header(self, text: str) -> None:
        if self.block:
            self.block.header.append(text)

    def card_text(self, line: Line) -> None:
        self.out.mark(line, "card")
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
        self.block = self.draft = self.asked = None
        self.in_header = self.modes = False

    def blank(self) -> None:
        self.after_blank = True
        self.draft = None
        self.modes = False
        block = self.block
        if block and block.drafts and not block.names and not block.header and not self.asked:
            self.end_block()
            if self.chapter == "front" and self.path and marks.is_general_section(self.path[-1][1]):
                # Such a section stands among card rulings and is the one block below its heading.
                self.path.pop()

    def bulleted(self, line: Line) -> None:
        text = line.text
        bare = text if line.role == "bullet" else marks.BULLET.sub("", text, count=1)
        if self.modes and self.header_open and not marks.is_about_modes(text):
            self.out.mark(line, "card")
            self.note_header(text)
        elif self.product:
            self.out.mark(line, "product")
        elif line.role == "bullet" and not marks.is_statement(bare):
            self.lose(line, "文になっていない箇条書き")
        else:
            self.modes = False
            self.ruling(line, bare, bulleted=bare is not text)

    def ruling(self, line: Line, text: str, bulleted: bool = False) -> None:
        self.out.mark(line, "ruling")
        bare, tail = marks.without_glued_rule(text)
        block = self.block or self.open_block()
        self.draft, self.paired = Draft(line.number, bulleted, [bare], tail), False
        block.drafts.append(self.draft)
        if tail:
            self.end_block()

    def extend(self, line: Line) -> None:
        assert self.draft is not None
        self.out.mark(line, "ruling")
        bare, tail = marks.without_glued_rule(line.text)
        self.draft.parts.append(bare)
        self.draft.tail = tail
        if tail:
            self.end_block()

    def question(self, line: Line) -> None:
        """A question and its answer are one ruling."""
        self.ruling(line, line.text)
        self.asked, self.paired = self.draft, True

    def answer(self, line: Line) -> None:
        assert self.asked is not None
        self.out.mark(line, "ruling")
        self.asked.parts.append("\n" + line.text)
        self.draft, self.asked, self.paired = self.asked, None, True

    def open_chapter(self, line: Line, chapter: Chapter) -> None:
        self.out.mark(line, "heading")
        self.end_block()
        self.chapter, self.product = chapter, False
        self.path = [(1, line.text)]

    def heading(self, index: int, line: Line) -> None:
        """A heading, whose ``level`` is 0 where only its words tell it."""
        text, level = line.text, line.level
        chapter = marks.chapter_of(text)
        names = () if chapter else self.names_at(index, line)
        if self.chapter == "front" and not self.out.blocks and marks.is_title(text) and not chapter:
            self.out.title = self.out.title or text
            self.out.mark(line, "title")
        elif chapter:
            self.open_chapter(line, chapter)
        elif names:
            self.out.mark(line, "card")
            self.begin_card(names)
        else:
            self.out.mark(line, "heading")
            self.end_block()
            self.product = marks.is_product_section(text)
            opens = self.product or marks.is_major(text) or marks.is_labelled(text)
            level = max(level, 2) if level else (2 if opens else 3)
            self.path = [(above, name) for above, name in self.path if above < level]
            self.path.append((level, text))
