"""``saitei ingest``: what it reports, what it keeps, and that bad input changes nothing."""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from saitei.ingest import transcription

LETTER = """『架空の次元：海亀の夜』リリースノート

山田太郎編

最終更新 2023年4月1日

カード別注釈

《海亀の行進》
{2}{G}
ソーサリー

• 《海亀の行進》は海亀を数えるだけで、対象には取らない。
• 《海亀の行進》を解決するときに海亀がいなければ、何も起こらずに墓地に置かれる。
"""


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "turtles.txt"
    path.write_text(LETTER, "utf-8")
    return path


@pytest.fixture
def kb(packaged_kb: Path, tmp_path: Path) -> Path:
    """A copy of the packaged knowledge base, so that what a test ingests stays its own."""
    import shutil

    return Path(shutil.copytree(packaged_kb, tmp_path / "own-kb"))


def current(kb: Path) -> str:
    return (kb / "current").read_text()


def test_what_was_ingested_is_found_at_once(saitei, kb, letter) -> None:
    ran = saitei("ingest", str(letter), "--kb", str(kb))
    assert ran.code == 0
    assert "裁定 2" in ran.out
    assert "追加 2" in ran.out
    results = saitei("search", "海亀は対象に取る？", "--kb", str(kb), "--json").json["results"]
    assert results[0]["text"] == "《海亀の行進》は海亀を数えるだけで、対象には取らない。"
    assert results[0]["answer"] is None


def test_a_knowledge_base_of_an_older_version_is_rebuilt_with_its_documents(
    saitei, kb, letter
) -> None:
    saitei("ingest", str(letter), "--kb", str(kb))
    manifest = kb / "generations" / current(kb) / "manifest.json"
    stored = json.loads(manifest.read_text("utf-8"))
    manifest.write_text(json.dumps({**stored, "schema_version": 1}), "utf-8")
    # What an older version did not write is missing.
    (manifest.parent / "unanswered.npz").unlink()
    before = current(kb)
    ran = saitei("search", "海亀は対象に取る？", "--kb", str(kb), "--json")
    assert ran.code == 0
    assert (
        ran.json["results"][0]["text"] == "《海亀の行進》は海亀を数えるだけで、対象には取らない。"
    )
    assert current(kb) != before


def test_the_same_source_again_changes_nothing(saitei, kb, letter) -> None:
    saitei("ingest", str(letter), "--kb", str(kb))
    before = current(kb)
    ran = saitei("ingest", str(letter), "--kb", str(kb))
    assert ran.code == 0
    assert "変更なし" in ran.out
    assert current(kb) == before


def test_a_corrected_source_shows_what_changed_and_keeps_history(saitei, kb, letter) -> None:
    saitei("ingest", str(letter), "--kb", str(kb))
    corrected = LETTER.replace("何も起こらずに墓地に置かれる", "何も起こらず、追放領域に置かれる")
    letter.write_text(corrected + "• 海亀は島である。そうなっていなければ、島になる。\n", "utf-8")
    ran = saitei("ingest", str(letter), "--kb", str(kb))
    assert "追加 1、改訂 1、削除 0" in ran.out
    database = next((kb / "generations" / current(kb)).glob("*.sqlite"))
    with sqlite3.connect(database) as db:
        rows = db.execute("SELECT kind, before FROM change WHERE document LIKE '%turtles%'")
        kinds = rows.fetchall()
    assert [kind for kind, _ in kinds] == ["added", "added", "added", "revised"]
    assert "墓地に置かれる" in kinds[-1][1]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("blank.txt", b" \n\n"),
        ("binary.txt", bytes(range(256)) * 20),
        ("page.html", "<html><body><h1>お探しのページはありません</h1></body></html>".encode()),
        ("fake.docx", b"this is no word document"),
        ("fake.pdf", b"%PDF-1.7 and then nothing"),
        ("mixed.txt", "裁定".encode("cp932") + b"\xff\xfe\xfd" + "裁定".encode()),
    ],
)
def test_bad_input_is_one_line_exit_2_and_loses_nothing(
    saitei, kb, tmp_path, name: str, content: bytes
) -> None:
    before = current(kb)
    bad = tmp_path / name
    bad.write_bytes(content)
    ran = saitei("ingest", str(bad), "--kb", str(kb))
    assert ran.code == 2
    assert name in ran.err
    assert ran.err.count("\n") == 1
    assert current(kb) == before


def test_a_source_over_the_limit_is_refused(saitei, kb, letter, monkeypatch) -> None:
    monkeypatch.setenv("SAITEI_MAX_SOURCE", "100")
    ran = saitei("ingest", str(letter), "--kb", str(kb))
    assert ran.code == 2
    assert "100" in ran.err


def test_a_missing_source_is_named(saitei, kb) -> None:
    ran = saitei("ingest", "/nowhere/at/all.txt", "--kb", str(kb))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "/nowhere/at/all.txt" in ran.err


