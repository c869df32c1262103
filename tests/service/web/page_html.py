"""A page as a checker sees it: what is wrong with its HTML, and what it says."""

import itertools
from collections import Counter
from html.parser import HTMLParser

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
PHRASING_ONLY = frozenset(
    {"p", "h1", "h2", "h3", "h4", "span", "b", "small", "button", "a", "label"}
)
BLOCKS = frozenset("p h1 h2 h3 h4 ul ol li div section article dl dt dd table pre form".split())
HOME = {"li": {"ul", "ol"}, "dt": {"dl", "div"}, "dd": {"dl", "div"}, "tr": {"thead", "tbody"}}
INTERACTIVE = frozenset({"a", "button", "summary"})


class Page(HTMLParser):
    """Reads a page. ``faults`` are in plain words; an empty list is a page without any."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.links: list[str] = []
        self.outline: list[tuple[int, str]] = []
        self._open: list[tuple[str, dict[str, str]]] = []
        self._ids: Counter[str] = Counter()
        self._named: set[str] = set()
        self._controls: list[dict[str, str]] = []
        self._words: dict[int, str] = {}
        self._wanted: list[str] = []
        if not html.startswith("<!doctype html>"):
            self.faults.append("no doctype")
        self.feed(html)
        self.close()
        self._finish()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if len(given) != len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        parents = [name for name, _ in self._open]
        parent = parents[-1] if parents else ""
        if tag in BLOCKS and parent in PHRASING_ONLY:
            self.faults.append(f"<{tag}> in <{parent}>")
        if tag in HOME and parent not in HOME[tag]:
            self.faults.append(f"<{tag}> in <{parent}>")
        if parent in ("ul", "ol") and tag != "li":
            self.faults.append(f"<{tag}> straight in <{parent}>")
        if tag in INTERACTIVE and INTERACTIVE & set(parents):
            self.faults.append(f"<{tag}> inside another thing to press")
        if "style" in given or tag == "style" or any(name.startswith("on") for name in given):
            self.faults.append(f"<{tag}> with a style or script of its own")
        if "id" in given:
            self._ids[given["id"]] += 1
        self._wanted += given.get("aria-labelledby", "").split()
        if tag == "html" and given.get("lang") not in ("ja", "en"):
            self.faults.append("no language")
        if tag == "label":
            self._named.add(given.get("for", ""))
        if tag in ("input", "textarea", "select") and given.get("type") != "hidden":
            self._controls.append(given)
        if tag == "a":
            self.links.append(given.get("href", ""))
        for name in ("src", "href"):
            if tag in ("script", "link", "img") and "//" in given.get(name, ""):
                self.faults.append(f"<{tag}> from elsewhere: {given[name]}")
        if tag not in VOID:
            self._open.append((tag, given))
            self._words[len(self._open)] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes nothing")
            return
        words = self._words.pop(len(self._open)).strip()
        _, given = self._open.pop()
        if tag in ("h1", "h2", "h3", "h4"):
            self.outline.append((int(tag[1]), words))
        if tag in ("a", "button", "summary") and not (words or given.get("aria-label")):
            self.faults.append(f"<{tag}> without a name")

    def handle_data(self, data: str) -> None:
        for depth in self._words:
            self._words[depth] += data

    def _finish(self) -> None:
        self.faults += [f"<{tag}> is not closed" for tag, _ in self._open]
        self.faults += [f"id '{name}' twice" for name, times in self._ids.items() if times > 1]
        self.faults += [f"no id '{name}'" for name in self._wanted if name not in self._ids]
        for control in self._controls:
            if not control.get("aria-label") and control.get("id") not in self._named:
                self.faults.append(f"control {control.get('name')} without a label")
        levels = [level for level, _ in self.outline]
        if levels.count(1) != 1:
            self.faults.append(f"{levels.count(1)} headings of the first level")
        for before, after in itertools.pairwise(levels):
            if after > before + 1:
                self.faults.append(f"heading {after} after heading {before}")


def order_of(text: str, *parts: str) -> bool:
    """Whether the parts stand in a text in this order."""
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True
