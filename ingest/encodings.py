"""Bytes into text: UTF-8, Shift_JIS (as cp932), EUC-JP, ISO-2022-JP and UTF-16 with a mark.

A statistical detector is not needed: the encodings in question reject or visibly mangle one
another's bytes, so each is tried strictly and the most Japanese-looking result wins.
"""

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
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
    """Decode ``data``; ``declared`` is what a header or a ``meta`` element claims, tried first.

    Raises `UndecodableError` for binary data and for bytes no encoding fits.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _strictly(data, name)
    if _CONTROL.search(data[:65536]):
        raise UndecodableError("テキストではありません（バイナリ）")
    # ISO-2022-JP is all ASCII bytes, so UTF-8 would take it.
    names = ["iso2022_jp", "utf-8"] if b"\x1b$" in data[:65536] else ["utf-8"]
    if declared:
        plain = declared.strip().lower()
        names.insert(0, _NAMES.get(plain, plain))
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


def _strictly(data: bytes, name: str) -> Decoded:
    try:
        text = data.decode(name)
    except (UnicodeDecodeError, LookupError):
        raise UndecodableError(f"文字コードが {name} ではありません") from None
    if name in ("cp932", "euc_jp"):
        text = text.translate(_ONE_FORM)
    return Decoded(text, name)


def _japanese(text: str) -> float:
    """How much like Japanese prose the start of a text is; half-width kana speak against it."""
    sample = text[:20000]
    return len(_JAPANESE.findall(sample)) - 3 * len(_DOUBTFUL.findall(sample))
