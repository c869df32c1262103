"""Bytes into text: UTF-8, Shift_JIS (as cp932), EUC-JP, ISO-2022-JP; UTF-16 and -32 with a mark.

A statistical detector is not needed: the encodings in question reject or visibly mangle one
another's bytes, so each is tried strictly and the most Japanese-looking result wins.
"""

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # Begins with the mark of UTF-16, so it comes first.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NAMES = {
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ms932": "cp932",
    "euc-jp": "euc_jp",
    "x-euc-jp": "euc_jp",
}
# What a header may claim. Python knows codecs beside these that are no encodings of documents,
# and some of them take seconds or make text that cannot be written again.
_DECLARED = frozenset({"utf-8", "cp932", "euc_jp", "iso2022_jp"})
# These fit any bytes, and servers claim them by default: they come after UTF-8.
_WESTERN = frozenset({"cp1252", "iso8859-1"})
_JAPANESE = re.compile(r"[ぁ-んァ-ヶー一-龠、。「」《》]")
_DOUBTFUL = re.compile(r"[\uff61-\uff9f\ue000-\uf8ff\ufffd\x80-\x9f]")
# cp932 and EUC-JP give the same double bar two code points; one is enough.
_ONE_FORM = str.maketrans({"\u2225": "\u2016"})
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class UndecodableError(ValueError):
    """Bytes that are not text in any encoding known here; the message says why."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the codec (Python's name) that gave it."""

    text: str
    encoding: str


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode ``data``; ``declared`` is what a header or a ``meta`` element claims, tried first if
    it is an encoding read here, after UTF-8 if it is a Western one, else passed over.

    Raises `UndecodableError` for binary data and for bytes no encoding fits.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _strictly(data, name)
    if _CONTROL.search(data[:65536]):
        raise UndecodableError("テキストではありません（バイナリ）")
    # ISO-2022-JP is all ASCII bytes, so UTF-8 would take it.
    names = ["iso2022_jp", "utf-8"] if b"\x1b$" in data[:65536] else ["utf-8"]
    claimed = _codec(declared) if declared else ""
    if claimed in _DECLARED:
        names.insert(0, claimed)
    elif claimed in _WESTERN:
        names.append(claimed)
    for name in names:
        try:
            return _strictly(data, name)
        except UndecodableError:
            continue
    read: list[Decoded] = []
    for name in ("cp932", "euc_jp"):
        try:
            read.append(_strictly(data, name))
        except UndecodableError:
            continue
    if not read:
        raise UndecodableError("文字コードが UTF-8、Shift_JIS、EUC-JP のどれでもありません")
    return max(read, key=lambda found: _japanese(found.text))


def _codec(label: str) -> str:
    """Python's name for an encoding, empty if it knows none of that label."""
    plain = label.strip().lower()
    try:
        return codecs.lookup(_NAMES.get(plain, plain)).name
    except (LookupError, ValueError):
        return ""


def _strictly(data: bytes, name: str) -> Decoded:
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        raise UndecodableError(f"文字コードが {name} ではありません") from None
    if name in ("cp932", "euc_jp"):
        text = text.translate(_ONE_FORM)
    return Decoded(text, name)


def _japanese(text: str) -> float:
    """How much like Japanese prose the start of a text is; half-width kana speak against it."""
    sample = text[:20000]
    return len(_JAPANESE.findall(sample)) - 3 * len(_DOUBTFUL.findall(sample))
