"""The page as people use it, in a real browser: finger, keyboard, screen reader, no JavaScript."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Open

FLASHBACK = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"
STRANGE = "明日の東京の天気と最高気温を教えて"
COUNTERED = "/scenarios/flashback.countered-is-exiled"
MILLS = "/scenarios/soaring-thought-thief.each-opponent-mills"
PATHS = [
    "/",
    "/?q=" + quote(FLASHBACK),
    "/?q=" + quote(STRANGE),
    "/?q=" + quote("地獄乗りの1点、相手のPWに移せる？"),
    "/sets/MID",
    "/cards",
    "/cards/adeline-resplendent-cathar",
    "/engine",
    "/outdated",
    "/principles",
    "/scenarios",
    COUNTERED,
    MILLS,
    "/scenarios/hostile-hostel.attached-phase-out-together",
    "/rulings/c97ba3070b48",
    "/?lang=en",
    COUNTERED + "?lang=en",
]


def question(page: Page):
    return page.get_by_role("combobox", name="質問")


def in_case(page: Page, number: int = 0):
    """The visible picture of a case."""
    return page.locator(f'.case[data-case="{number}"] .frame:visible')


# -- asking


def test_ask_and_read_the_answer_first(visit: Open) -> None:
    page = visit("/")
    question(page).fill(FLASHBACK)
    page.keyboard.press("Enter")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("追放される")
    size = verdict.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    body = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert size >= 1.3 * body
    expect(page.get_by_role("main")).to_contain_text("702.34a")
    expect(question(page)).to_have_value(FLASHBACK)


def test_a_question_without_an_answer_is_refused(visit: Open) -> None:
    page = visit("/")
    question(page).fill(STRANGE)
    page.get_by_role("button", name="聞く").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("^該当する裁定は見つかりませんでした"))
    expect(page.get_by_role("heading", name=re.compile("答えとは限りません"))).to_be_visible()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("エーデリン", "輝かしい聖戦士、エーデリン"),
        ("Adeline", "Adeline, Resplendent Cathar"),
        ("かがやかしいせい", "輝かしい聖戦士、エーデリン"),
    ],
)
def test_card_names_are_completed(visit: Open, typed: str, offered: str) -> None:
    page = visit("/")
    question(page).press_sequentially(typed)
    option = page.get_by_role("option", name=offered, exact=True)
    expect(option).to_be_visible()
    option.click()
    expect(question(page)).to_have_value(f"《{offered}》")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_completion_by_keyboard_in_the_middle_of_a_sentence(visit: Open) -> None:
    page = visit("/")
    box = question(page)
    box.press_sequentially("墓地から《輝かしい")
    expect(page.get_by_role("option").first).to_be_visible()
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    chosen = page.locator('[role="option"][aria-selected="true"]')
    expect(box).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "none")
    name = chosen.inner_text()
    page.keyboard.press("Enter")
    expect(box).to_have_value(f"墓地から《{name}》")
    assert page.url.endswith("/"), "taking a name must not send the question"
    box.press_sequentially("は？")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")


def test_escape_closes_the_names_and_enter_then_asks(visit: Open) -> None:
    page = visit("/")
    question(page).press_sequentially("エーデリン")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")


def test_the_text_to_share_is_copied(visit: Open) -> None:
    page = visit("/?q=" + quote(FLASHBACK), permissions=["clipboard-read", "clipboard-write"])
    page.get_by_text("共有する文").click()
    page.get_by_role("button", name="コピー").click()
    expect(page.get_by_role("button", name="コピーしました")).to_be_visible()
    assert "A. 追放される" in page.evaluate("navigator.clipboard.readText()")


def test_from_the_answer_to_the_replay_in_one_tap(visit: Open) -> None:
    page = visit("/?q=" + quote(FLASHBACK), viewport=PHONE, has_touch=True)
    page.get_by_role("link", name=re.compile("再現を見る")).first.tap()
    page.wait_for_url("**/scenarios/**")
    expect(page.get_by_role("button", name="進む")).to_be_visible()


# -- the replay


def test_the_replay_goes_forward_and_back_by_buttons(visit: Open) -> None:
    page = visit(COUNTERED)
    picture = in_case(page)
    forward, back = page.get_by_role("button", name="進む"), page.get_by_role("button", name="戻る")
    expect(picture.get_by_role("heading")).to_contain_text("はじめの場面")
    expect(back).to_be_disabled()
    graveyard = picture.get_by_role("list", name="墓地").last
    expect(graveyard).to_contain_text("思い返し")
    forward.click()
    expect(picture.locator(".spell")).to_contain_text("思い返し")
    forward.click()
    expect(picture.locator(".spell")).to_have_count(2)
    expect(picture.locator(".spell").first).to_contain_text("ただの打ち消し")
    forward.click()
    expect(picture.get_by_role("list", name="追放")).to_contain_text("思い返し")
    expect(picture.locator(".spell")).to_have_count(0)
    expect(forward).to_be_disabled()
    back.click()
    expect(picture.locator(".spell")).to_have_count(2)
    page.get_by_role("button", name="最初へ").click()
    expect(picture.get_by_role("heading")).to_contain_text("はじめの場面")


def test_the_replay_goes_by_arrow_keys_but_not_while_typing(visit: Open) -> None:
    page = visit(COUNTERED)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".where")).to_have_text("3 / 4")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".where")).to_have_text("2 / 4")
    question(page).fill("墓地")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".where")).to_have_text("2 / 4")


def test_the_contrast_stands_beside_it_and_ends_otherwise(visit: Open) -> None:
    page = visit(COUNTERED)
    page.get_by_role("button", name="最後へ").click()
    expect(in_case(page, 0).get_by_role("list", name="追放")).to_contain_text("思い返し")
    expect(in_case(page, 1).get_by_role("list", name="墓地").last).to_contain_text("思い返し")
    left = page.locator('.case[data-case="0"]').bounding_box()
    right = page.locator('.case[data-case="1"]').bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]
    expect(page.locator(".tag").nth(1)).to_have_text("もし〜なら")


def test_on_a_phone_the_contrast_is_one_tap_away_at_the_same_step(visit: Open) -> None:
    page = visit(COUNTERED, viewport=PHONE, has_touch=True)
    page.get_by_role("button", name="進む").tap()
    expect(page.locator('.case[data-case="1"]')).to_be_hidden()
    page.get_by_role("button", name="もし〜なら").tap()
    expect(page.locator('.case[data-case="0"]')).to_be_hidden()
    expect(in_case(page, 1).locator(".spell")).to_contain_text("思い返し")
    expect(page.locator(".where")).to_have_text("2 / 4")


def test_a_screen_reader_hears_what_happens(visit: Open) -> None:
    page = visit(COUNTERED)
    said = page.locator('[aria-live="polite"]')
    expect(said).to_have_text("")
    page.get_by_role("button", name="進む").click()
    expect(said).to_contain_text("あなたが《思い返し》を唱える")
    page.get_by_role("button", name="最後へ").click()
    expect(said).to_contain_text("《思い返し》：スタック→追放領域")


def test_the_keyboard_keeps_its_place_when_the_end_is_reached(visit: Open) -> None:
    page = visit(COUNTERED)
    page.get_by_role("button", name="最後へ").press("Enter")
    expect(page.get_by_role("button", name="戻る")).to_be_focused()


def test_it_plays_by_itself_and_stops(visit: Open) -> None:
    page = visit(COUNTERED)
    page.get_by_role("button", name="自動再生").click()
    expect(page.get_by_role("button", name="止める")).to_be_visible()
    expect(page.locator(".where")).to_have_text("3 / 4", timeout=6000)
    page.get_by_role("button", name="止める").click()
    expect(page.get_by_role("button", name="自動再生")).to_be_visible()


def test_cards_travel_unless_less_motion_is_wished(visit: Open) -> None:
    moving = "document.getAnimations().length"
    page = visit(COUNTERED, reduced_motion="no-preference")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(moving) > 0
    page = visit(COUNTERED)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(moving) == 0


def test_three_players_are_drawn(visit: Open) -> None:
    page = visit(MILLS)
    picture = in_case(page)
    for who in ("あなた", "対戦相手", "３人目"):
        expect(picture.get_by_role("region", name=who)).to_be_visible()


# -- everywhere


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_wider_than_a_phone(visit: Open, path: str) -> None:
    page = visit(path, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if path.startswith("/scenarios/"):
        while page.get_by_role("button", name=re.compile("進む|Forward")).is_enabled():
            page.keyboard.press("ArrowRight")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("path", ["/", "/?q=" + quote(FLASHBACK), COUNTERED])
def test_what_a_finger_presses_is_large_enough(visit: Open, path: str) -> None:
    page = visit(path, viewport=PHONE)
    small = [
        button.inner_text()
        for button in page.locator("button:visible, .button:visible").all()
        if (box := button.bounding_box()) and box["height"] < 44
    ]
    assert small == []


CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    ["/", PATHS[1], PATHS[2], PATHS[3], "/engine", "/outdated", COUNTERED, PATHS[13]],
)
def test_text_stands_out_in_light_and_dark(visit: Open, path: str, scheme: str) -> None:
    page = visit(path, color_scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(int(part) for part in re.findall(r"\d+", paper)[:3]) / 3
    assert brightness > 200 if scheme == "light" else brightness < 60
    assert page.evaluate(CONTRASTS) == []


def test_without_javascript_all_is_there(visit: Open) -> None:
    page = visit("/", java_script_enabled=False)
    page.get_by_role("textbox", name="質問").fill(FLASHBACK)
    page.get_by_role("button", name="聞く").click()
    expect(page.locator(".verdict")).to_contain_text("追放される")
    page.get_by_text("共有する文").click()
    expect(page.get_by_role("textbox", name="共有する文")).to_be_visible()
    expect(page.get_by_role("button", name="コピー")).to_be_hidden()
    page.get_by_role("link", name=re.compile("再現を見る")).first.click()
    page.wait_for_url("**/scenarios/**")
    pictures = page.locator('.case[data-case="0"] .frame:visible')
    assert pictures.count() >= 3
    expect(page.locator('.case[data-case="1"]')).to_be_visible()
    expect(page.get_by_role("button", name="進む")).to_be_hidden()


def test_the_first_tab_leads_past_the_menu(visit: Open) -> None:
    page = visit("/?q=" + quote(FLASHBACK))
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="本文へ移動")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_the_other_language_is_one_tap_away_and_keeps_the_page(visit: Open) -> None:
    page = visit(COUNTERED)
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("button", name="Forward")).to_be_visible()
    expect(in_case(page).get_by_role("heading")).to_contain_text("Starting position")
    page.get_by_role("link", name="日本語").click()
    expect(page.get_by_role("button", name="進む")).to_be_visible()
