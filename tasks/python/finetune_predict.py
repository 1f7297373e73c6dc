"""Logits of a fine-tuned cross-encoder, for comparison: finetune_predict.py MODEL WEIGHTS PAIRS COUNT

MODEL holds config.json and model.safetensors, WEIGHTS is what finetune_train.py kept. Prints a JSON
list of logits for each of the first COUNT rows of PAIRS, in float32 and one row at a time.
"""

import json
import sys

import torch
from safetensors.torch import load_file

from finetune_model import padded, pretrained, read_pairs


def main():
    folder, weights, pairs, count = sys.argv[1:]
    torch.set_num_threads(1)
    model = pretrained(folder, dropout=0.0)
    model.load_state_dict(load_file(weights))
    model.eval()
    with torch.inference_mode():
        for row in read_pairs(pairs)[: int(count)]:
            print(json.dumps(model(*padded([row]))[0].tolist()))


main()
