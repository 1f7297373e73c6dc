"""References that our models are compared with: PyTorch, minicons and lm-eval on the same weights.

    python reference.py THREADS FOLDER FILE [START_TOKEN]   a language model in a GGUF file

Answers a line of JSON, {"kind": ..., ...}, with a line of JSON, its own "milliseconds" by the clock
and those of the "processor", all threads together:
  torch, sequences: [[start, token, ...], ...]  "scores": log P(tokens after the first), in nats
  minicons or lm_eval, texts: [...], batch: n   the same of whole texts, n at once
START_TOKEN replaces the tokenizer's BOS, where the file names another than texts are conditioned on.
lm_eval needs harnesses.txt.
"""

import contextlib
import json
import logging
import os
import sys
import tempfile
import time
import warnings

CACHE = tempfile.TemporaryDirectory()
os.environ["HF_HOME"] = CACHE.name
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
# Waiting threads sleep, so that they do not slow the other contestant down.
os.environ["OMP_WAIT_POLICY"] = "passive"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402


class Texts:
    def __init__(self, folder, file, start_token=None):
        from minicons import scorer
        from transformers import AutoModelForCausalLM, AutoTokenizer

        place = {"pretrained_model_name_or_path": os.path.abspath(folder), "gguf_file": file}
        self.model = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(**place)
        if start_token:
            self.tokenizer.bos_token = start_token
        # Gemma's tokenizer adds its BOS by itself.
        self.adds_bos = self.tokenizer("x")["input_ids"][0] == self.tokenizer.bos_token_id
        self.scorer = scorer.IncrementalLMScorer(self.model, "cpu", tokenizer=self.tokenizer)
        self.harnesses = {}

    def torch(self, sequences):
        def score(sequence):
            tokens = torch.tensor([sequence])
            logits = self.model(input_ids=tokens).logits[0, :-1].double()
            return logits.log_softmax(-1).gather(-1, tokens[0, 1:, None]).sum().item()

        return {"scores": [score(sequence) for sequence in sequences]}

    def minicons(self, texts, batch):
        options = {"reduction": lambda x: x.sum(0).item(), "bos_token": not self.adds_bos}
        batches = (texts[at : at + batch] for at in range(0, len(texts), batch))
        scored = (self.scorer.sequence_score(some, **options) for some in batches)
        return {"scores": [score for scores in scored for score in scores]}

    def harness(self, batch):
        from lm_eval.models.huggingface import HFLM

        if batch not in self.harnesses:
            model = {"pretrained": self.model, "tokenizer": self.tokenizer, "device": "cpu"}
            start = self.tokenizer.bos_token_id
            self.harnesses[batch] = HFLM(**model, prefix_token_id=start, batch_size=batch)
        return self.harnesses[batch]

    def lm_eval(self, texts, batch):
        from lm_eval.api.instance import Instance

        requests = [Instance("loglikelihood", {}, ("", text), i) for i, text in enumerate(texts)]
        found = self.harness(batch).loglikelihood(requests, disable_tqdm=True)
        return {"scores": [score for score, _ in found]}

@torch.inference_mode()
def answer(contestant, kind, **request):
    begun, busy = time.perf_counter(), time.process_time()
    answered = getattr(contestant, kind)(**request)
    wall, processor = time.perf_counter() - begun, time.process_time() - busy
    return {**answered, "milliseconds": 1000 * wall, "processor": 1000 * processor}


def main():
    threads, *place = sys.argv[1:]
    torch.set_num_threads(int(threads))
    contestant = Texts(*place)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            answered = answer(contestant, **json.loads(line))
        print(json.dumps(answered), flush=True)


main()
