/** One command a part of a study: `deno task study NAME [options]`; `--help` names them all. */
import { group, run } from "./command.ts";

const STUDY = group("study", "What notebooks and their tables rest on, made or made anew", {
  manifest: ["renew data/README.md", () => import("./studies/manifest.ts")],
  figures: ["figures anew from answers, claim by claim", () => import("./studies/figures.ts")],
  compare: ["components on the same labelled claims", () => import("./studies/compare.ts")],
  "expert-review": [
    "pairs for a philologist: a blind form, and what a filled one says",
    () => import("./studies/expert_review.ts"),
  ],
  export: ["the pairs as other harnesses load them", () => import("./studies/export.ts")],
  gold: [
    "our parses of the Gītā beside an independent morphology",
    () => import("./studies/gold.ts"),
  ],
  coverage: ["our claims against people's atomic facts", () => import("./studies/coverage.ts")],
  thresholds: ["which claims find a passage", () => import("./studies/thresholds.ts")],
  wmt23: ["tables of the WMT23 English–German ratings", () => import("./studies/wmt23.ts")],
  robustness: ["changed texts, through every component", () => import("./studies/robustness.ts")],
  respond: ["what models claim about countries, rated", () => import("./studies/respond.ts")],
  uncertainty: ["how unsure is a model? yours, too", () => import("./studies/uncertainty.ts")],
  abstention: ["questions about nothing: who declines?", () => import("./studies/abstention.ts")],
});

if (import.meta.main) await run(STUDY);
