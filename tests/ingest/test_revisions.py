"""What changed between two readings of one document."""

from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.models import Ruling, Subject
from saitei.ingest.revisions import compare

NOTHING = Subject(None, None, "none", 0.0)


def ruling(text: str, subject: str | None = None, print_of: str = "") -> Ruling:
    mark = fingerprint(print_of or text)
    return Ruling(
        id=f"doc.{mark}",
        fingerprint=mark,
        document="doc",
        line=1,
        ordinal=1,
        heading=(),
        subject=Subject(subject, "card", "named", 1.0) if subject else NOTHING,
        text=text,
        cards=(),
        repeat=1,
    )


STAYS = ruling("能力は一度だけ誘発し、二度目は誘発しない。")
OLD = ruling("点数で見たマナ・コストは、唱えるのに支払った額によらない。", "a")
NEW = ruling("マナ総量は、唱えるのに支払った額によらず決まる。", "a")
FRESH = ruling("墓地にあるカードは、手札にあるカードとは別に数える。", "b")


def test_nothing_changed() -> None:
    changes = compare([STAYS, OLD], [OLD, STAYS, STAYS])
    assert (changes.added, changes.revised, changes.removed) == ((), (), ())


def test_added_and_removed_rulings_in_order() -> None:
    changes = compare([OLD, STAYS], [FRESH, STAYS])
    assert changes.added == (FRESH,)
    assert changes.removed == (OLD,)
    assert changes.revised == ()


def test_a_reworded_ruling_is_paired_with_what_it_was() -> None:
    old = ruling("トークンは攻撃している状態で戦場に出るが、攻撃したわけではない。", "a")
    new = ruling("トークンは攻撃している状態で戦場に出るが、攻撃したことにはならない。", "a")
    changes = compare([STAYS, old], [STAYS, new])
    assert changes.revised == ((old, new),)
    assert changes.added == changes.removed == ()


def test_of_two_alike_the_one_of_the_same_subject_is_the_revision() -> None:
    wording = "《{}》の能力は、このターンに対戦相手がライフを失ったかどうかを見る{}。"
    old_bat = ruling(wording.format("蝙蝠", ""), "bat")
    old_cat = ruling(wording.format("山猫", ""), "cat")
    new_cat = ruling(wording.format("山猫", "だけである"), "cat")
    new_bat = ruling(wording.format("蝙蝠", "だけである"), "bat")
    changes = compare([old_bat, old_cat], [new_cat, new_bat])
    assert changes.revised == ((old_cat, new_cat), (old_bat, new_bat))


def test_each_ruling_is_in_one_pair_at_most() -> None:
    old = ruling("能力の対象が不適正なら、その能力は解決されない。", "a")
    first = ruling("能力の対象が不適正なら、その能力は解決されません。", "a")
    second = ruling("能力の対象が不適正なら、その能力は解決しない。", "a")
    changes = compare([old], [first, second])
    assert len(changes.revised) == 1
    assert len(changes.added) == 1


def test_a_ruling_known_by_fingerprint_only_is_never_a_revision() -> None:
    packaged = ruling("", "a", print_of="何かの裁定")
    changes = compare([packaged], [NEW])
    assert changes.revised == ()
    assert changes.removed == (packaged,)
    assert changes.added == (NEW,)
