import { parseArgs } from "node:util";
import { type Source, SOURCES } from "../../lib/norse/proposals/gather.ts";
import type { RunOptions } from "../../lib/norse/proposals/run.ts";
import type { GenerationSettings } from "../../lib/sanskrit/contrasts/generate.ts";
import { TARGET_PAIRS } from "../../lib/sanskrit/contrasts/generation.ts";
import { MAX_STEMS, PAIR_SEED } from "../../lib/sanskrit/study.ts";
import { withUsage } from "../command.ts";
import { STUDY_NAMES, studyName } from "../studies.ts";

export const GENERATE_OPTIONS = {
  study: { type: "string", default: "norse" },
  source: { type: "string" },
  limit: { type: "string" },
  estimate: { type: "boolean" },
  "target-size": { type: "string" },
  "max-stems": { type: "string" },
  seed: { type: "string" },
  replace: { type: "boolean" },
} as const;

export const GENERATE_USAGE = `deno task generate: the pairs of a study.

  --study ${STUDY_NAMES.join("|")}   whose pairs (norse unless told)

Old Norse, by rules, by a model's proposals that the rules confirm, or by both:

  --source ${
  SOURCES.join("|")
}  the rules alone, confirmed proposals alone, or proposals first and the
                           rules to fill up: the default where .env has a key, else what is on record
  --limit CALLS            at most so many calls, then choose; 0 asks nothing
  --estimate               only say what asking would take

Every answer is on disk as it comes; Ctrl-C stops it. Exit code: 0 done, or estimated; 3 the data set
is as it was, for questions are left or no proposal is confirmed; 1 nothing could be done, and why.

Sanskrit, by rules, in seconds; no model is asked:

  --target-size PAIRS      so many pairs of a- and ā-stems, two thirds of case (${TARGET_PAIRS} unless told)
  --max-stems STEMS        of so many stems, the most frequent ones (${MAX_STEMS} unless told)
  --seed NUMBER            breaks ties (${PAIR_SEED} unless told)
  --replace                write even where answers on record belong to the pairs that there are;
                           answers to pairs that stay are kept

Exit code: 0 written; 1 nothing was written, and why.`;

/** What `deno task generate` is told, by study. */
export type GenerateOptions =
  | { readonly study: "norse"; readonly run: RunOptions }
  | {
    readonly study: "sanskrit";
    readonly settings: GenerationSettings;
    /** Write even where answers belong to the pairs that are there. */
    readonly replace: boolean;
  };

type Values = ReturnType<typeof parseArgs<{ options: typeof GENERATE_OPTIONS }>>["values"];

const OWN = {
  norse: ["source", "limit", "estimate"],
  sanskrit: ["target-size", "max-stems", "seed", "replace"],
} as const satisfies Readonly<Record<string, readonly (keyof Values)[]>>;

/**
 * @throws {RangeError | SyntaxError} for a study, source or number that is none, for an option of the
 * other study, and for what is no option.
 */
export function readGenerateOptions(args: readonly string[]): GenerateOptions {
  const values = withUsage(
    GENERATE_USAGE,
    () => parseArgs({ args: [...args], options: GENERATE_OPTIONS }).values,
  );
  const study = studyName(values.study);
  const other = study === "norse" ? "sanskrit" : "norse";
  const foreign = OWN[other].find((name) => values[name] !== undefined);
  if (foreign !== undefined) {
    throw new SyntaxError(
      `Cannot use --${foreign} for ${study}: it is an option of --study ${other}.`,
    );
  }
  return study === "norse"
    ? { study, run: readNorseOptions(values) }
    : { study, settings: readSettings(values), replace: values.replace ?? false };
}

function readNorseOptions({ source, limit, estimate }: Values): RunOptions {
  if (limit !== undefined && !/^\d+$/.test(limit)) {
    throw new RangeError(`Cannot limit the calls to "${limit}": write a whole number.`);
  }
  return {
    estimateOnly: estimate ?? false,
    ...(source === undefined ? {} : { source: parseSource(source) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

function parseSource(text: string): Source {
  const source = SOURCES.find((known) => known === text);
  if (source) return source;
  throw new RangeError(`Cannot generate from "${text}": write ${SOURCES.join(", ")}.`);
}

function readSettings(values: Values): GenerationSettings {
  return {
    targetSize: wholeNumber("target-size", values["target-size"], TARGET_PAIRS, 1),
    maxStems: wholeNumber("max-stems", values["max-stems"], MAX_STEMS, 1),
    seed: wholeNumber("seed", values.seed, PAIR_SEED, 0),
  };
}

function wholeNumber(
  name: string,
  text: string | undefined,
  standard: number,
  least: number,
): number {
  if (text === undefined) return standard;
  // Ids have four digits: morph_0001.
  if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
  throw new RangeError(
    `Cannot take --${name} "${text}": write a whole number from ${least} to 9999.`,
  );
}
