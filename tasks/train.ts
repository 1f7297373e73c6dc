/**
 * Trains verifiers, calibrates judges: `deno task train NAME [options]`.
 *
 *     deno task train verifier                 the one that ships, on claims made of the factbook
 *     deno task train head --cases mine.csv    a head of your own on labelled claims
 *     deno task train network                  MiniLM's own weights, with PyTorch
 *     deno task train judges                   how far the judges in this process can be trusted
 *     deno task train tables                   learning curve and ablations of notebook 45
 */
import { group, run } from "./command.ts";

const TRAIN = group("train", "Verifiers of this project and of your own", {
  verifier: [
    "the verifier that ships, on claims made of the factbook",
    async () => (await import("./train/verifier.ts")).TASK,
  ],
  head: [
    "a head of your own on labelled claims",
    async () => (await import("./train/head.ts")).TASK,
  ],
  network: [
    "MiniLM's own weights as a cross-encoder, with PyTorch",
    async () => (await import("./train/network.ts")).TASK,
  ],
  judges: [
    "the scaling and accuracy of judges, and PMI's threshold",
    async () => (await import("./train/judges.ts")).TASK,
  ],
  tables: [
    "learning curve, ablation and training on others' texts",
    async () => (await import("./train/tables.ts")).TASK,
  ],
});

if (import.meta.main) await run(TRAIN);
