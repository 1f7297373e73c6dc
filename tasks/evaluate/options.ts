import { parseArgs } from "node:util";
import { BIDIRECTIONAL_CHARACTER } from "../../lib/models/masked/bidirectional_character_model.ts";
import type { OnnxEntry } from "../../lib/models/masked/onnx_masked_model.ts";
import { ORDER_DESIGNS, type OrderDesign } from "../../lib/pairs/order_plan.ts";
import { withUsage } from "../command.ts";
import { PANELS, STUDY_NAMES, type StudyName, studyName } from "../studies.ts";

/** What `deno task evaluate` is told. */
export interface EvaluateOptions {
  readonly study: StudyName;
  /** Path of the panel. */
  readonly panel: string;
  readonly orders: OrderDesign;
  /** Only these models; all of the panel where left out. */
  readonly models?: readonly string[];
  /** Only so many pairs, of each phenomenon in turn; all where left out. */
  readonly limit?: number;
  /** Only say what it will take. */
  readonly estimate: boolean;
  /** A masked model to score with, in place of a panel. */
  readonly onnx?: OnnxEntry;
}

export const EVALUATE_OPTIONS = {
  study: { type: "string", default: "norse" },
  panel: { type: "string" },
  orders: { type: "string" },
  models: { type: "string" },
  limit: { type: "string" },
  estimate: { type: "boolean", default: false },
  onnx: { type: "string" },
  id: { type: "string" },
  licence: { type: "string" },
} as const;

export const EVALUATE_USAGE =
  `deno task evaluate: asks a panel about the pairs of a study, what has no answer yet.

  ${`--study ${STUDY_NAMES.join("|")}`.padEnd(25)}the pairs to ask about (norse unless told)
  --panel groq|local|FILE  the four hosted models (the default), those of this machine, or a file
  --orders ${ORDER_DESIGNS.join("|")}  both orders of every pair (the default), or one each
  --models ID,…            only these models of the panel
  --limit PAIRS            only so many pairs, of each phenomenon in turn
  --estimate               only say what it will take

Or scores with a masked model in ONNX, in place of a panel, when deno task masked --install was run:

  --onnx FOLDER            with its config.json, tokenizer.json, tokenizer_config.json, onnx/model.onnx
  --id NAME                what it is called in every result
  --licence NAME           kept with its results

Every answer is on disk as it comes; Ctrl-C stops it. Exit code: 0 complete, or estimated;
3 incomplete, run it again; 1 nothing could be asked, and why. Models that are counted from a study's
text score its pairs in every run; they need no key.`;

const HINT = "deno task evaluate --help tells what is possible";

/**
 * The options in a command line.
 * @throws {SyntaxError} naming what is wrong and what is possible.
 */
export function parseOptions(args: readonly string[]): EvaluateOptions {
  const given = values(args);
  const { study, panel = "groq", orders = "both", models, limit, estimate } = given;
  const design = ORDER_DESIGNS.find((name) => name === orders);
  if (design === undefined) {
    throw new SyntaxError(`--orders ${orders} is none of ${ORDER_DESIGNS.join(", ")}; ${HINT}`);
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) {
    throw new SyntaxError(`--limit ${limit} is no number of pairs; ${HINT}`);
  }
  const names = models?.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names?.length === 0) throw new SyntaxError(`--models names no model; ${HINT}`);
  const onnx = onnxEntry(given);
  return {
    study: studyName(study),
    panel: PANELS[panel] ?? panel,
    orders: design,
    ...(names ? { models: names } : {}),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    estimate,
    ...(onnx ? { onnx } : {}),
  };
}

/** The masked model of a command line, if it has one. */
function onnxEntry(
  { onnx, id, licence, panel, orders, models, estimate }: ReturnType<typeof values>,
): OnnxEntry | undefined {
  if (onnx === undefined) {
    if ((id ?? licence) === undefined) return undefined;
    throw new SyntaxError(`--id and --licence are of a model that --onnx names; ${HINT}`);
  }
  if ((panel ?? orders ?? models) !== undefined || estimate) {
    throw new SyntaxError(
      `--onnx takes the place of a panel: only --study and --limit go with it; ${HINT}`,
    );
  }
  if (!/^[\w.-]+$/.test(id ?? "") || !licence) {
    throw new SyntaxError(
      `--onnx needs --id, of letters, digits, '.', '_' and '-', and --licence; ${HINT}`,
    );
  }
  if (id === BIDIRECTIONAL_CHARACTER) {
    throw new SyntaxError(
      `--id ${id} is the project's own masked model: rows of two would be one; ${HINT}`,
    );
  }
  return { id: id!, path: onnx, licence };
}

function values(args: readonly string[]) {
  return withUsage(
    EVALUATE_USAGE,
    () => parseArgs({ args: [...args], options: EVALUATE_OPTIONS }).values,
  );
}
