"""Logits of a fine-tuned cross-encoder, for comparison: finetune_predict.py MODEL WEIGHTS PAIRS COUNT

MODEL holds config.json and model.safetensors, WEIGHTS is what finetune_train.py kept. Prints for each of
the first COUNT rows of PAIRS {"plain": [...], "rounded": [...]}: in float32, one row at a time, and the
same with GELU's argument and value rounded to 16 bits, as llama.cpp's table of GELU has them.
"""

import json
import sys

import torch
from safetensors.torch import load_file
from torch import nn

from finetune_model import padded, pretrained, read_pairs


class RoundedGelu(nn.Module):
    def forward(self, values):
        rounded = values.half().float()
        return nn.functional.gelu(rounded, approximate="tanh").half().float()


def logits_of(model, rows):
    with torch.inference_mode():
        return [model(*padded([row]))[0].tolist() for row in rows]


def main():
    folder, weights, pairs, count = sys.argv[1:]
    torch.set_num_threads(1)
    model = pretrained(folder, dropout=0.0)
    model.load_state_dict(load_file(weights))
    model.eval()
    rows = read_pairs(pairs)[: int(count)]
    plain = logits_of(model, rows)
    for layer in model.bert.encoder.layer:
        layer.intermediate.intermediate_act_fn = RoundedGelu()
    for one, other in zip(plain, logits_of(model, rows)):
        print(json.dumps({"plain": one, "rounded": other}))


main()
