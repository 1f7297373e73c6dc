"""Trains MiniLM as a cross-encoder, or only a head on it: finetune_train.py SETTINGS.json THREADS

Prints a JSON object a line as it goes. Ctrl-C keeps a checkpoint, and a further run goes on from it.
"""

import json
import os
import random
import signal
import sys
import time

# Waiting threads sleep: a machine has other work.
os.environ["OMP_WAIT_POLICY"] = "passive"

import torch
from safetensors.torch import save_file
from torch.nn import functional

from finetune_model import batches_of, by_length, padded, pretrained, read_pairs

INCOMPLETE = 3
CHECKPOINT_SECONDS = 120
SPLITS = ("train", "development")
PROGRESS = ("step", "best", "worse", "log", "seconds")


class Data:
    """One split's rows and the inputs of a batch: tokens, or vectors of a frozen network."""

    def __init__(self, rows, model, settings):
        self.rows = rows
        self.labels = torch.tensor([row["label"] for row in rows])
        self.vectors = frozen_vectors(model, rows) if settings["frozen"] else None

    def logits(self, model, batch):
        if self.vectors is not None:
            return model.head(self.vectors[batch])
        return model(*padded([self.rows[index] for index in batch]))


def frozen_vectors(model, rows):
    model.eval()
    vectors = torch.zeros(len(rows), model.dense.in_features)
    with torch.inference_mode():
        for batch in by_length(rows, 64):
            vectors[batch] = model.first_vectors(*padded([rows[index] for index in batch]))
    return vectors


def statement_of(row):
    """`fr/p3` of `fr/p3/refuted`: the claims and sources made out of one statement."""
    return "/".join(row["id"].split("/")[:2])


def epoch_batches(rows, settings, epoch):
    """Batches of whole statements in an order that only seed and epoch decide.

    What a statement's claims differ in is what makes their labels differ: side by side they say more.
    """
    draw = random.Random(f"{settings['seed']}/{epoch}")
    groups = {}
    for index, row in enumerate(rows):
        groups.setdefault(statement_of(row), []).append(index)
    order = list(groups.values())
    draw.shuffle(order)
    return batches_of([index for group in order for index in group], settings["batch"])


def class_weights(labels):
    """n / (classes · n of the class): each class counts the same."""
    counts = torch.bincount(labels, minlength=3).float()
    return len(labels) / (3 * counts)


def optimiser_of(model, settings):
    """AdamW; the new head learns faster than the network, whose weights are nearly right.

    Word vectors stay: those of words that no training claim has must fit the others.
    """
    fixed = "bert." if settings["frozen"] else "bert.embeddings."
    groups = {}
    for name, parameter in model.named_parameters():
        if name.startswith(fixed):
            parameter.requires_grad_(False)
            continue
        rate = settings["learningRate"] * (1 if name.startswith("bert.") else settings["headFactor"])
        decay = settings["weightDecay"] if parameter.ndim > 1 else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": parameters, "lr": rate, "full_rate": rate, "weight_decay": decay}
            for (rate, decay), parameters in groups.items()
        ]
    )


def rate_at(step, steps, settings):
    """Linear warm-up, then linear decay to 0."""
    warm = max(1, round(settings["warmUp"] * steps))
    return min((step + 1) / warm, (steps - step) / max(1, steps - warm))


def measured(model, data, weights):
    """Weighted loss and share of right answers on a split, in float32."""
    model.eval()
    loss = right = weight = 0.0
    with torch.inference_mode():
        for batch in by_length(data.rows, 64):
            logits, labels = data.logits(model, batch), data.labels[batch]
            loss += functional.cross_entropy(logits, labels, weights, reduction="sum").item()
            weight += weights[labels].sum().item()
            right += (logits.argmax(1) == labels).sum().item()
    return {"development_loss": loss / weight, "development_accuracy": right / len(data.rows)}


