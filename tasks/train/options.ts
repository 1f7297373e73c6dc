import { join } from "node:path";
import { parseArgs } from "node:util";
import { CASE_FORMATS } from "../../lib/factuality/cases/case_formats.ts";
import { type CaseSource, caseSource } from "../../lib/factuality/cases/case_source.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import type { SplitShares } from "../../lib/factuality/training/heads/entity_split.ts";
import type { HeadSettings } from "../../lib/factuality/training/heads/train_own_head.ts";
import { USUAL_PENALTY } from "../../lib/factuality/training/heads/usual_penalty.ts";
import { LABEL_SCHEMES } from "../../lib/factuality/verifiers/head_labels.ts";
import { FEATURE_SETS } from "../../lib/factuality/verifiers/pair_vector.ts";
import { wholeNumber, withUsage } from "../command.ts";

export const USAGE = `deno task train: a verifier of your own from labelled claims

  --cases FORMAT:FILE   labelled claims; only FILE is file:FILE; several times for several files.
                        FORMAT: ${CASE_FORMATS.slice(0, 5).join(", ")},
                        ${CASE_FORMATS.slice(5).join(", ")}
  --synthetic           claims made out of the knowledge base, in place of files or with them
  --labels SCHEME       three-way, or binary: supported or not; three-way unless told
  --features SET        readable, embeddings (frozen MiniLM) or both; readable unless told
  --head KIND           logistic, or mlp with one hidden layer; logistic unless told
  --hidden NUMBER       units of that layer; 32 unless told
  --class-weights KIND  balanced: half for supported, even shares for the rest; or as-found
  --l2 NUMBER           penalty of the weights; 0.001, with sentence vectors 0.1, unless told
  --patience NUMBER     iterations without a better loss on the development part; 10 unless told
  --iterations NUMBER   at most so many; 200 unless told
  --test-share NUMBER   of the unrelated groups of claims, held out; 0.25 unless told
  --development-share NUMBER  of them, for stopping and calibration; 0.15 unless told
  --seed NUMBER         of splits, order and first weights; 1 unless told
  --threads NUMBER      of the encoder; 2 unless told
  --out FILE            of the weights; .cache/train/verifier.json unless told

  --study               in place of all these: learning curve, ablation and what training on labelled
                        texts of other people gives, for notebook 45
  --only PART           of the study: curve, ablation or domain

A file of your own is CSV with a header, or JSON objects, one a line, with claim, source and label, and
if you like id, cluster and split (train, development, test). Without splits, claims of one cluster,
with the same words or on one source stay together. Vectors are kept in .cache/verifier as they come:
a run that was ended goes on where it was. The weights are used by evaluation.yaml's

  verifier: { kind: trained, path: FILE }`;

/** What a command line asks to train on, and how. */
export interface TrainOptions {
  readonly sources: readonly CaseSource[];
  readonly synthetic: boolean;
  readonly settings: HeadSettings;
  readonly shares: SplitShares;
  readonly threads: number;
  readonly out: string;
  readonly study: boolean;
  /** Parts of the study. */
  readonly parts: readonly StudyPart[];
}

/** Learning curve; ablation; training on labelled texts of other people. */
export const STUDY_PARTS = ["ablation", "curve", "domain"] as const;

export type StudyPart = (typeof STUDY_PARTS)[number];

const text = (value: string) => ({ type: "string", default: value }) as const;

function parsed(args: readonly string[]) {
  return withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        cases: { type: "string", multiple: true, default: [] },
        synthetic: { type: "boolean", default: false },
        study: { type: "boolean", default: false },
        ...{ only: { type: "string" }, l2: { type: "string" } },
        ...{ labels: text("three-way"), features: text("readable"), head: text("logistic") },
        ...{ hidden: text("32"), "class-weights": text("balanced") },
        ...{ patience: text("10"), iterations: text("200"), seed: text("1"), threads: text("2") },
        ...{ "test-share": text("0.25"), "development-share": text("0.15") },
        out: text(join(FACTUALITY_PATHS.cache, "train", "verifier.json")),
      },
    })).values;
}

/** What a command line asks for. @throws {RangeError} for what is wrong or does not go together. */
export function trainOptions(args: readonly string[]): TrainOptions {
  const values = parsed(args);
  const { synthetic, study, out } = values;
  const sources = values.cases.map(caseSource);
  if (study === (synthetic || sources.length > 0)) {
    throw new RangeError(
      "Cannot train: give --cases FILE, --synthetic or both; or --study, and neither of them.",
    );
  }
  const { only } = values;
  if (only !== undefined && !study) {
    throw new RangeError("Cannot train: --only names a part of the study; it goes with --study.");
  }
  const features = oneOf("features", values.features, FEATURE_SETS);
  const head = oneOf("head", values.head, ["logistic", "mlp"] as const);
  const weights = oneOf(
    "class-weights",
    values["class-weights"],
    ["balanced", "as-found"] as const,
  );
  return {
    ...{ sources, synthetic, study, out, threads: wholeNumber("threads", values.threads) },
    parts: only === undefined ? STUDY_PARTS : [oneOf("only", only, STUDY_PARTS)],
    settings: {
      labels: oneOf("labels", values.labels, LABEL_SCHEMES),
      features,
      hidden: head === "logistic" ? 0 : wholeNumber("hidden", values.hidden),
      l2: numberWithin("l2", values.l2 ?? String(USUAL_PENALTY[features]), [0, 1_000]),
      classWeights: weights === "balanced" ? weights : "as found",
      patience: wholeNumber("patience", values.patience),
      maxIterations: wholeNumber("iterations", values.iterations),
      seed: wholeNumber("seed", values.seed, 0),
    },
    shares: {
      test: numberWithin("test-share", values["test-share"], [0.01, 0.9]),
      development: numberWithin("development-share", values["development-share"], [0.01, 0.9]),
    },
  };
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot read the options: --${option} is "${value}"; it is ${known.join(" or ")}.`,
  );
}

function numberWithin(
  option: string,
  value: string,
  [low, high]: readonly [number, number],
): number {
  const number = Number(value);
  if (value.trim() !== "" && number >= low && number <= high) return number;
  throw new RangeError(
    `Cannot read the options: --${option} is "${value}", not a number from ${low} to ${high}.`,
  );
}
