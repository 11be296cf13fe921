"""Run by a Python that has trl and datasets: `accepts.py FOLDER` loads an export as a trainer would, and trains a step.

Prints one line a check. Nothing is downloaded: the model is a tiny one with random weights, its tokenizer made here.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from pathlib import Path

os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "CUDA_VISIBLE_DEVICES": "",
}

from datasets import load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer
from trl.data_utils import is_conversational

TEMPLATE = (
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def tokenizer():
    """Bytes as tokens."""
    specials = ["<pad>", "</s>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {word: number for number, word in enumerate([*specials, *letters])}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="</s>", chat_template=TEMPLATE, model_max_length=4096
    )


def model(words):
    """A model of one layer with random weights."""
    return GPT2LMHeadModel(GPT2Config(vocab_size=words, n_positions=4096, n_embd=8, n_layer=1, n_head=1))


def settings(kind, folder):
    return kind(
        output_dir=folder,
        max_steps=1,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        max_length=2048,
        bf16=False,
    )


def train(trainer, config, data):
    reader = tokenizer()
    with tempfile.TemporaryDirectory() as scratch:
        model(len(reader)).save_pretrained(scratch)
        made = trainer(scratch, args=settings(config, scratch), train_dataset=data, processing_class=reader)
        loss = made.train().training_loss
    assert math.isfinite(loss)
    return loss


def kto():
    """TRL keeps its unpaired trainer in one of two places."""
    try:
        from trl import KTOConfig, KTOTrainer
    except ImportError:
        from trl.experimental.kto import KTOConfig, KTOTrainer
    return KTOTrainer, KTOConfig


def main(folder):
    for name in ("labels", "preference", "unpaired-preference", "files"):
        if not (folder / f"{name}.parquet").exists():
            continue
        by_card = load_dataset(str(folder), name, split="train")
        for kind, ending in (("json", "jsonl"), ("parquet", "parquet")):
            data = load_dataset(kind, data_files=str(folder / f"{name}.{ending}"), split="train")
            assert data.num_rows == by_card.num_rows > 0
            assert data.to_list() == by_card.to_list()
        print(f"datasets: {name}: {by_card.num_rows} rows, {', '.join(by_card.column_names)}")
    pairs = load_dataset("parquet", data_files=str(folder / "preference.parquet"), split="train")
    singles = load_dataset("parquet", data_files=str(folder / "unpaired-preference.parquet"), split="train")
    assert is_conversational(pairs[0])
    assert is_conversational(singles[0])
    print(f"trl: DPOTrainer: a step, loss {train(DPOTrainer, DPOConfig, pairs):.3f}")
    print(f"trl: KTOTrainer: a step, loss {train(*kto(), singles):.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
