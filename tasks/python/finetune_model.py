"""MiniLM as a cross-encoder: its own network, and a head that llama.cpp knows as `cls`."""

import json
from array import array

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import BertConfig, BertModel

LABELS = 3
# The label of rows whose set does not tell refuted from not enough info.
NOT_SUPPORTED = 3
device = "cuda" if torch.cuda.is_available() else "cpu"


class CrossEncoder(nn.Module):
    """Pairs of texts to logits of supported, refuted, not enough info."""

    def __init__(self, config: BertConfig, dropout: float):
        super().__init__()
        self.bert = BertModel(config, add_pooling_layer=False)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(config.hidden_size, LABELS)
        for layer in (self.dense, self.output):
            nn.init.normal_(layer.weight, std=config.initializer_range)
            nn.init.zeros_(layer.bias)

    def first_vectors(self, ids, mask):
        """The last layer's vectors of [CLS]. llama.cpp knows one token type, so all are of type 0."""
        return self.bert(input_ids=ids, attention_mask=mask).last_hidden_state[:, 0]

    def head(self, vectors):
        return self.output(self.dropout(torch.tanh(self.dense(vectors))))

    def forward(self, ids, mask):
        return self.head(self.first_vectors(ids, mask))


def pretrained(folder: str, dropout: float, start: str | None = None) -> CrossEncoder:
    """The published weights under a new head, or what an earlier training made of both.

    GELU by tanh, as llama.cpp computes it.

    Dropout is the head's alone: within the network it costs a third of the time on a processor, and
    keeping the weights of the best development loss does without it.
    """
    config = BertConfig.from_pretrained(
        folder,
        hidden_act="gelu_pytorch_tanh",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = CrossEncoder(config, dropout)
    weights = load_file(f"{folder}/model.safetensors")
    own = {name: tensor for name, tensor in weights.items() if not name.startswith("pooler.")}
    missing, _ = model.bert.load_state_dict(own, strict=False)
    if missing:
        raise ValueError(f"Cannot fine-tune {folder}: it lacks {', '.join(missing)}")
    if start is not None:
        model.load_state_dict(load_file(start), strict=False)
    return model


def read_pairs(path: str, rates: dict[str, float]) -> dict[str, list[dict]]:
    """Returns by split the rows of `id`, `source`, `label` (a number), `ids` (tokens) and `rate`, which is 1 by default."""
    rows = {"train": [], "development": []}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            row["ids"] = array("H", row["ids"])
            row["rate"] = rates.get(row["source"], 1.0)
            rows[row["split"]].append(row)
    return rows


def padded(rows: list[dict]):
    """Tokens filled up with 0 to the longest, and where the real ones are."""
    longest = max(len(row["ids"]) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest, dtype=torch.long)
    for index, row in enumerate(rows):
        ids[index, : len(row["ids"])] = torch.tensor(list(row["ids"]))
        mask[index, : len(row["ids"])] = 1
    return ids.to(device), mask.to(device)


def by_length(rows: list[dict], size: int) -> list[list[int]]:
    """Indexes of rows in batches of neighbours in length, so that little is padding."""
    order = sorted(range(len(rows)), key=lambda index: (len(rows[index]["ids"]), index))
    return batches_of(order, size)


def batches_of(order: list[int], size: int) -> list[list[int]]:
    return [order[begin : begin + size] for begin in range(0, len(order), size)]
