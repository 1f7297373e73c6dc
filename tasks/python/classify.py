"""A fine-tuned cross-encoder by PyTorch, for comparison.

    python classify.py FOLDER WEIGHTS THREADS

FOLDER holds the published network, WEIGHTS what was trained of it. Reads one JSON request a line,
{"rows": [[token, ...], ...]}, special tokens included, and answers each with {"logits": [[...], ...],
"milliseconds": t}, all rows in one padded batch.
"""

import json
import os
import sys
import time

# Waiting threads sleep, so that they do not slow the other contestant down.
os.environ["OMP_WAIT_POLICY"] = "passive"

import torch  # noqa: E402

from finetune_model import padded, pretrained  # noqa: E402


def main():
    folder, weights, threads = sys.argv[1:]
    torch.set_num_threads(int(threads))
    model = pretrained(folder, 0.0, weights).eval()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        rows = [{"ids": ids} for ids in json.loads(line)["rows"]]
        begun = time.perf_counter()
        with torch.inference_mode():
            logits = model(*padded(rows))
        milliseconds = 1000 * (time.perf_counter() - begun)
        print(json.dumps({"logits": logits.tolist(), "milliseconds": milliseconds}), flush=True)


main()
