/** Pairs of somebody's own: a file in one of the field's forms, as a study whose files stand in one folder. */
import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { z } from "zod";
import { fileProblem, makeFolder } from "../files/atomic.ts";
import { damageReason, foreignRecords, readInputText } from "../files/csv.ts";
import { name, table } from "../files/table.ts";
import { certificateHash } from "./certify.ts";
import type { DatasetItem } from "./dataset.ts";
import { forcedChoiceTemplate } from "./forced_choice.ts";
import { differingRegion } from "./pair.ts";
import { regionItems } from "./measures.ts";
import { IN_PROJECT, type PairSet, type PairStudy, scoredOnly } from "./study.ts";

/** What files call a field: our tables, BLiMP's, MultiBLiMP's. */
const NAMES = {
  grammatical: ["grammatical", "sentence_good", "sen"],
  ungrammatical: ["ungrammatical", "sentence_bad", "wrong_sen"],
  id: ["id", "pair_id", "pairID"],
  phenomenon: ["phenomenon", "UID"],
  lemma: ["lemma", "verb_lemma"],
} as const;
type Field = keyof typeof NAMES;

const FORMS: Readonly<Record<string, string>> = { sentence_good: "BLiMP", sen: "MultiBLiMP" };

/** A pair as its file has it. */
interface Entry {
  /** Its line in the file, or the number of its item. */
  readonly number: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `pairs.csv`: the pairs as they were asked, under the ids that every other table has. */
const ownTable = (path: string) =>
  table({
    path,
    about: "the pairs",
    maker: "`deno task evaluate --pairs`",
    columns: {
      id: name("as in the file; its place there where that has none"),
      phenomenon: name("as in the file, or the file's name"),
      lemma: name("the cluster of every interval; the id where the file tells none"),
      grammatical: name("the good sentence"),
      ungrammatical: name("the bad one"),
    },
    key: ["id"],
  });

/**
 * Pairs of a CSV, TSV or JSONL file: `grammatical` and `ungrammatical`, BLiMP's or MultiBLiMP's columns,
 * with id, phenomenon and lemma if any; of two choices with the number of the right one, as lm-eval has
 * them; or of a SyntaxGym suite whose predictions compare two conditions.
 * @returns besides the pairs in words what the file was taken for, and the places of pairs without a
 * difference, which are left out: they would be ties and say nothing of a model.
 * @throws {SyntaxError} naming file, line and column of what is wrong, or that there is no such file.
 */
export function readOwnPairs(path: string) {
  try {
    return pairsIn(readInputText(path, (why) => why), basename(path));
  } catch (error) {
    const why = damageReason(error instanceof z.ZodError ? error : fileProblem(error))
      .replace(/\.$/, "");
    throw new SyntaxError(`Cannot read pairs of ${path}: ${why}.`, { cause: error });
  }
}

function pairsIn(text: string, file: string) {
  if (text.trim() === "") throw new SyntaxError("it is empty");
  const isSuite = /^\s*\{/.test(text) &&
    // A suite is one object over many lines, or on one.
    (!/^\s*\{[^\n]*\}\s*(\n|$)/.test(text) || /"predictions"/.test(text));
  const unit = isSuite ? "item" : "line";
  const rows = () =>
    foreignRecords(text).map(({ line, record }) => ({ number: line, fields: record }));
  const entries = isSuite ? suiteOf(text) : /^\s*\{/.test(text) ? linesOf(text) : rows();
  if (entries.length === 0) throw new SyntaxError("it has a header and no rows");
  const columns = [...new Set(entries.flatMap(({ fields }) => Object.keys(fields)))];
  const columnOf = (field: Field) => NAMES[field].find((own) => columns.includes(own));
  for (const field of ["grammatical", "ungrammatical"] as const) {
    if (columnOf(field)) continue;
    const names = NAMES[field].join(" or ");
    throw new SyntaxError(`no column is called ${names}; it has ${columns.join(", ")}`);
  }
  const stem = file.replace(/\.\w+$/, "");
  const wrong: string[] = [];
  const read = entries.map(({ number, fields }, index) => {
    const told = (field: Field, instead?: string) => {
      const name = columnOf(field);
      const word = String(name === undefined ? "" : fields[name] ?? "");
      const isEmpty = word.trim() === "";
      const fault = isEmpty && instead === undefined
        ? "it is empty"
        : /\p{Cc}/u.test(word) && "it holds a line break or control character";
      if (fault) wrong.push(`${unit} ${number}, column ${name}: ${fault}`);
      return isEmpty ? instead ?? "" : word;
    };
    const id = told("id", `${stem}_${String(index + 1).padStart(4, "0")}`);
    const ground = { phenomenon: told("phenomenon", stem), lemma: told("lemma", "") };
    const members = { grammatical: told("grammatical"), ungrammatical: told("ungrammatical") };
    return { number, pair: { id, ...ground, ...members } };
  });
  if (wrong.length > 0) {
    const more = wrong.length > 3 ? `; and ${wrong.length - 3} more` : "";
    throw new SyntaxError(wrong.slice(0, 3).join("; ") + more);
  }
  const isAlike = ({ pair }: (typeof read)[number]) => pair.grammatical === pair.ungrammatical;
  const different = read.filter((one) => !isAlike(one));
  if (different.length === 0) throw new SyntaxError("it has no pair of two different sentences");
  // Paradigms joined into one file, such as BLiMP's, each count from 0.
  const isOne = new Set(different.map(({ pair }) => pair.id)).size === different.length;
  const pairs = different.map(({ number, pair }) => {
    const id = isOne ? pair.id : `${pair.phenomenon}_${pair.id}`;
    return { number, pair: { ...pair, id, lemma: pair.lemma || id } };
  });
  for (const [id, twice] of Map.groupBy(pairs, ({ pair }) => pair.id)) {
    if (twice.length === 1) continue;
    const places = twice.map(({ number }) => number).join(", ");
    throw new SyntaxError(`the id ${id} stands twice: ${unit} ${places}`);
  }
  const [good = "", bad] = [columnOf("grammatical"), columnOf("ungrammatical")];
  const form = FORMS[good] ? ` (as ${FORMS[good]} has them)` : "";
  return {
    pairs,
    leftOut: read.filter(isAlike).map(({ number }) => `${unit} ${number}`),
    format: isSuite ? "a SyntaxGym suite" : `${good} and ${bad}${form}`,
  };
}

const LINE = z.looseObject({ doc: z.record(z.string(), z.unknown()).optional() });
const CHOICES = z.tuple([z.string(), z.string()]);

/** Objects, one a line, or in the `doc` of lm-eval's logs; of two choices the right one is named. */
function linesOf(text: string): readonly Entry[] {
  return text.split("\n").flatMap((line, index): readonly Entry[] => {
    if (line.trim() === "") return [];
    const number = index + 1;
    try {
      const { doc, ...value } = LINE.parse(JSON.parse(line));
      const fields = { ...value, ...doc };
      if (fields.choices === undefined) return [{ number, fields }];
      const [first, second] = CHOICES.parse(fields.choices);
      const right = Number(fields.label ?? fields.gold ?? fields.answer);
      if (right !== 0 && right !== 1) throw new RangeError("label must be 0 or 1");
      const [grammatical, ungrammatical] = right === 0 ? [first, second] : [second, first];
      return [{ number, fields: { ...fields, grammatical, ungrammatical } }];
    } catch (error) {
      throw new SyntaxError(`line ${number}: ${damageReason(error)}`);
    }
  });
}

const REGION = z.object({ content: z.string() });
const CONDITION = z.object({ condition_name: z.string(), regions: z.array(REGION) });
const SUITE = z.object({
  meta: z.object({ name: z.string() }),
  predictions: z.array(z.object({ formula: z.string() })),
  items: z.array(z.object({ item_number: z.int(), conditions: z.array(CONDITION) })),
});

/** `(3;%plural%) < (3;%singular%)`: the surprisal of a region is less in the first condition. */
const PREDICTION =
  /^[\s(]*[\d*]+\s*;\s*%([^%]+)%\s*\)\s*([<>])\s*\(\s*[\d*]+\s*;\s*%([^%]+)%[\s)]*$/;

/** A pair for each prediction and item of a SyntaxGym suite. */
function suiteOf(text: string): readonly Entry[] {
  const { meta: { name: phenomenon }, predictions, items } = SUITE.parse(JSON.parse(text));
  const sides = predictions.map(({ formula }) => {
    const [, left, sign, right] = PREDICTION.exec(formula) ?? [];
    if (left && right) return sign === "<" ? [left, right] as const : [right, left] as const;
    throw new SyntaxError(`its prediction ${formula} does not compare two conditions in a region`);
  });
  return items.flatMap(({ item_number: number, conditions }) => {
    const sentenceOf = (wanted: string) =>
      conditions.find(({ condition_name }) => condition_name === wanted)?.regions
        .map(({ content }) => content.trim()).join(" ")
        .replace(/ +/g, " ").replace(/ ([.,;:!?])/g, "$1").trim();
    return sides.map(([good, bad]) => {
      const members = { grammatical: sentenceOf(good), ungrammatical: sentenceOf(bad) };
      // Two predictions may hold one condition against two others.
      const isOne = sides.filter(([other]) => other === good).length === 1;
      const id = isOne ? `${number}_${good}` : `${number}_${good}_${bad}`;
      return { number, fields: { id, phenomenon, ...members } };
    });
  });
}

/** Pairs with a study of their own. */
export interface OwnPairs extends PairSet {
  readonly items: readonly DatasetItem[];
  readonly phenomena: readonly string[];
  /** The regions in which members differ, to be scored by themselves. */
  readonly regions: PairSet;
  /** Where everything is written. */
  readonly folder: string;
}

interface OwnOptions {
  /** What tables and the figure call the pairs; the folder's name unless told. */
  readonly name?: string;
  /** Stands in the question of forced choice: “Which of the following German sentences …”. */
  readonly language?: string | undefined;
  /** Whether nothing is to be written: an estimate. */
  readonly isTrial?: boolean;
}

/**
 * A file of pairs as a study; nothing is checked of them but their form, certificates are empty.
 * @throws {SyntaxError} as {@link readOwnPairs}; {RangeError} as {@link ownStudy}.
 */
export function openOwnPairs(path: string, folder: string, options: OwnOptions = {}) {
  if (resolve(path) === join(resolve(folder), OWN_FILE)) {
    throw new RangeError(
      `Cannot write to ${folder}: ${path} would be written over. Name another folder.`,
    );
  }
  const { pairs, leftOut, format } = readOwnPairs(path);
  const name = basename(path);
  const items = pairs.map(({ number, pair: { lemma, ...own } }): DatasetItem => {
    const target = differingRegion(own.grammatical, own.ungrammatical).from;
    const pair = { ...own, target, errorType: "" };
    const source = { text: name, chapter: 1, sentence: number };
    const sha256 = certificateHash({ ...pair, rule: "own" });
    const told = { rule: "own", lemma, source, proposedBy: name, sha256, checks: [], marks: [] };
    return { pair, certificate: { ...NO_GROUND, ...told, pairId: pair.id } };
  });
  return { ...ownStudy(items, folder, { name, ...options }), leftOut, format };
}

/** The pairs themselves, in the folder of what models say of them. */
const OWN_FILE = "pairs.csv";

/** What is said of no pair of a file. */
const NO_GROUND = {
  construction: "",
  cellFrom: "",
  cellTo: "",
  explanation: "",
  sourceSpelling: "",
  promptSha256: "",
};

/**
 * Pairs as a study whose files stand in one folder: what models say of them is kept there, and a run that is
 * stopped goes on from there. An answer belongs to its sentences: pairs may be added or changed.
 * @throws {RangeError} for a folder in the project's `data/`, one of other pairs, or one that cannot be made.
 */
export function ownStudy(
  items: readonly DatasetItem[],
  folder: string,
  { name = basename(folder), language, isTrial = false }: OwnOptions = {},
): OwnPairs {
  const at = (file: string) => join(resolve(folder), file);
  if (!relative(join(IN_PROJECT.project, "data"), at("")).startsWith("..")) {
    throw new RangeError(`Cannot write to ${folder}: data/ holds the project's own studies.`);
  }
  const rows = items.map(({ pair, certificate: { lemma } }) => ({ ...pair, lemma }));
  const sentences = new Set(rows.map(({ grammatical }) => grammatical));
  const kept = ownTable(at(OWN_FILE));
  const before = existsSync(kept.path) ? kept.read() : [];
  if (before.length > 0 && !before.some(({ grammatical }) => sentences.has(grammatical))) {
    throw new RangeError(
      `Cannot write to ${folder}: it holds what models said of other pairs. Name another folder.`,
    );
  }
  if (!isTrial) makeFolder(folder);
  if (!isTrial) kept.write(rows);
  const study: PairStudy = {
    ...IN_PROJECT,
    name,
    question: forcedChoiceTemplate(language),
    orderSeed: 20261123,
    files: {
      responses: at("evaluation_results.csv"),
      asked: at("evaluation_asked.csv"),
      invalidAnswers: at("invalid_answers.csv"),
      likelihoods: at("likelihoods.csv"),
      failed: at("failed.csv"),
      settings: at("evaluation_settings.json"),
    },
    connection: IN_PROJECT.connection,
    lock: at(".lock"),
    commands: {
      evaluate: "deno task evaluate --pairs",
      compute: `read ${at("statistics.csv")} and look at ${at("accuracy.png")}`,
    },
  };
  return {
    study,
    items,
    folder: at(""),
    pairs: items.map(({ pair }) => pair),
    phenomena: [...new Set(items.map(({ pair }) => pair.phenomenon))],
    regions: {
      study: scoredOnly(study, `${name}, regions`, at("region_likelihoods.csv")),
      pairs: regionItems(items).map(({ pair }) => pair),
    },
  };
}
