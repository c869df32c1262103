"""A knowledge base is published whole or not at all, and never read when it was tampered with."""

from pathlib import Path

import pytest

from saitei.index.store import KEPT, SCHEMA_VERSION, Manifest, NewerStoreError, Store, StoreError

MANIFEST = Manifest(
    schema_version=SCHEMA_VERSION,
    encoder="e",
    encoder_identity="e-1",
    revision="r",
    packaged="p",
    entries=0,
    passages=0,
    files={},
)


def fill(text: str):
    def write(folder: Path) -> Manifest:
        (folder / "lexical").mkdir()
        (folder / "lexical" / "data").write_text(text)
        return MANIFEST

    return write


def test_a_new_folder_has_no_generation(store: Store) -> None:
    assert store.current() is None


def test_publishing_makes_a_complete_generation_current(store: Store) -> None:
    with store.writing():
        published = store.publish(fill("one"))
    current = store.current()
    assert current is not None
    assert current.path == published.path
    assert current.verified("lexical/data").read_text() == "one"


def test_a_failure_while_filling_leaves_the_old_generation(store: Store) -> None:
    with store.writing():
        store.publish(fill("one"))
        before = sorted(path.name for path in (store.root / "generations").iterdir())

        def broken(folder: Path) -> Manifest:
            (folder / "half").write_text("x")
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.publish(broken)
    assert sorted(path.name for path in (store.root / "generations").iterdir()) == before
    current = store.current()
    assert current is not None
    assert current.number == 1


def test_only_the_last_generations_are_kept(store: Store) -> None:
    with store.writing():
        for number in range(KEPT + 2):
            store.publish(fill(str(number)))
    names = sorted(path.name for path in (store.root / "generations").iterdir())
    assert names == ["000003", "000004", "000005"]
    current = store.current()
    assert current is not None
    assert current.number == KEPT + 2


def test_a_changed_file_is_not_opened(store: Store) -> None:
    with store.writing():
        generation = store.publish(fill("one"))
    (generation.path / "lexical" / "data").write_text("two")
    with pytest.raises(StoreError, match="変わっています"):
        generation.verified("lexical/data")


def test_a_file_that_cannot_be_read_is_not_opened(store: Store) -> None:
    with store.writing():
        generation = store.publish(fill("one"))
    file = generation.path / "lexical" / "data"
    file.unlink()
    with pytest.raises(StoreError, match="読めないか"):
        generation.verified("lexical/data")
    file.mkdir()
    with pytest.raises(StoreError, match="読めないか"):
        generation.verified("lexical/data")


def test_a_file_the_manifest_does_not_name_is_not_opened(store: Store) -> None:
    with store.writing():
        generation = store.publish(fill("one"))
    (generation.path / "dense.faiss").write_bytes(b"anything")
    with pytest.raises(StoreError, match="目録にない"):
        generation.verified("dense.faiss")


@pytest.mark.parametrize("content", [b"nonsense", b"\xff\xfe", b"../../etc", b""])
def test_a_broken_pointer_is_one_clear_error(store: Store, content: bytes) -> None:
    store.root.mkdir()
    (store.root / "current").write_bytes(content)
    with pytest.raises(StoreError, match="saitei build") as error:
        store.current()
    assert "\n" not in str(error.value)


def test_a_lost_pointer_loses_nothing(store: Store) -> None:
    with store.writing():
        store.publish(fill("one"))
    (store.root / "current").unlink()
    with pytest.raises(StoreError, match="saitei build"):
        store.current()
    assert [generation.number for generation in store.sound("lexical/data")] == [1]


def test_the_first_generation_may_be_named_a_moment_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing():
        store.publish(fill("one"))
    pointer = store.root / "current"
    name = pointer.read_text("utf-8")
    pointer.unlink()
    monkeypatch.setattr("time.sleep", lambda seconds: pointer.write_text(name, "utf-8"))
    current = store.current()
    assert current is not None
    assert current.number == 1


def test_a_later_format_is_neither_read_nor_rebuilt(store: Store) -> None:
    with store.writing():
        store.publish(lambda folder: MANIFEST.model_copy(update={"schema_version": 99}))
    with pytest.raises(NewerStoreError, match="新しくして"):
        store.current()
    with pytest.raises(NewerStoreError):
        list(store.sound("data.txt"))


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError, match="書き込めません"), Store(file / "kb").writing():
        pass


def test_what_a_killed_writer_left_is_cleared_by_the_next(store: Store) -> None:
    with store.writing():
        store.publish(fill("one"))
        abandoned = store.root / "generations" / ".draft-000002-1"
        abandoned.mkdir()
        store.publish(fill("two"))
    assert not abandoned.exists()


def test_a_disk_that_takes_nothing_is_one_clear_error(store: Store) -> None:
    def full(folder: Path) -> Manifest:
        raise OSError(28, "No space left on device")

    with store.writing(), pytest.raises(StoreError, match="書き込めません（No space left"):
        store.publish(full)
    assert store.current() is None


def test_sound_generations_are_found_past_damaged_ones(store: Store) -> None:
    with store.writing():
        for text in ("one", "two", "three"):
            store.publish(fill(text))
    generations = store.root / "generations"
    (generations / "000003" / "lexical" / "data").write_text("damaged")
    (generations / "000002" / "manifest.json").write_text("{}")
    assert [generation.number for generation in store.sound("lexical/data")] == [1]
