/**
 * Asks a panel about the pairs of a study or file, or scores them with a masked model.
 *
 * `deno task evaluate --help`. It first prints an estimate of the run. Each answer is written at
 * once.
 * @module
 */
import { BIDIRECTIONAL_CHARACTER } from "../lib/models/masked/bidirectional_character_model.ts";
import type { OnnxEntry } from "../lib/models/masked/onnx_masked_model.ts";
import { readInputText } from "../lib/files/csv.ts";
import { namedPanel, type Panel, withSystemPrompt } from "../lib/models/panel.ts";
import { ownPanel } from "../lib/pairs/evaluate.ts";
import { ORDER_DESIGNS } from "../lib/pairs/forced_choice.ts";
import { openOwnPairs } from "../lib/pairs/own_pairs.ts";
import { panelWithRole, readPanel } from "../lib/pairs/panels.ts";
import { IN_PROJECT } from "../lib/pairs/study.ts";
import { choiceOf, command, EXIT, int, real, run } from "./command.ts";
import { runEvaluation, runOwnPairs, runOwnWithOnnx, scoreWithOnnx } from "./evaluate/run.ts";
import { openStudy, PANELS, STUDY_NAMES } from "./open_studies.ts";

export const TASK = command(
  "evaluate",
  "Asks models about minimal pairs and scores both sentences: the pairs of a study, or of a file of yours. " +
    "Pairs that have an answer are not asked again, and every answer is on disk as it comes. Character " +
    "models counted from a study's text score its pairs in every run.",
  (c) =>
    c
      .option("--study <name>", "study with the pairs (default: norse)", choiceOf(...STUDY_NAMES))
      .option("--pairs <file>", "your pairs instead of a study's: CSV, TSV, JSONL, SyntaxGym")
      .option("--out <folder>", "with --pairs: folder of answers, statistics and figures")
      .option("--language <name>", "with --pairs: language named in the question, e.g. German")
      .option(
        "--template <file>",
        "with --pairs: file with the wording of the question, with {a}, {b} and {language}",
      )
      .option(
        "--system <file>",
        "with --pairs: file with a system message sent before every question",
      )
      .option(
        "--context <column>",
        "with --pairs: column of a text before both sentences, which is not scored itself",
      )
      .option("--tokens", "with --pairs: tokens.csv, the surprisal of every token (local models)")
      .option("--words", "with --pairs: words.csv, the surprisal of every word, its end included")
      .option("--panel <name>", "local (default), large, groq, or a file as in data/panels")
      .option(
        "--gguf <file>",
        "instead of a panel: your model file; repeat the option for more",
        each,
      )
      .option(
        "--precision <name>",
        "with --gguf: precision of the arithmetic: F32 (default), F16, Q8_0, or shipped (as in the file)",
      )
      .option(
        "--server <url>",
        "instead of a panel: address of an OpenAI-compatible server, ending in /v1",
      )
      .option("--model <name>", "with --server: name of the model on the server")
      .option(
        "--only <way>",
        "only score log-probabilities (likelihood) or only ask (choice); default: both",
        choiceOf("likelihood", "choice"),
      )
      .option(
        "--orders <design>",
        "both: each pair in both orders (default); counterbalanced: each pair in one order",
        choiceOf(...ORDER_DESIGNS),
      )
      .option("--models <ids>", "only these models of the panel, separated by commas", names)
      .option("--limit <pairs>", "only n pairs, taken from the phenomena in turn", int({ min: 1 }))
      .option(
        "--threads <n>",
        "local models: texts evaluated at once (default: number of cores, at most 4)",
        int({ min: 1, max: 1024 }),
      )
      .option(
        "--batch <pairs>",
        "with --pairs, local models: pairs evaluated together (default: 1); more is quicker, and last " +
          "digits then depend on neighbouring pairs",
        int({ min: 1, max: 128 }),
      )
      .option(
        "--max-failed <share>",
        "share of failed pairs above which a model is not asked any further; default: 0.05",
        real({ min: 0, max: 1 }),
      )
      .option(
        "--thinking-tags <names>",
        "further tags around a model's thinking, besides think, thinking and reasoning, separated by commas",
        names,
      )
      .option("--estimate", "only print what the run would take: calls, tokens, time, cost")
      .option("--onnx <folder>", "a masked model instead of a panel")
      .option("--id <name>", "with --onnx: name of the model in every result")
      .option("--licence <name>", "with --onnx: licence of the model, stored with its results"),
  async (options, { signal }) => {
    const print = (text: string) => console.log(text);
    const { estimate = false, models, limit, threads, batch, maxFailed, thinkingTags } = options;
    const how = { limit, local: { threads, batch }, maxFailed, thinkingTags };
    const asked = { orders: options.orders ?? "both", models, ...how } as const;
    requireFitting(options);
    const onnx = onnxOf(options);
    const { pairs: file, out, language, context, tokens, words } = options;
    const template = options.template && textOf("template", options.template);
    if (file !== undefined && out !== undefined) {
      const own = await openOwnPairs(file, out, {
        ...{ language, template, context, tokens, words },
        isTrial: estimate,
      });
      if (onnx) return await runOwnWithOnnx(onnx, own, { ...how, signal, print });
      const named = panelOf(options);
      const panel = options.system
        ? withSystemPrompt(named, textOf("system", options.system))
        : named;
      return await runOwnPairs({ ...asked, estimate }, own, { panel, signal, print });
    }
    const { study, pairs, further, ownModels } = await openStudy(options.study ?? "norse");
    const sets = [{ study, pairs }, ...further];
    if (onnx) {
      const own = { ...how, signal, print };
      return await scoreWithOnnx(onnx, sets, own) ? EXIT.done : EXIT.incomplete;
    }
    const world = { study, pairs, panel: panelOf(options), signal, print };
    return await runEvaluation({ ...asked, estimate }, {
      ...world,
      further: (chosen) => [
        ...further.map((set) => ({ ...set, panel: chosen })),
        ...sets.map((set) => ({ ...set, panel: ownPanel(ownModels) })),
      ],
    });
  },
);