def test_in_a_folder_good_sources_are_published_and_bad_ones_named(
    saitei, kb, letter, tmp_path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    letter.rename(folder / "good.txt")
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4")
    ran = saitei("ingest", str(folder), "--kb", str(kb))
    assert ran.code == 2
    assert "bad.pdf" in ran.err
    assert "追加 2" in ran.out


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/loop":
                self.send_response(302)
                self.send_header("Location", "/loop")
                self.end_headers()
                return
            status = {"/missing": 404, "/broken": 500}.get(self.path, 200)
            body = LETTER if self.path == "/turtles.txt" else "<h1>お探しのページはありません</h1>"
            self.send_response(status)
            kind = "text/plain" if self.path.endswith(".txt") else "text/html"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


def test_a_url_is_ingested(saitei, kb, server) -> None:
    ran = saitei("ingest", f"{server}/turtles.txt", "--kb", str(kb))
    assert ran.code == 0
    assert "裁定 2" in ran.out


@pytest.mark.parametrize("path", ["/missing", "/broken", "/loop", "/soft-404"])
def test_a_url_that_gives_no_rulings_is_one_line(saitei, kb, server, path: str) -> None:
    before = current(kb)
    ran = saitei("ingest", server + path, "--kb", str(kb))
    assert ran.code == 2
    assert path in ran.err
    assert ran.err.count("\n") == 1
    assert current(kb) == before


def test_a_build_over_a_damaged_database_says_what_cannot_be_taken_over(saitei, kb, letter) -> None:
    saitei("ingest", str(letter), "--kb", str(kb))
    newest = int(current(kb))
    (kb / "generations" / current(kb) / "rulings.sqlite").write_bytes(b"gone")
    ran = saitei("build", "--kb", str(kb))
    assert ran.code == 0
    assert f"第{newest}世代" in ran.err
    assert "saitei ingest" in ran.err
    assert saitei("build", "--kb", str(kb)).err.count("世代の rulings.sqlite") == 0


@pytest.mark.parametrize("manifest", [None, b"", b"{}"])
def test_a_build_takes_over_a_sound_database_whose_manifest_is_gone(
    saitei, kb, letter, manifest: bytes | None
) -> None:
    saitei("ingest", str(letter), "--kb", str(kb))
    asked = ("search", "海亀は対象に取る？", "--kb", str(kb), "--json")
    before = saitei(*asked).json["results"]
    assert before[0]["text"]
    file = kb / "generations" / current(kb) / "manifest.json"
    if manifest is None:
        file.unlink()
    else:
        file.write_bytes(manifest)
    ran = saitei("build", "--kb", str(kb))
    assert (ran.code, ran.err.count("世代の rulings.sqlite")) == (0, 0)
    assert saitei(*asked).json["results"] == before


def test_a_database_without_manifest_is_taken_over_only_if_it_is_whole(saitei, kb, letter) -> None:
    saitei("ingest", str(letter), "--kb", str(kb))
    newest = kb / "generations" / current(kb)
    (newest / "manifest.json").unlink()
    with (newest / "rulings.sqlite").open("r+b") as file:
        file.seek(4096)
        file.write(b"x" * 4096)
    ran = saitei("build", "--kb", str(kb))
    assert ran.code == 0
    assert f"第{int(newest.name)}世代の rulings.sqlite" in ran.err


def test_a_pipe_in_place_of_a_file_is_found(saitei, kb) -> None:
    assert saitei("doctor", "--kb", str(kb)).code == 0
    file = kb / "generations" / current(kb) / "dense.faiss"
    file.unlink()
    os.mkfifo(file)
    ran = saitei("doctor", "--kb", str(kb))
    assert ran.code == 1
    assert "dense.faiss" in ran.err


def test_doctor_finds_every_changed_file(saitei, kb) -> None:
    assert saitei("doctor", "--kb", str(kb)).code == 0
    manifest = kb / "generations" / current(kb) / "manifest.json"
    first, second, *_ = json.loads(manifest.read_text())["files"]
    (manifest.parent / first).write_bytes(b"x")
    (manifest.parent / second).unlink()
    ran = saitei("doctor", "--kb", str(kb))
    assert ran.code == 1
    lines = ran.err.splitlines()
    assert len(lines) == 2
    assert first in lines[0]
    assert second in lines[1]


def test_doctor_leaves_what_an_older_version_made(saitei, kb) -> None:
    assert saitei("doctor", "--kb", str(kb)).code == 0
    manifest = kb / "generations" / current(kb) / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "packaged": "older"}))
    before = sorted(path.name for path in (kb / "generations").iterdir())
    ran = saitei("doctor", "--kb", str(kb))
    assert (ran.code, ran.err) == (0, "")
    assert "次の質問で作り直します" in ran.out
    assert sorted(path.name for path in (kb / "generations").iterdir()) == before


def test_doctor_reads_what_kana_is_read_with(saitei, kb, monkeypatch, tmp_path: Path) -> None:
    assert saitei("doctor", "--kb", str(kb)).code == 0
    transcription._names.cache_clear()
    monkeypatch.setattr(transcription, "TRANSCRIBED", tmp_path / "gone.tsv")
    try:
        ran = saitei("doctor", "--kb", str(kb))
    finally:
        transcription._names.cache_clear()
    assert ran.code == 1
    assert "gone.tsv" in ran.out + ran.err


def test_doctor_finds_a_lost_pointer(saitei, kb) -> None:
    assert saitei("doctor", "--kb", str(kb)).code == 0
    (kb / "current").unlink()
    ran = saitei("doctor", "--kb", str(kb))
    assert (ran.code, len(ran.err.splitlines())) == (1, 1)
    assert "current" in ran.err
