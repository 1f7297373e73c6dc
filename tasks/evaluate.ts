/**
 * Asks a panel about the pairs of a study, one by one or in batches, or scores them with a masked model:
 * `deno task evaluate --help`. Says first what it will take; each answer is on disk as it comes.
 */
import { BIDIRECTIONAL_CHARACTER } from "../lib/models/masked/bidirectional_character_model.ts";
import type { OnnxEntry } from "../lib/models/masked/onnx_masked_model.ts";
import { ORDER_DESIGNS } from "../lib/pairs/forced_choice.ts";
import { readPanel } from "../lib/pairs/panels.ts";
import { command, EXIT, int, oneOf, run } from "./command.ts";
import { type BatchMode, runBatchTask } from "./evaluate/batch.ts";
import { runEvaluation, scoreWithOnnx } from "./evaluate/run.ts";
import { openStudy, PANELS, STUDY_NAMES } from "./studies.ts";

export const TASK = command(
  "evaluate",
  "Asks a panel about the pairs of a study, what has no answer yet. Every answer is on disk as it " +
    "comes. Models that are counted from a study's text score its pairs in every run.",
  (c) =>
    c
      .option("--study <name>", "whose pairs", oneOf(...STUDY_NAMES), "norse" as const)
      .option("--panel <name>", "groq (unless told), local, or a file as in data/panels")
      .option(
        "--orders <design>",
        "both of every pair, or counterbalanced",
        oneOf(...ORDER_DESIGNS),
      )
      .option("--models <ids>", "only these models of the panel, divided by commas", names)
      .option("--limit <pairs>", "only so many pairs, of each phenomenon in turn", int({ min: 1 }))
      .option(
        "--threads <n>",
        "local models: texts at once; cores (at most 4) unless told",
        int({ min: 1 }),
      )
      .option("--estimate", "only say what it will take")
      .option("--batch", "through Groq's Batch API: half the price, answers within a day or more")
      .option("--submit-only", "with --batch: submit and leave")
      .option("--fetch-only", "with --batch: merge what has ended by now; submit nothing")
      .option("--status", "with --batch: where every batch stands; asks nobody")
      .option("--window <time>", "with --batch: how long Groq may take, 24h (unless told) to 7d")
      .option("--poll <seconds>", "with --batch: between looks, 60 unless told", int({ min: 1 }))
      .option("--onnx <folder>", "a masked model in place of a panel; see `deno task bench masked`")
      .option("--id <name>", "with --onnx: what it is called in every result")
      .option("--licence <name>", "with --onnx: kept with its results"),
  async (options, { signal }) => {
    const { study, pairs, further, ownModels } = openStudy(options.study);
    const sets = [{ study, pairs }, ...further];
    const print = (text: string) => console.log(text);
    const { estimate = false, models, limit, threads } = options;
    const onnx = onnxOf(options);
    if (onnx) {
      const own = { limit, signal, print };
      return await scoreWithOnnx(onnx, sets, own) ? EXIT.done : EXIT.incomplete;
    }
    const batch = batchOf(options);
    const panelName = options.panel ?? "groq";
    const panel = readPanel(PANELS[panelName] ?? panelName, study.project);
    const world = { study, pairs, panel, signal, print };
    const asked = { orders: options.orders ?? "both", models, limit } as const;
    if (batch) {
      const outcomes = [];
      for (const set of sets.filter(({ study }) => !study.onlyScored)) {
        outcomes.push(await runBatchTask({ ...asked, ...batch }, { ...world, ...set }));
      }
      return EXIT[outcomes.every((outcome) => outcome === "done") ? "done" : "incomplete"];
    }
    return await runEvaluation({ ...asked, threads, estimate }, {
      ...world,
      beside: (chosen) => [
        ...further.map((set) => ({ ...set, panel: chosen })),
        ...sets.map((set) => ({ ...set, models: ownModels })),
      ],
    });
  },
);

function names(text: string): readonly string[] {
  const found = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (found.length > 0) return found;
  throw new RangeError(`Cannot take --models "${text}": it names no model.`);
}

/** What stands on the command line of a batch, or of a masked model. */
type Given = Readonly<
  & Partial<Record<"panel" | "orders" | "window" | "onnx" | "id" | "licence", string>>
  & Partial<Record<"estimate" | "batch" | "submitOnly" | "fetchOnly" | "status", boolean>>
  & { models?: readonly string[]; poll?: number }
>;

/**
 * The masked model of a command line, if it has one.
 * @throws {SyntaxError} saying what goes with it and what does not.
 */
export function onnxOf(given: Given): OnnxEntry | undefined {
  const { onnx, id = "", licence } = given;
  const refuse = (what: string): never => {
    throw new SyntaxError(`Cannot take ${what}`);
  };
  if (onnx === undefined) {
    return id === "" && licence === undefined
      ? undefined
      : refuse("--id or --licence: they are of a model that --onnx names.");
  }
  if (given.panel ?? given.orders ?? given.models ?? given.estimate ?? given.batch) {
    return refuse("--onnx with a panel's options: only --study and --limit go with it.");
  }
  if (!/^[\w.-]+$/.test(id) || !licence) {
    return refuse(
      "--onnx alone: it needs --id, of letters, digits, '.', '_' and '-', and --licence.",
    );
  }
  return id === BIDIRECTIONAL_CHARACTER
    ? refuse(`--id ${id}: it is the project's own masked model, rows of two would be one.`)
    : { id, path: onnx, licence };
}

/**
 * How a batch is asked; nothing where none is wanted.
 * @throws {SyntaxError} for what excludes each other, and what Groq does not take.
 */
export function batchOf(given: Given):
  | { readonly mode: BatchMode; readonly window: string; readonly pollSeconds: number }
  | undefined {
  const dashed = (name: string) => `--${name.replace("Only", "-only")}`;
  const modes = (["submitOnly", "fetchOnly", "status", "estimate"] as const)
    .filter((mode) => given[mode]);
  if (!given.batch) {
    const own = modes.find((mode) => mode !== "estimate") ??
      (["window", "poll"] as const).find((name) => given[name] !== undefined);
    if (own === undefined) return undefined;
    throw new SyntaxError(`Cannot take ${dashed(own)} without --batch.`);
  }
  const [mode, other] = modes;
  if (mode && other) throw new SyntaxError(`Cannot do both: ${dashed(mode)} and ${dashed(other)}.`);
  const { window = "24h", poll: pollSeconds = 60 } = given;
  const [, count, unit] = /^(\d+)([hd])$/.exec(window) ?? [];
  const hours = Number(count) * (unit === "d" ? 24 : 1);
  if (!(hours >= 24 && hours <= 7 * 24)) {
    throw new SyntaxError(`Cannot take --window ${window}: Groq takes 24h to 168h, or 1d to 7d.`);
  }
  return { mode: (mode ?? "all").replace("Only", "") as BatchMode, window, pollSeconds };
}

if (import.meta.main) await run(TASK);
