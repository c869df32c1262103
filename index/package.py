"""``make index``: all that is made from the packaged texts and kept in ``data/model``: the kana
dictionary, vectors, the query model, the classifier and the ranker.

With them a fresh machine builds its first knowledge base, and answers, without running an encoder.
Training needs torch and sentence-transformers (requirements/test.txt) and takes about half
an hour, besides encoding what is new, thirty texts a second. What was encoded is kept under
``build/`` for the next time. Hashes of what went in are stored, which a test compares.
"""

import hashlib
import json
import sys
from dataclasses import dataclass

from saitei.data import PATH as DATA
from saitei.index import distil
from saitei.index.bag import MANIFEST, MODEL, REDUCED, SAMPLED, packaged_bag
from saitei.index.build import PACKAGED_VECTORS, query_sample
from saitei.index.classifier import save_classifier
from saitei.index.encoder import DEFAULT_ENCODER, EncoderError, load_encoder
from saitei.index.entries import Entry, Passage, make_entries, passages
from saitei.index.features import FEATURES, NEAREST, RIVALS, WEIGHED
from saitei.index.lessons import make_course
from saitei.index.lexical import plain_words, terms
from saitei.index.ranker import Settings, load_ranker, save_ranker
from saitei.index.store import file_hash
from saitei.index.vectors import Progress, VectorCache, text_key
from saitei.ingest.asked import AskedQuestions, load_asked
from saitei.ingest.catalog import load_catalog
from saitei.ingest.documents import known_documents, packaged_rulings
from saitei.ingest.kana import NAMES
from saitei.ingest.kana_dictionary import save_kana
from saitei.ingest.notes import load_notes
from saitei.ingest.principles import load_principles

WORK_CACHE = DATA.parent / "build" / "encoded.npz"


def packaged_entries(asked: AskedQuestions | None = None) -> list[Entry]:
    """Every entry of a knowledge base into which nothing was ingested; with other further
    questions than the packaged ones, if given."""
    rulings = [ruling for known in known_documents() for ruling in packaged_rulings(known)]
    notes = [note for _, note in load_notes()]
    answered = (load_asked() if asked is None else asked).answered
    return make_entries(rulings, notes, load_principles(), answered)


REST = " " * 12
"""Hides what stands behind a line that was longer."""


@dataclass(frozen=True)
class Inputs:
    """What the packaged models are made of."""

    entries: list[Entry]
    """With the questions of notes and principles alone: the query model is taught no others."""
    taught: list[Passage]
    asked: AskedQuestions
    found: list[Passage]
    """Every passage of a fresh knowledge base."""

    @classmethod
    def load(cls) -> "Inputs":
        catalog, asked = load_catalog(), load_asked()
        entries = packaged_entries(AskedQuestions())
        found = list(passages(packaged_entries(asked), catalog))
        return cls(entries, list(passages(entries, catalog)), asked, found)

    @property
    def heard(self) -> list[str]:
        """The further questions, answered or not."""
        answered = [text for texts in self.asked.answered.values() for text in texts]
        return [*answered, *(question.text for question in self.asked.unanswered)]

    @property
    def said(self) -> list[str]:
        """Our own Japanese texts: what is asked and what is answered."""
        notes = [entry.note for entry in self.entries if entry.note]
        asked = [text for note in notes for text in note.questions.ja]
        answers = [text for note in notes for text in (note.answer, note.because)]
        return [
            *asked,
            *answers,
            *(text for texts in self.asked.answered.values() for text in texts),
        ]

    def kana_digest(self) -> str:
        """A hash over the texts whose words are in the kana dictionary, and of its table of names,
        which is made again to be compared."""
        digest = hashlib.sha256("\n".join(self.said).encode())
        digest.update(file_hash(NAMES).encode())
        return digest.hexdigest()[:16]

    def ranker_digest(self) -> str:
        """A hash over what the classifier and the ranker are fitted on: the query model, texts,
        what answers what, and the named constants of measuring and fitting. Not in it: the code
        that does so with the numbers that stand in it, and the names of cards that it reads by."""
        from saitei.index import classifier_training, ranker_training, rehearsal

        measured = (FEATURES, WEIGHED, NEAREST, RIVALS, REDUCED, SAMPLED)
        fitted = (rehearsal.CONSTANTS, classifier_training.CONSTANTS, ranker_training.CONSTANTS)
        digest = hashlib.sha256(repr((measured, fitted)).encode())
        digest.update(file_hash(MODEL / "model.safetensors").encode())
        for entry in self.entries:
            digest.update(repr(entry.principle.instances if entry.principle else ()).encode())
        for passage in self.found:
            digest.update(f"{passage.entry}\t{passage.kind}\t{passage.text}\n".encode())
        for question in self.asked.unanswered:
            digest.update(f"{question.about}\t{question.text}\n".encode())
        return digest.hexdigest()[:16]

    def digest(self) -> str:
        """A hash over the passages taught, their terms, the words of further questions, principles
        and the constants of training. Not in it, though it too decides: the training's own code,
        and the card names that stand in for others."""
        constants = (distil.SEED, distil.EPOCHS, distil.BATCH, distil.RATE, distil.TEMPERATURE)
        digest = hashlib.sha256(repr((constants, distil.DROPPED)).encode())
        for passage in self.taught:
            digest.update(f"{passage.entry}\t{passage.kind}\t{passage.text}\n".encode())
            digest.update(" ".join(terms(passage.text)).encode())
        for text in self.heard:
            digest.update(" ".join(plain_words(terms(text))).encode())
        for entry in self.entries:
            digest.update(repr(entry.note.principles if entry.note else ()).encode())
        return digest.hexdigest()[:16]


