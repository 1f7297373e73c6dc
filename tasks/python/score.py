"""Scores texts with PyTorch, minicons and lm-eval on the weights of a GGUF file, and loads exports.

    python score.py FOLDER FILE THREADS [START_TOKEN]

Answers a line of JSON with a line of JSON. {"scores": [...], "milliseconds": t}, the time of scoring alone:
  {"kind": "torch", "sequences": [[start, token, ...], ...]}  log P(tokens after the first), in nats
  {"kind": "minicons", "texts": [...], "batch": n}            the same of whole texts, so many at once
  {"kind": "lm-eval", "texts": [...], "batch": n}             the same
Of a folder that `deno task study export` wrote (needs exports.txt):
  {"kind": "datasets", "folder": ...}                  {set: {split: rows}}
  {"kind": "croissant", "folder": ...}                 {"warnings": [...], "records": {record set: n}}
  {"kind": "task", "folder": ..., "task": ..., "limit": n or null}
                                                       {task: {"acc", "acc_bytes", "pairs": [[id, good, bad], ...]}}
START_TOKEN replaces the tokenizer's BOS, where the file names another than texts are conditioned on.
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
from minicons import scorer  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402


class Contestants:
    def __init__(self, folder, file, start_token):
        self.model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)
        self.model.eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
        if start_token:
            self.tokenizer.bos_token = start_token
        # Gemma's tokenizer adds its BOS by itself.
        self.adds_bos = self.tokenizer("x")["input_ids"][0] == self.tokenizer.bos_token_id
        self.minicons_scorer = scorer.IncrementalLMScorer(self.model, "cpu", tokenizer=self.tokenizer)
        self.harness = None

    @torch.inference_mode()
    def torch(self, sequences):
        def score(sequence):
            tokens = torch.tensor([sequence])
            logits = self.model(input_ids=tokens).logits[0, :-1].double()
            return logits.log_softmax(-1).gather(-1, tokens[0, 1:, None]).sum().item()

        return [score(sequence) for sequence in sequences]

    def minicons(self, texts, batch):
        score = self.minicons_scorer.sequence_score
        options = {"reduction": lambda x: x.sum(0).item(), "bos_token": not self.adds_bos}
        starts = range(0, len(texts), batch)
        return [one for at in starts for one in score(texts[at : at + batch], **options)]

    def lm_eval(self, batch):
        from lm_eval.models.huggingface import HFLM

        if self.harness is None or self.harness.batch_size != batch:
            bos = self.tokenizer.bos_token_id
            shared = {"pretrained": self.model, "tokenizer": self.tokenizer, "device": "cpu"}
            self.harness = HFLM(**shared, prefix_token_id=bos, batch_size=batch)
        return self.harness

    def lm_eval_scores(self, texts, batch):
        from lm_eval.api.instance import Instance

        requests = [Instance("loglikelihood", {}, ("", text), i) for i, text in enumerate(texts)]
        return [score for score, _ in self.lm_eval(batch).loglikelihood(requests, disable_tqdm=True)]

    def task(self, folder, task, limit):
        import lm_eval
        from lm_eval.tasks import TaskManager

        # The tasks name their folder from the one above it.
        os.chdir(os.path.dirname(folder))
        manager = TaskManager(include_path=folder, include_defaults=False)
        options = {"task_manager": manager, "limit": limit, "log_samples": True, "bootstrap_iters": 0}
        found = lm_eval.simple_evaluate(self.lm_eval(8), tasks=[task], **options)

        def pair(sample):
            return [sample["doc"]["pair_id"], *(score for score, _ in sample["filtered_resps"])]

        return {
            name: {
                "acc": found["results"][name]["acc,none"],
                "acc_bytes": found["results"][name]["acc_bytes,none"],
                "pairs": [pair(sample) for sample in samples],
            }
            for name, samples in found["samples"].items()
        }


def load_datasets(folder):
    import datasets

    def sizes(name):
        return {split: len(rows) for split, rows in datasets.load_dataset(folder, name).items()}

    return {name: sizes(name) for name in datasets.get_dataset_config_names(folder)}


def validate_croissant(folder):
    import mlcroissant

    # Raises where it does not validate, and on reading where a file's hash is another.
    dataset = mlcroissant.Dataset(jsonld=os.path.join(folder, "croissant.json"))
    names = [record_set.id for record_set in dataset.metadata.record_sets]
    records = {name: sum(1 for _ in dataset.records(name)) for name in names}
    return {"warnings": sorted(dataset.metadata.ctx.issues.warnings), "records": records}


def answer(contestants, kind, **request):
    if kind == "datasets":
        return load_datasets(**request)
    if kind == "croissant":
        return validate_croissant(**request)
    if kind == "task":
        return contestants.task(**request)
    score = getattr(contestants, {"lm-eval": "lm_eval_scores"}.get(kind, kind))
    begun = time.perf_counter()
    scores = score(**request)
    return {"scores": scores, "milliseconds": 1000 * (time.perf_counter() - begun)}


def main():
    folder, file, threads, *start_token = sys.argv[1:]
    torch.set_num_threads(int(threads))
    contestants = Contestants(os.path.abspath(folder), file, start_token[0] if start_token else None)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            answered = answer(contestants, **json.loads(line))
        print(json.dumps(answered), flush=True)


main()
