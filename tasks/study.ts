/** One command a part of a study: `deno task study NAME [options]`; `--help` names them all. */
import { group, run } from "./command.ts";

const STUDY = group("study", "What notebooks and their tables rest on, made or made anew", {
  manifest: ["renew data/README.md", () => import("./study/manifest.ts")],
  compare: ["components on the same labelled claims", () => import("./study/compare.ts")],
  "expert-review": [
    "pairs for a philologist: a blind form, and what a filled one says",
    () => import("./study/expert_review.ts"),
  ],
  export: ["the pairs as other harnesses load them", () => import("./study/export.ts")],
  gold: [
    "our parses of the Gītā beside an independent morphology",
    () => import("./study/gold.ts"),
  ],
  coverage: ["our claims against people's atomic facts", () => import("./study/coverage.ts")],
  wmt23: ["tables of the WMT23 English–German ratings", () => import("./study/wmt23.ts")],
  robustness: ["changed texts, through every component", () => import("./study/robustness.ts")],
  respond: ["what models claim about countries, rated", () => import("./study/respond.ts")],
  uncertainty: ["how unsure is a model? yours, too", () => import("./study/uncertainty.ts")],
  abstention: ["questions about nothing: who declines?", () => import("./study/abstention.ts")],
});

if (import.meta.main) await run(STUDY);
