"""Scores texts with PyTorch and with minicons on the weights of a GGUF file, for comparison.

    python score.py FOLDER FILE THREADS [START_TOKEN]

Answers a line of JSON with {"scores": [...], "milliseconds": t}, the time of scoring alone:
  {"kind": "torch", "sequences": [[start, token, ...], ...]}  log P(tokens after the first), in nats
  {"kind": "minicons", "texts": ["...", "..."]}               the same by minicons, in one batch
START_TOKEN replaces the tokenizer's BOS, where the file names another than texts are conditioned on.
"""

import json
import logging
import os
import sys
import time
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
# Waiting threads sleep, so that they do not slow the other contestant down.
os.environ["OMP_WAIT_POLICY"] = "passive"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
from minicons import scorer  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402


def load(folder, file, start_token):
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)
    model.eval()
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
    if start_token:
        tokenizer.bos_token = start_token
    return model, tokenizer, scorer.IncrementalLMScorer(model, "cpu", tokenizer=tokenizer)


@torch.inference_mode()
def torch_score(model, sequence):
    tokens = torch.tensor([sequence])
    logits = model(input_ids=tokens).logits[0, :-1].double()
    chosen = logits.log_softmax(-1).gather(-1, tokens[0, 1:, None])
    return chosen.sum().item()


def answer(request, model, tokenizer, language_model):
    begun = time.perf_counter()
    if request["kind"] == "torch":
        scores = [torch_score(model, sequence) for sequence in request["sequences"]]
    else:
        # Gemma's tokenizer adds its BOS by itself.
        adds_bos = tokenizer("x")["input_ids"][0] == tokenizer.bos_token_id
        begun = time.perf_counter()
        scores = language_model.sequence_score(
            request["texts"], reduction=lambda x: x.sum(0).item(), bos_token=not adds_bos
        )
    return {"scores": scores, "milliseconds": 1000 * (time.perf_counter() - begun)}


def main():
    folder, file, threads, *start_token = sys.argv[1:]
    torch.set_num_threads(int(threads))
    loaded = load(folder, file, start_token[0] if start_token else None)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), *loaded)), flush=True)


main()
