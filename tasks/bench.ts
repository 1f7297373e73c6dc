/** Measurements that belong to a machine, or hold ours against a named reference: `deno task bench NAME`. */
import { group, run } from "./command.ts";

const BENCH = group("bench", "Speed, agreement and reliability against named references", {
  speed: [
    "scoring overhead, and pairs against minicons",
    async () => (await import("./bench/scores.ts")).SPEED,
  ],
  load: [
    "what a hosted call costs, against a server on this machine",
    async () => (await import("./bench/load.ts")).TASK,
  ],
  workbook: [
    "a workbook of 300 × 12 read and written, against openpyxl",
    async () => (await import("./bench/workbook.ts")).TASK,
  ],
  page: [
    "the rating page in Chromium, with 300 sentences of 12 translations",
    async () => (await import("./bench/page.ts")).TASK,
  ],
  agreement: [
    "data/norse/pytorch_agreement.csv, 200 sentences a model",
    async () => (await import("./bench/scores.ts")).AGREEMENT,
  ],
  precision: [
    "data/norse/precision.csv, every pair a model",
    async () => (await import("./bench/scores.ts")).PRECISION,
  ],
  "8-bit": [
    "what 8-bit weights do to 200 sentences' scores",
    async () => (await import("./bench/scores.ts")).EIGHT_BIT,
  ],
  verifier: [
    "a claim against 300 words",
    async () => (await import("./bench/factuality.ts")).VERIFIER,
  ],
  retrieval: [
    "20,000 passages, against bm25s",
    async () => (await import("./bench/retrieval.ts")).RETRIEVAL,
  ],
  thresholds: [
    "which claims find a passage that have one, and that have none",
    async () => (await import("./bench/retrieval.ts")).THRESHOLDS,
  ],
  encoder: ["MiniLM, against PyTorch", async () => (await import("./bench/encoder.ts")).ENCODER],
  batch: [
    "a batch of 1,000 claims, killed 20 times",
    async () => (await import("./bench/factuality.ts")).BATCH,
  ],
  faults: [
    "every kind of fault between the evaluation and a server; renews the README's table",
    async () => (await import("./bench/faults.ts")).TASK,
  ],
  served: [
    "the same questions in this process and behind llama.cpp's own server",
    async () => (await import("./bench/served.ts")).TASK,
  ],
  masked: [
    "what masked models in ONNX need: --install, --check, --held-out",
    async () => (await import("./bench/masked.ts")).TASK,
  ],
  metrics: [
    "every statistic against Python's, data/factuality/metric_agreement.csv",
    async () => (await import("./bench/metrics.ts")).TASK,
  ],
});

if (import.meta.main) await run(BENCH);
