/** Runs measurements of this machine or against a named reference: `deno task bench NAME`. */
import { group, run } from "./command.ts";

const BENCH = group("bench", "Speed, agreement and reliability against named references", {
  speed: [
    "pairs against minicons and lm-eval, a claim against 300 words",
    () => import("./bench/speed.ts"),
  ],
  agreement: [
    "scores and answers against PyTorch, weights as shipped, a server",
    () => import("./bench/agreement.ts"),
  ],
  metrics: ["every statistic against Python's", () => import("./bench/metrics.ts")],
  faults: ["every fault between evaluation and server", () => import("./bench/faults.ts")],
  load: ["cost of a hosted call besides the server's own time", () => import("./bench/load.ts")],
});

if (import.meta.main) await run(BENCH);
