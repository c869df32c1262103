"""The fingerprint that ties an official ruling's text to our note without carrying the text."""

import hashlib
import re
import unicodedata

FINGERPRINT = re.compile(r"[0-9a-f]{12}\Z")
BULLET = re.compile(r"\s*(?:[•・]\s*|[*＊@]\s+)")
_TO_ASCII = str.maketrans({"\u301c": "~", "\u2212": "-"})
_DROPPED = re.compile(r"[\s\u200b\ufeff]+")


def fingerprint(text: str) -> str:
    """Twelve hex digits for a ruling's text, equal in UTF-8, cp932 and EUC-JP editions.

    One leading bullet is dropped; width, line breaks and white space do not matter. The two
    characters whose mapping differs between the Japanese encodings (wave dash, minus) are folded.
    """
    bare = BULLET.sub("", text, count=1) if BULLET.match(text) else text
    folded = unicodedata.normalize("NFKC", bare).translate(_TO_ASCII)
    return hashlib.sha256(_DROPPED.sub("", folded).encode()).hexdigest()[:12]
