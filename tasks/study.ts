/** One command a part of a study: `deno task study NAME [options]`; `--help` names them all. */
import { group, hasOption, printRenamed, run } from "./command.ts";

// A user's half of a command has another name; the old ones go with the next version.

const OF_USERS = ["--queries", "--answers", "--config"];

export const STUDY = group("study", "What notebooks and their tables rest on, made or made anew", {
  manifest: ["renew data/README.md", () => import("./studies/manifest.ts")],
  figures: ["figures anew from answers, claim by claim", () => import("./studies/figures.ts")],
  compare: ["components on the same labelled claims", () => import("./studies/compare.ts")],
  "expert-review": [
    "pairs for a philologist: a blind form, and what a filled one says",
    () => import("./studies/expert_review.ts"),
  ],
  export: ["now deno task export", () => {
    printRenamed("study export", "export");
    return import("./export.ts");
  }],
  gold: [
    "our parses of the Gītā against an independent morphology",
    () => import("./studies/gold.ts"),
  ],
  coverage: ["our claims against people's atomic facts", () => import("./studies/coverage.ts")],
  thresholds: ["which claims find a passage", () => import("./studies/thresholds.ts")],
  wmt23: ["tables of the WMT23 English–German ratings", () => import("./studies/wmt23.ts")],
  judges: ["scaling and accuracy of the study's judges", () => import("./studies/judges.ts")],
  robustness: ["changed texts, through every component", (args) => {
    if (!hasOption(args, "--candidate", "--source")) return import("./studies/robustness.ts");
    printRenamed("study robustness --candidate", "factcheck robustness");
    return import("./factcheck/robustness.ts");
  }],
  respond: ["what models claim about countries, rated", () => import("./studies/respond.ts")],
  uncertainty: ["questions asked over and over: how unsure is a model?", (args) => {
    if (!hasOption(args, ...OF_USERS)) return import("./studies/uncertainty.ts");
    printRenamed("study uncertainty --queries", "factcheck uncertainty");
    return import("./factcheck/uncertainty.ts");
  }],
  abstention: ["questions about nothing: who declines?", (args) => {
    if (!hasOption(args, ...OF_USERS)) return import("./studies/abstention.ts");
    printRenamed("study abstention --queries", "factcheck abstention");
    return import("./factcheck/abstention.ts");
  }],
});

if (import.meta.main) await run(STUDY);