def package() -> None:
    """Make the kana dictionary; encode what is new and drop what is gone; train the query model,
    then the classifier and the ranker."""
    encoder = load_encoder(DEFAULT_ENCODER)
    inputs = Inputs.load()
    save_kana(load_catalog(), inputs.said)
    cache = VectorCache.load(WORK_CACHE, encoder.identity)
    cache.update(VectorCache.load(PACKAGED_VECTORS, encoder.identity))
    texts = [passage.text for passage in inputs.found]
    texts += [question.text for question in inputs.asked.unanswered]
    sample = query_sample(inputs.found)
    cache.encode(encoder, "document", texts, _shown("texts"))
    cache.encode(encoder, "query", sample)
    print("\nwords and questions", file=sys.stderr)
    course = make_course(
        inputs.entries, inputs.taught, load_catalog(), encoder, cache, inputs.heard
    )
    WORK_CACHE.parent.mkdir(exist_ok=True)
    cache.save(WORK_CACHE)
    keys = [text_key("document", text) for text in texts]
    cache.save(PACKAGED_VECTORS, [*keys, *(text_key("query", text) for text in sample)])
    print(f"query model: {len(course.lessons)} lessons", file=sys.stderr)
    vectors = distil.train(course.vocabulary, course.start, course.passages, course.lessons)
    distil.save(course.vocabulary, vectors, MODEL)
    files = sorted(path for path in MODEL.rglob("*") if path.is_file())
    manifest = {
        "encoder": encoder.identity,
        "inputs": inputs.digest(),
        "kana": inputs.kana_digest(),
        "files": {path.relative_to(MODEL).as_posix(): file_hash(path) for path in files},
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    package_ranker(inputs)


def package_ranker(inputs: Inputs) -> None:
    """Fit the ranker for the packaged query model, and the classifier that goes with it. Thresholds
    are set by ``benchmarks/calibrate.py``; until then those before stand, or one half."""
    # torch takes seconds to import, and only making the models needs it.
    from saitei.index import classifier_training
    from saitei.index.ranker_training import fit
    from saitei.index.rehearsal import Example, Subject, rehearse

    packaged_bag.cache_clear()
    bag = packaged_bag()
    if bag is None:
        raise EncoderError(f"{MODEL}: no query model to read words by")
    rulings = [ruling for known in known_documents() for ruling in packaged_rulings(known)]
    subject = Subject(
        rulings, [note for _, note in load_notes()], load_principles(), inputs.asked, load_catalog()
    )
    read = classifier_training.terms_by(subject.catalog)
    examples: list[Example] = []
    for example in rehearse(subject, read, _shown("rounds of a classifier")):
        examples.append(example)
        if len(examples) % 100 == 0:
            print(f"\r{len(examples)} rehearsed", end=REST, file=sys.stderr, flush=True)
    print(file=sys.stderr)
    try:
        before = load_ranker(bag).settings
    except EncoderError:
        before = Settings(threshold=0.5, principle=0.5, inputs="")
    digest = inputs.ranker_digest()
    weights = fit(examples, bag, progress=_shown("batches of the ranker"))
    save_ranker(weights, before.model_copy(update={"inputs": digest}))
    taught = classifier_training.lessons(subject.notes, subject.principles, subject.asked, read)
    rounds = _shown("rounds of the classifier")
    save_classifier(classifier_training.fit(taught, digest, progress=rounds))


def _shown(what: str) -> Progress:
    """Shows on standard error how much of ``what`` is done, in one line."""

    def progress(done: int, total: int) -> None:
        print(f"\r{done}/{total} {what}", end=REST, file=sys.stderr, flush=True)

    return progress


if __name__ == "__main__":
    package()
