/** Measurements that belong to a machine, or hold ours against a named reference: `deno task bench NAME`. */
import { group, run } from "./command.ts";

const scores = () => import("./bench/scores.ts");
const factuality = () => import("./bench/factuality.ts");
const retrieval = () => import("./bench/retrieval.ts");

const BENCH = group("bench", "Speed, agreement and reliability against named references", {
  speed: ["pairs against minicons and lm-eval", () => import("./bench/speed.ts")],
  exports: ["the exported sets, in the harnesses", () => import("./bench/exports.ts")],
  load: ["what a hosted call costs, beside the server's own time", () => import("./bench/load.ts")],
  workbook: ["a workbook of 300 × 12, against openpyxl", () => import("./bench/workbook.ts")],
  page: ["the rating page in Chromium, with 300 sentences", () => import("./bench/page.ts")],
  agreement: ["200 sentences a model, against PyTorch", async () => (await scores()).AGREEMENT],
  precision: ["every pair on the weights as shipped", async () => (await scores()).PRECISION],
  verifier: ["a claim against 300 and 1,500 words", async () => (await factuality()).VERIFIER],
  batch: ["a batch of 1,000 claims, killed 20 times", async () => (await factuality()).BATCH],
  retrieval: ["20,000 passages, against bm25s", async () => (await retrieval()).RETRIEVAL],
  thresholds: ["which claims find a passage", async () => (await retrieval()).THRESHOLDS],
  faults: ["every fault between evaluation and server", () => import("./bench/faults.ts")],
  served: ["the same questions through llama.cpp's server", () => import("./bench/served.ts")],
  metrics: ["every statistic against Python's", () => import("./bench/metrics.ts")],
});

if (import.meta.main) await run(BENCH);