/** Reads the text of a file named by an option. @throws {SyntaxError} for an empty file. */
function textOf(option: string, path: string): string {
  const text = readInputText(path, (why) => `Cannot read --${option} ${path}: ${why}.`);
  if (text.trim() !== "") return text;
  throw new SyntaxError(`Cannot read --${option} ${path}: it is empty.`);
}

/** Parser of an option that may be repeated. */
function each(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

/** Options that require another option. */
const NEEDS: Readonly<Record<string, string>> = {
  pairs: "out",
  out: "pairs",
  language: "pairs",
  context: "pairs",
  template: "pairs",
  system: "pairs",
  tokens: "pairs",
  words: "pairs",
  batch: "pairs",
  server: "model",
  model: "server",
  precision: "gguf",
  onnx: "id",
  id: "onnx",
  licence: "onnx",
};

/** Mutually exclusive options: the first excludes each of the others. */
const EXCLUDES: readonly string[] = [
  "pairs study",
  "panel gguf",
  "panel server",
  "only onnx",
  "onnx panel orders models estimate gguf server batch",
];

/**
 * Checks the combination of options.
 * @throws {SyntaxError} naming an option that needs another, or two that exclude each other.
 */
export function requireFitting(given: Given): void {
  const own = new Set(Object.entries(given).filter(([, value]) => value).map(([name]) => name));
  for (const [one, other] of Object.entries(NEEDS)) {
    if (!own.has(one) || own.has(other)) continue;
    throw new SyntaxError(`Cannot take --${one} without --${other}.`);
  }
  for (const [one = "", ...others] of EXCLUDES.map((words) => words.split(" "))) {
    const other = others.find((name) => own.has(one) && own.has(name));
    if (other) throw new SyntaxError(`Cannot take --${one} with --${other}.`);
  }
}

/** Returns the panel of a command line: a named one (local by default), or models named singly. */
export function panelOf(given: Given): Panel {
  const { panel: name = "local", gguf, server, only } = given;
  const whole = gguf ?? server
    ? namedPanel(given)
    : readPanel(PANELS[name] ?? name, IN_PROJECT.project);
  const panel = only ? panelWithRole(whole, only === "choice" ? "chat" : "likelihood") : whole;
  if (panel.models.length > 0) return panel;
  throw new RangeError(
    `Cannot ask for ${only} only: no model of the panel ${whole.name} gives it.`,
  );
}

function names(text: string): readonly string[] {
  const found = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (found.length > 0) return found;
  throw new RangeError(`Cannot take "${text}": it names nothing.`);
}

/** Options given on the command line. */
type Given = Readonly<
  & Partial<Record<"panel" | "orders" | "onnx" | "id" | "licence" | "server", string>>
  & Partial<
    Record<
      "pairs" | "out" | "language" | "study" | "model" | "precision" | "only" | "context",
      string
    >
  >
  & Partial<Record<"tokens" | "words", boolean>>
  & { gguf?: readonly string[] }
  & { models?: readonly string[]; estimate?: boolean; batch?: number }
>;

/** Returns the masked model of a command line, if any. @throws {SyntaxError} for an invalid id. */
export function onnxOf({ onnx: path, id = "", pairs, ...given }: Given): OnnxEntry | undefined {
  if (path === undefined) return undefined;
  // What is the user's alone needs none; a study's rows are committed.
  const licence = given.licence ?? (pairs === undefined ? "" : "not stated");
  if (!/^[\w.-]+$/.test(id) || licence === "") {
    throw new SyntaxError(
      "Cannot take --onnx alone: it needs --id, of letters, digits, '.', '_' and '-', and --licence.",
    );
  }
  if (id !== BIDIRECTIONAL_CHARACTER) return { id, path, licence };
  throw new SyntaxError(
    `Cannot take --id ${id}: it is the project's own masked model, rows of two would be one.`,
  );
}

if (import.meta.main) await run(TASK);
