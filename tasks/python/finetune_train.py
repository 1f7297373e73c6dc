"""Trains MiniLM as a cross-encoder on pairs of tokens: finetune_train.py SETTINGS.json THREADS

Prints a JSON object a line as it goes. Ctrl-C keeps a checkpoint, and a further run goes on from it.
A GPU is used where PyTorch finds one.
"""

import json
import os
import random
import signal
import sys
import time


import torch
from safetensors.torch import save_file
from torch.nn import functional

from finetune_model import NOT_SUPPORTED, batches_of, by_length, device, padded, pretrained, read_pairs

INCOMPLETE = 3
CHECKPOINT_SECONDS = 120
PROGRESS = ("step", "best", "log", "seconds", "average")
# Number of batches drawn at a time and sorted by length: little padding, and the order stays random.
BUCKET_BATCHES = 64


def drawn(rows, draw):
    """Each row as often as its rate says: 2.3 is twice, and a third time for three in ten."""
    order = []
    for index, row in enumerate(rows):
        whole = int(row["rate"])
        order += [index] * (whole + (draw.random() < row["rate"] - whole))
    draw.shuffle(order)
    return order


def epoch_batches(rows, settings, epoch):
    """Batches of rows of much the same length, in an order that only seed and epoch decide."""
    draw = random.Random(f"{settings['seed']}/{epoch}")
    batches = []
    for part in batches_of(drawn(rows, draw), settings["batch"] * BUCKET_BATCHES):
        part.sort(key=lambda index: len(rows[index]["ids"]))
        batches += batches_of(part, settings["batch"])
    draw.shuffle(batches)
    return batches


def losses(logits, labels):
    """A row's negative log-likelihood; of "not supported" that of refuted and not enough info together."""
    logs = functional.log_softmax(logits, dim=1)
    rest = torch.logsumexp(logs[:, 1:], dim=1)
    known = logs.gather(1, labels.clamp(max=NOT_SUPPORTED - 1).unsqueeze(1)).squeeze(1)
    return -torch.where(labels == NOT_SUPPORTED, rest, known)


def optimiser_of(model, settings):
    """AdamW; the new head learns faster than the network, whose weights are nearly right.

    Word vectors stay as published: those of words that no training claim has must fit the others, and
    only what is above them need be shipped.
    """
    groups = {}
    for name, parameter in model.named_parameters():
        if name.startswith("bert.embeddings."):
            parameter.requires_grad_(False)
            continue
        rate = settings["learningRate"] * (1 if name.startswith("bert.") else settings["headFactor"])
        decay = settings["weightDecay"] if parameter.ndim > 1 else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": parameters, "lr": rate, "full_rate": rate, "weight_decay": decay}
            for (rate, decay), parameters in groups.items()
        ],
        fused=True,
    )


def rate_at(step, steps, settings):
    """Linear warm-up, then linear decay to 0."""
    warm = max(1, round(settings["warmUp"] * steps))
    return min((step + 1) / warm, (steps - step) / max(1, steps - warm))


def measured(model, rows):
    """Loss on the development rows, and the mean over sources of balanced accuracy: supported or not."""
    model.eval()
    loss, right = 0.0, {}
    with torch.inference_mode():
        for batch in by_length(rows, 64):
            logits = model(*padded([rows[index] for index in batch]))
            labels = torch.tensor([rows[index]["label"] for index in batch], device=device)
            loss += losses(logits, labels).sum().item()
            accepted = functional.softmax(logits, dim=1)[:, 0] >= 0.5
            for index, one in zip(batch, (accepted == (labels == 0)).tolist()):
                row = rows[index]
                found = right.setdefault((row["source"], row["label"] == 0), [0, 0])
                found[0] += one
                found[1] += 1
    sources = {source for source, _ in right}
    both = [s for s in sources if (s, True) in right and (s, False) in right]
    share = lambda key: right[key][0] / right[key][1]
    accuracy = sum((share((s, True)) + share((s, False))) / 2 for s in both) / max(1, len(both))
    return {"development_loss": loss / len(rows), "development_accuracy": accuracy}


