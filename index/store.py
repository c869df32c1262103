"""A knowledge base on disk: numbered generations, each complete and read-only, one pointer.

``<root>/generations/000007/`` holds SQLite, vectors, both indexes and ``manifest.json`` with the
hash of every other file. ``<root>/current`` names the generation readers open; publishing replaces
it by one atomic rename, so a reader sees the old generation or the new one, never half of one.
"""

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 3
"""Of what is written. Documents, rulings and changes of older ones are read, for the next build."""
REMEDY = "saitei build で作り直せます。"
KEPT = 3
"""Generations kept after publishing, the current one included."""
_NAMING = 0.1
"""Seconds in which a generation just written is surely named."""


class StoreError(ValueError):
    """A knowledge base that cannot be opened or written; the message says which and why."""


class NewerStoreError(StoreError):
    """A knowledge base of a later version of this program, which this one must not rebuild: it
    could not take over the documents in it."""


class Manifest(BaseModel):
    """What a generation was made of. ``files``: name -> SHA-256 of everything readers open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int
    encoder: str
    encoder_identity: str
    revision: str
    packaged: str
    entries: int
    passages: int
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Generation:
    """A published generation."""

    number: int
    path: Path
    manifest: Manifest

    def verified(self, name: str) -> Path:
        """The path of a file whose hash is the manifest's. Raises `StoreError` otherwise.

        FAISS reads whatever it is given with native code, so it is given nothing unchecked.
        """
        path = self.path / name
        if name not in self.manifest.files:
            raise StoreError(f"{path}: 目録にないファイルです。{REMEDY}")
        try:
            # What is no file, a pipe say, could be read for ever.
            whole = path.is_file() and file_hash(path) == self.manifest.files[name]
        except OSError:
            whole = False
        if not whole:
            raise StoreError(f"{path}: 読めないか、作られた後に変わっています。{REMEDY}")
        return path


def file_hash(path: Path) -> str:
    """SHA-256 in hexadecimal. Raises ``OSError``."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


class Store:
    """The folder of one knowledge base."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def current(self) -> Generation | None:
        """The published generation, or None for a knowledge base not built yet.

        Raises `StoreError`.
        """
        pointer = self.root / "current"
        try:
            name = pointer.read_text("utf-8").strip()
        except FileNotFoundError:
            if not self._names():
                return None
            # Another process may be about to name the first it has written.
            time.sleep(_NAMING)
            if pointer.is_file():
                return self.current()
            # To begin anew would leave behind what was ingested.
            raise StoreError(f"{pointer}: ありません。{REMEDY}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"{pointer}: 読めません（{error}）。{REMEDY}") from None
        return self._generation(name)

    def _names(self) -> list[str]:
        """Names of the generations there are, oldest first."""
        folder = self.root / "generations"
        found = (path.name for path in folder.glob("*") if path.name.isdigit() and path.is_dir())
        return sorted(found, key=int)

    def _generation(self, name: str) -> Generation:
        path = self.root / "generations" / name
        try:
            manifest = Manifest.model_validate_json((path / "manifest.json").read_bytes())
            number = int(name)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise StoreError(
                f"{path}: 知識ベースの世代ではありません（{reason}）。{REMEDY}"
            ) from None
        if manifest.schema_version > SCHEMA_VERSION:
            raise NewerStoreError(
                f"{path}: 新しい版の saitei が形式 {manifest.schema_version} で書いたものです"
                f"（この版が読めるのは {SCHEMA_VERSION} まで）。saitei を新しくしてください。"
            )
        return Generation(number, path, manifest)

    def sound(self, name: str) -> Iterator[Generation]:
        """Generations whose file ``name`` is as it was written, newest first; for repairs.

        Raises `NewerStoreError`.
        """
        for number in reversed(self._names()):
            try:
                generation = self._generation(number)
                generation.verified(name)
            except NewerStoreError:
                raise
            except StoreError:
                continue
            yield generation

    def kept(self, name: str, whole: Callable[[Path], bool]) -> Iterator[tuple[int, Path]]:
        """Numbers of generations, newest first, and paths of their file ``name``, where it is as
        the manifest says; where no manifest can be read, ``whole`` says whether it is sound.

        Raises `NewerStoreError`.
        """
        for number in reversed(self._names()):
            path = self.root / "generations" / number / name
            try:
                generation = self._generation(number)
            except NewerStoreError:
                raise
            except StoreError:
                if path.is_file() and whole(path):
                    yield int(number), path
                continue
            try:
                generation.verified(name)
            except StoreError:
                continue
            yield generation.number, path

    def damaged(self, name: str, whole: Callable[[Path], bool]) -> list[int]:
        """Numbers of the generations newer than the newest whose file ``name`` is `kept`: what was
        published in them cannot be taken over."""
        newest = next((number for number, _ in self.kept(name, whole)), 0)
        return [number for number in map(int, self._names()) if number > newest]

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one writer's lock; another process waits. Raises `StoreError`."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            handle = (self.root / "lock").open("w")
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            raise StoreError(f"{self.root}: 書き込めません（{error.strerror}）") from None
        with handle:
            yield

    def publish(self, fill: Callable[[Path], Manifest]) -> Generation:
        """Let ``fill`` write a new generation's files, then make it current.

        ``fill`` gets an empty folder and returns the manifest with ``files`` left empty. When it
        raises, nothing is published and nothing stays behind. The caller holds `writing`. Raises
        `StoreError` when the disk does not take it.
        """
        try:
            return self._publish(fill)
        except OSError as error:
            raise StoreError(f"{self.root}: 書き込めません（{error.strerror or error}）") from None

    def _publish(self, fill: Callable[[Path], Manifest]) -> Generation:
        folder = self.root / "generations"
        folder.mkdir(exist_ok=True)
        for abandoned in folder.glob(".draft-*"):
            # The lock is ours: whoever wrote it was killed.
            shutil.rmtree(abandoned, ignore_errors=True)
        numbers = [int(name) for name in self._names()]
        number = (numbers[-1] if numbers else 0) + 1
        draft = folder / f".draft-{number:06d}-{os.getpid()}"
        draft.mkdir()
        try:
            manifest = fill(draft)
            files = {
                path.relative_to(draft).as_posix(): file_hash(path)
                for path in sorted(draft.rglob("*"))
                if path.is_file()
            }
            manifest = manifest.model_copy(update={"files": files})
            (draft / "manifest.json").write_text(
                json.dumps(manifest.model_dump(), indent=1), "utf-8"
            )
            path = folder / f"{number:06d}"
            draft.rename(path)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        pointer = self.root / f".current-{os.getpid()}"
        pointer.write_text(path.name, "utf-8")
        pointer.replace(self.root / "current")
        for old in [*numbers, number][:-KEPT]:
            shutil.rmtree(folder / f"{old:06d}", ignore_errors=True)
        return Generation(number, path, manifest)
