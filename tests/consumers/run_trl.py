"""TRL's own rollouts against a server of LaTeX OCR: `python run_trl.py URL SPLIT COUNT ANSWERS`.

Trainer, prompt with its picture, parsing of the tool call, the call and the reward are TRL's. The model is a tiny
Qwen2.5-VL of random weights that is made here, and what it says is said for it: a row of ANSWERS to each rollout.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2_5_VLProcessor,
    Qwen2VLImageProcessor,
)
from trl import GRPOConfig, GRPOTrainer

EXAMPLE = Path(__file__).parents[2] / "examples" / "latex_ocr_trl.py"
SPECIAL = (
    "<|endoftext|> <|im_start|> <|im_end|> <|vision_start|> <|vision_end|> <|image_pad|> <|video_pad|>"
    " <tool_call> </tool_call>".split()
)


def make_processor() -> Qwen2_5_VLProcessor:
    """A processor whose tokens are single bytes, with TRL's template of the next model of the family: it has tools."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({sign: number for number, sign in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")  # noqa: S106
    fast.add_special_tokens({"additional_special_tokens": SPECIAL[:-2]})
    fast.add_tokens(SPECIAL[-2:])
    template = (Path(trl.__file__).parent / "chat_templates" / "qwen3_vl.jinja").read_text("utf-8")
    images = Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=28 * 28 * 16)
    fast.chat_template = template
    from transformers import Qwen2VLVideoProcessor

    return Qwen2_5_VLProcessor(images, fast, Qwen2VLVideoProcessor(), chat_template=template)


def make_model(processor: Any) -> Any:
    """A model of a few thousand weights that knows the processor's tokens."""
    token = processor.tokenizer.convert_tokens_to_ids
    text = {"vocab_size": len(processor.tokenizer), "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    text |= {"num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 8192}
    text |= {"rope_parameters": {"rope_type": "default", "mrope_section": [2, 1, 1], "rope_theta": 10000.0}}
    vision = {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "out_hidden_size": 16}
    places = {"image_token_id": token("<|image_pad|>"), "video_token_id": token("<|video_pad|>")}
    places |= {"vision_start_token_id": token("<|vision_start|>"), "vision_end_token_id": token("<|vision_end|>")}
    config = Qwen2_5_VLConfig(text_config=text, vision_config=vision, **places)
    torch.manual_seed(0)
    return Qwen2_5_VLForConditionalGeneration(config)


class Told(GRPOTrainer):
    """TRL's trainer, whose model is told what to say: first the tool call of its rollout, then a last word."""

    said: list[str]
    prompts: list[str]

    def _generate_single_turn(self, prompt_ids: Any, *_words: Any, **_named: Any) -> Any:
        self.prompts += self._tokenizer.batch_decode(prompt_ids)
        texts = [self.said.pop(0) if self.said else "Done.<|im_end|>" for _ in prompt_ids]
        ids = [self._tokenizer(text)["input_ids"] for text in texts]
        return ids, None


def call(latex: str) -> str:
    """A tool call as the model would write it."""
    told = json.dumps({"name": "answer", "arguments": {"latex": latex}})
    return f"<tool_call>\n{told}\n</tool_call><|im_end|>"


def main(url: str, split: str, count: int, answers: list[str]) -> None:
    """Print what each rollout earned, by row, and whether its prompt had a picture."""
    os.environ["LATEX_OCR_URL"] = url
    example = runpy.run_path(str(EXAMPLE))
    rows = example["rows"](url, split)[:count]
    processor, group = make_processor(), len(answers) // count
    with tempfile.TemporaryDirectory() as scratch:
        options = GRPOConfig(
            output_dir=scratch,
            use_cpu=True,
            bf16=False,
            report_to=[],
            num_generations=group,
            per_device_train_batch_size=group * count,
            max_completion_length=400,
        )
        trainer = Told(
            model=make_model(processor),
            args=options,
            processing_class=processor,
            train_dataset=Dataset.from_list(rows),
            environment_factory=example["LatexOCR"],
            reward_funcs=[],
        )
        trainer.said, trainer.prompts = [call(answer) for answer in answers], []
        batch = [dict(row) for row in rows for _ in range(group)]
        trainer._generate_and_score_completions(batch)  # noqa: SLF001 - the rollout part, without a step
    rewards = [environment.get_reward() for environment in trainer.environments]
    print(json.dumps({"rewards": rewards, "pictures": sum("<|image_pad|>" in text for text in trainer.prompts)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4]))
