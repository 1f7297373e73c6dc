import type { ManifestEntry } from "./entries.ts";
import { factualityFile as file } from "./factuality_file.ts";

const STUDY = "`deno task train --study`";
const ELSEWHERE = "rows of the human-labelled sets are no part of this project; aggregates only";
const ACCURACY = {
  n: "claims measured on, never learnt from",
  clusters: "countries or responses that they are of",
  balanced_accuracy: "mean recall over the labels, 0–1",
  low: "lower end of the 95 % interval, bootstrap by country or response",
  high: "upper end",
};
const DIFFERENCE = (to: string) => ({
  difference: `of balanced accuracy, to ${to}, on the same resamples`,
  difference_low: "lower end of the 95 % interval",
  difference_high: "upper end",
});
const READING = { reading: "three-way, or binary: supported or not" };

/** What notebook 45 reads. */
export const FACTUALITY_TRAINING_ENTRIES: readonly ManifestEntry[] = [
  file("learning_curve.csv", `${STUDY}: heads trained on more and more countries`, {
    features: "what the head reads: readable features, sentence vectors of frozen MiniLM, or both",
    head: "logistic, or a network with 32 hidden units",
    share: "of the training countries, 0–1",
    countries: "trained on",
    claims: "about them; in the mean of the seeds, where it is their mean",
    seed: "which countries and first weights, or mean: of the five seeds",
    ...READING,
    ...ACCURACY,
  }),
  file("verifier_ablation.csv", `${STUDY}: the verifier's training with some of its features`, {
    model:
      "all features; without a group; a group alone; claim alone: the claim's words, no source",
    group: "of features; for claim alone, whether opinions are among the claims",
    ...READING,
    ...ACCURACY,
    ...DIFFERENCE("all features"),
  }),
  file("domain_training.csv", `${STUDY}: training on texts of one's own kind; ${ELSEWHERE}`, {
    features: "as in `learning_curve.csv`",
    head: "as in `learning_curve.csv`",
    trained_on:
      "claims of the knowledge base, half of every set, the other sets, or base and halves",
    set: "what is measured on",
    ...ACCURACY,
    ...DIFFERENCE("the head trained on claims of the knowledge base"),
  }),
  file("fine_tuning_loss.csv", "`deno task finetune`: loss by step of each network", {
    model: "as in `fine_tuning_results.csv`",
    step: "batches seen",
    steps: "batches of the whole training",
    split: "train: one batch; development: all of it",
    loss: "cross-entropy in nats, each label weighted the same",
    accuracy: "share of right answers, 0–1; empty for a batch",
  }),
  file("fine_tuning_results.csv", `\`deno task finetune\`: before and after; ${ELSEWHERE}`, {
    model: "fine-tuned, its encoder frozen, claims alone, or trained head: the verifier that ships",
    set: "what is measured on; training: what it took",
    labels: "three-way or binary; empty for what has none",
    metric: "with its unit where it is no share",
    n: "claims with a score, or what the note says",
    clusters: "countries or responses that they are of",
    estimate: "empty where it cannot be had",
    low: "lower end of the 95 % interval, bootstrap by cluster; empty where there is none",
    high: "upper end",
    note: "what was left out, or where the figure is from",
  }),
];
