"""Writes ``docs/screenshots``: ``python -m tests.browser.screenshots``.

What is committed is what is shown: packaged notes, verdicts and replays.
"""

import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

from saitei.service.knowledge import Knowledge
from tests.browser.conftest import DESK, QUIET, browser_path, serving

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
PHONE = {"width": 390, "height": 844}
FLASHBACK = "/?q=" + quote("フラッシュバックで唱えた呪文が打ち消されたらどうなる？")
COUNTERED = "/scenarios/flashback.countered-is-exiled"
HOSTEL = "/scenarios/hostile-hostel.attached-phase-out-together"


def _forward(page: Page, times: int) -> None:
    for _ in range(times):
        page.keyboard.press("ArrowRight")
    page.locator("#replay").scroll_into_view_if_needed()


def _names(page: Page) -> None:
    page.get_by_role("combobox").press_sequentially("エーデリ")
    page.get_by_role("option").first.wait_for()


SHOTS = [
    ("answer-phone", "/?q=" + quote("腐乱持ちは必ず攻撃しなきゃダメ？"), PHONE, "light", None),
    ("answer-dark", FLASHBACK, PHONE, "dark", None),
    ("outdated-ruling", "/?q=" + quote("地獄乗りの1点、相手のPWに移せる？"), PHONE, "light", None),
    ("refusal", "/?q=" + quote("明日の東京の天気と最高気温を教えて"), PHONE, "light", None),
    ("completion", "/", PHONE, "light", _names),
    ("replay-phone", COUNTERED, PHONE, "light", lambda page: _forward(page, 2)),
    ("replay-desk", COUNTERED, DESK, "light", lambda page: _forward(page, 3)),
    ("replay-dark", HOSTEL, DESK, "dark", lambda page: _forward(page, 2)),
    ("engine", "/engine", DESK, "light", None),
    ("english", FLASHBACK + "&lang=en", DESK, "light", None),
]


def _shoot(browser: Browser, address: str) -> None:
    for name, path, viewport, scheme, act in SHOTS:
        context = browser.new_context(
            viewport=viewport, color_scheme=scheme, locale="ja-JP", reduced_motion="reduce"
        )
        page = context.new_page()
        page.goto(address + path)
        if act is not None:
            act(page)
        whole = re.search("answer|outdated|refusal", name) is not None
        page.screenshot(path=FOLDER / f"{name}.png", full_page=whole)
        context.close()


def main() -> int:
    """Write the pictures; 1 where there is no browser."""
    path = browser_path()
    if path is None:
        print("no browser found", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        kb = Path(folder) / "kb"
        Knowledge(kb).ensure()
        browser = running.chromium.launch(executable_path=path, args=list(QUIET))
        with serving(kb) as address:
            _shoot(browser, address)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