def clocks():
    """Seconds by the wall and of this process on all cores: on a busy machine the first says little."""
    return {"wall": time.monotonic(), "processor": time.process_time()}


class Run:
    """State kept between two Ctrl-Cs."""

    def __init__(self, settings):
        self.settings = settings
        torch.manual_seed(settings["seed"])
        self.model = pretrained(settings["model"], settings["dropout"], settings.get("start")).to(device)
        self.optimiser = optimiser_of(self.model, settings)
        self.step, self.best, self.log = 0, float("inf"), []
        self.seconds = {"wall": 0.0, "processor": 0.0}
        self.average = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.path = os.path.join(settings["out"], "checkpoint.pt")
        if os.path.exists(self.path):
            self.restore()

    def restore(self):
        state = torch.load(self.path, weights_only=True, map_location=device)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"].cpu())
        torch.cuda.set_rng_state_all([one.cpu() for one in state["cuda"]])
        for name in PROGRESS:
            setattr(self, name, state[name])

    def keep(self):
        own = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}
        progress = {name: getattr(self, name) for name in PROGRESS}
        random_states = {"random": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state_all()}
        state = {**own, **random_states, **progress}
        torch.save(state, f"{self.path}.tmp")
        os.replace(f"{self.path}.tmp", self.path)

    def keep_best(self):
        path = os.path.join(self.settings["out"], "best.safetensors")
        save_file({name: value.cpu() for name, value in self.average.items()}, f"{path}.tmp")
        os.replace(f"{path}.tmp", path)

    def tell(self, row):
        self.log.append(row)
        print(json.dumps(row), flush=True)

    def train_step(self, rows, batch, steps):
        self.model.train()
        for group in self.optimiser.param_groups:
            group["lr"] = group["full_rate"] * rate_at(self.step, steps, self.settings)
        # In float32: bfloat16 was measured slower on processors (1.0 s, not 0.45 s, for 32 × 48 tokens).
        logits = self.model(*padded([rows[index] for index in batch]))
        labels = torch.tensor([rows[index]["label"] for index in batch], device=device)
        loss = losses(logits, labels).mean()
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        # What is kept is the mean of late weights: steadier than the last step's.
        share = 1 - min(self.settings["averaging"], self.step / (self.step + 10))
        with torch.no_grad():
            for name, value in self.model.state_dict().items():
                self.average[name].lerp_(value, share)
        return loss.item()

    def evaluate(self, rows):
        """Measures rows with the averaged weights, then restores the current ones."""
        own = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(self.average)
        found = measured(self.model, rows)
        self.model.load_state_dict(own)
        self.tell({"step": self.step, **found})
        if found["development_loss"] < self.best:
            self.best = found["development_loss"]
            self.keep_best()


def train(run, stopped):
    settings = run.settings
    split = read_pairs(settings["pairs"], settings["rates"])
    steps = settings["steps"] or settings["epochs"] * len(epoch_batches(split["train"], settings, 0))
    before, began, saved = run.seconds, clocks(), time.monotonic()
    epoch, batches, first = -1, [], 0
    while run.step < steps:
        while run.step >= first + len(batches):
            first, epoch = first + len(batches), epoch + 1
            batches = epoch_batches(split["train"], settings, epoch)
        loss = run.train_step(split["train"], batches[run.step - first], steps)
        run.tell({"step": run.step, "steps": steps, "loss": round(loss, 4)})
        if run.step % settings["evaluateEvery"] == 0 or run.step == steps:
            run.evaluate(split["development"])
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
        done = {"seconds": run.seconds, "log": run.log}
        path = os.path.join(settings["out"], "done.json")
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(done, file)
        os.replace(path + ".tmp", path)
    sys.exit(code)


main()
