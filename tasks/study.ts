/** One command a part of a study: `deno task study NAME [options]`; `--help` names them all. */
import { group, run } from "./command.ts";

export const STUDY = group("study", "What notebooks and their tables rest on, made or made anew", {
  manifest: [
    "renew data/README.md: every file's columns, source, licence and hash",
    async () => (await import("./study/manifest.ts")).TASK,
  ],
  unchanged: [
    "after a run: which committed data, figures, notebooks and findings it changed",
    async () => (await import("./unchanged.ts")).UNCHANGED,
  ],
  compare: [
    "verifier, baselines and judges on the same labelled claims",
    async () => (await import("./study/compare.ts")).TASK,
  ],
  coverage: [
    "our claims against people's atomic facts; keeps aggregates only",
    async () => (await import("./study/coverage.ts")).TASK,
  ],
  wmt23: [
    "tables of the WMT23 English–German ratings, through workbook and analysis",
    async () => (await import("./study/wmt23.ts")).TASK,
  ],
  robustness: [
    "perturbed and reworded texts, orders, repetitions, swaps through every component",
    async () => (await import("./study/robustness.ts")).TASK,
  ],
  respond: [
    "what models claim about countries, checked and rated",
    async () => (await import("./study/respond.ts")).TASK,
  ],
  uncertainty: [
    "questions with options, asked over and over: how unsure is a model?",
    async () => (await import("./study/uncertainty.ts")).TASK,
  ],
  abstention: [
    "questions about what does not exist: who declines?",
    async () => (await import("./study/abstention.ts")).TASK,
  ],
});

if (import.meta.main) await run(STUDY);