def clocks():
    """Seconds by the wall and of this process on all cores: on a busy machine the first says little."""
    return {"wall": time.monotonic(), "processor": time.process_time()}


class Run:
    """What is kept between two Ctrl-Cs."""

    def __init__(self, settings):
        self.settings = settings
        torch.manual_seed(settings["seed"])
        self.model = pretrained(settings["model"], settings["dropout"])
        self.optimiser = optimiser_of(self.model, settings)
        self.step, self.best, self.worse, self.log = 0, float("inf"), 0, []
        self.seconds = {"wall": 0.0, "processor": 0.0}
        self.path = os.path.join(settings["out"], "checkpoint.pt")
        if os.path.exists(self.path):
            self.restore()

    def restore(self):
        state = torch.load(self.path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"])
        for name in PROGRESS:
            setattr(self, name, state[name])

    def keep(self):
        own = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}
        progress = {name: getattr(self, name) for name in PROGRESS}
        state = {**own, "random": torch.get_rng_state(), **progress}
        torch.save(state, f"{self.path}.tmp")
        os.replace(f"{self.path}.tmp", self.path)

    def keep_best(self):
        path = os.path.join(self.settings["out"], "best.safetensors")
        save_file(self.model.state_dict(), f"{path}.tmp")
        os.replace(f"{path}.tmp", path)

    def tell(self, row):
        self.log.append(row)
        print(json.dumps(row), flush=True)

    def train_step(self, data, batch, weights, steps):
        self.model.train()
        for group in self.optimiser.param_groups:
            group["lr"] = group["full_rate"] * rate_at(self.step, steps, self.settings)
        # In float32: bfloat16 was measured slower on one thread (3.1 s of processor time a step, not 2.1).
        logits = data.logits(self.model, batch)
        loss = functional.cross_entropy(logits, data.labels[batch], weights)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        return loss.item()

    def evaluate(self, data, weights):
        found = measured(self.model, data, weights)
        self.tell({"step": self.step, **found})
        if found["development_loss"] < self.best:
            self.best, self.worse = found["development_loss"], 0
            self.keep_best()
        else:
            self.worse += 1


def train(run, stopped):
    settings = run.settings
    rows = read_pairs(settings["pairs"])
    split = {name: [row for row in rows if row["split"] == name] for name in SPLITS}
    split["development"] = split["development"][:: settings["developmentEvery"]]
    data = {name: Data(split[name], run.model, settings) for name in SPLITS}
    weights = class_weights(data["train"].labels)
    per_epoch = len(epoch_batches(data["train"].rows, settings, 0))
    steps = per_epoch * settings["epochs"]
    if run.step == 0:
        run.evaluate(data["development"], weights)
    before, began, saved = run.seconds, clocks(), time.monotonic()
    while run.step < steps and run.worse < settings["patience"]:
        batches = epoch_batches(data["train"].rows, settings, run.step // per_epoch)
        loss = run.train_step(data["train"], batches[run.step % per_epoch], weights, steps)
        run.tell({"step": run.step, "steps": steps, "loss": loss})
        if run.step % settings["evaluateEvery"] == 0 or run.step == steps:
            run.evaluate(data["development"], weights)
        run.seconds = {name: before[name] + now - began[name] for name, now in clocks().items()}
        if stopped() or time.monotonic() - saved > CHECKPOINT_SECONDS:
            run.keep()
            saved = time.monotonic()
        if stopped():
            return INCOMPLETE
    run.keep()
    return 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    os.makedirs(settings["out"], exist_ok=True)
    torch.set_num_threads(int(sys.argv[2]))
    interrupts = []
    signal.signal(signal.SIGINT, lambda *_: interrupts.append(1))
    run = Run(settings)
    code = train(run, lambda: bool(interrupts))
    if code == 0:
        done = {"seconds": run.seconds, "best": run.best, "log": run.log}
        path = os.path.join(settings["out"], "done.json")
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(done, file)
        os.replace(path + ".tmp", path)
    sys.exit(code)


main()
