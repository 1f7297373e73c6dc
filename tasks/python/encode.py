"""Vectors of a sentence encoder by PyTorch, for comparison.

    python encode.py FOLDER THREADS

FOLDER holds config.json and model.safetensors. Reads one JSON request a line, {"rows": [[token, ...],
...]}, special tokens included, and answers each with {"sentences": [[component, ...], ...],
"milliseconds": t}: the mean of each row's tokens at unit length, all rows in one padded batch.
"""

import json
import os
import sys
import time
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
# Waiting threads sleep, so that they do not slow the other contestant down.
os.environ["OMP_WAIT_POLICY"] = "passive"
warnings.filterwarnings("ignore")

import torch  # noqa: E402
from transformers import BertModel  # noqa: E402


@torch.inference_mode()
def encode(model, rows):
    longest = max(len(row) for row in rows)
    tokens = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    last = model(input_ids=tokens, attention_mask=mask).last_hidden_state
    mean = (last * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
    return torch.nn.functional.normalize(mean, dim=1)


def main():
    folder, threads = sys.argv[1:]
    torch.set_num_threads(int(threads))
    model = BertModel.from_pretrained(folder, dtype=torch.float32, add_pooling_layer=False).eval()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        rows = json.loads(line)["rows"]
        begun = time.perf_counter()
        sentences = encode(model, rows)
        milliseconds = 1000 * (time.perf_counter() - begun)
        print(json.dumps({"sentences": sentences.tolist(), "milliseconds": milliseconds}), flush=True)


main()
