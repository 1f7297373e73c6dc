/**
 * Reads a user's file of pairs as a study with all files in one folder.
 * @module
 */
import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileProblem, makeFolder } from "../files/atomic.ts";
import { damageReason } from "../files/csv.ts";
import { name, table } from "../files/table.ts";
import { certificateHash } from "./certify.ts";
import type { DatasetItem } from "./dataset.ts";
import { forcedChoiceTemplate, userTemplate } from "./forced_choice.ts";
import { differingRegion, type MinimalPair } from "./pair.ts";
import { type PairEntry, type PairFile, readPairFile } from "./pair_files.ts";
import { regionItems } from "./measures.ts";
import { IN_PROJECT, type PairSet, type PairStudy, scoredOnly } from "./study.ts";

/** Accepted column names by field: ours, BLiMP's and MultiBLiMP's. */
const NAMES = {
  grammatical: ["grammatical", "sentence_good", "sen"],
  ungrammatical: ["ungrammatical", "sentence_bad", "wrong_sen"],
  id: ["id", "pair_id", "pairID"],
  phenomenon: ["phenomenon", "UID"],
  lemma: ["lemma", "verb_lemma"],
  direction: ["direction"],
} as const;
type Field = keyof typeof NAMES;

const FORMS: Readonly<Record<string, string>> = { sentence_good: "BLiMP", sen: "MultiBLiMP" };

/** Defines `pairs.csv`: the pairs as asked, with the ids of all other tables. */
const ownTable = (path: string) =>
  table({
    path,
    about: "the pairs",
    maker: "`deno task evaluate --pairs`",
    columns: {
      id: name("as in the file; its place there where that has none"),
      phenomenon: name("as in the file, or the file's name"),
      lemma: name("the cluster of every interval; the id where the file has none"),
      grammatical: name("the good sentence"),
      ungrammatical: name("the bad one"),
    },
    key: ["id"],
  });

/**
 * Reads pairs of a file in any format of `readPairFile`.
 *
 * Columns are `grammatical` and `ungrammatical`, BLiMP's or MultiBLiMP's, with optional id,
 * phenomenon and lemma; or two choices with the number of the right one. Pairs whose members look
 * the same (after NFC and removal of white space) are left out, since they are ties for every
 * model. Equal pairs form one cluster.
 * @param context Column of a text before both members.
 * @returns the pairs, the detected format in words, the positions of pairs left out, and warnings
 * of probable mistakes
 * @throws {SyntaxError} naming up to twenty faults with file, line and column, and the number of
 * others.
 */
export async function readOwnPairs(path: string, context?: string) {
  try {
    return pairsIn(await readPairFile(path), basename(path), context);
  } catch (error) {
    const why = damageReason(fileProblem(error)).replace(/\.$/, "");
    throw new SyntaxError(`Cannot read pairs of ${path}: ${why}.`, { cause: error });
  }
}

/** Maximum number of faults and of positions that are named. */
const [MOST_FAULTS, MOST_PLACES] = [20, 5];

function pairsIn({ entries, form, faults }: PairFile, name: string, context?: string) {
  if (entries.length + faults.length === 0) throw new SyntaxError("it has a header and no rows");
  const columns = [...new Set(entries.flatMap(({ fields }) => Object.keys(fields)))];
  const columnOf = (field: Field) => NAMES[field].find((own) => columns.includes(own));
  const lacking = (["grammatical", "ungrammatical"] as const)
    .filter((field) => entries.length > 0 && columnOf(field) === undefined)
    .map((field) =>
      `no column is called ${NAMES[field].join(" or ")}; it has ${columns.join(", ")}`
    );
  const isThere = context === undefined || columns.includes(context);
  const absent = isThere ? [] : [`no column is called ${context}; it has ${columns.join(", ")}`];
  const wrong = [...faults, ...lacking, ...absent];
  const read = lacking.length > 0 ? [] : readRows(entries, columnOf, { name, context }, wrong);
  const isAlike = ({ pair }: PlacedPair) => plain(pair.grammatical) === plain(pair.ungrammatical);
  const different = read.filter((one) => !isAlike(one));
  if (read.length > 0 && different.length === 0) {
    wrong.push("it has no pair of two different sentences");
  }
  // Paradigms joined into one file, such as BLiMP's, each count from 0.
  const isOne = new Set(different.map(({ pair }) => pair.id)).size === different.length;
  const lemmas = new Map<string, string>();
  const pairs = different.map((row) => {
    const { pair } = row;
    const id = isOne ? pair.id : `${pair.phenomenon}_${pair.id}`;
    const lemma = lemmas.getOrInsert(sentencesOf(pair), pair.lemma || id);
    return { ...row, pair: { ...pair, id, lemma } };
  });
  for (const [id, twice] of Map.groupBy(pairs, ({ pair }) => pair.id)) {
    if (twice.length === 1) continue;
    wrong.push(`the id ${id} occurs twice: ${twice.map(({ place }) => place).join(", ")}`);
  }
  if (wrong.length > 0) {
    const more = wrong.length > MOST_FAULTS ? `; and ${wrong.length - MOST_FAULTS} more` : "";
    throw new SyntaxError(wrong.slice(0, MOST_FAULTS).join("; ") + more);
  }
  const [good = "", bad] = [columnOf("grammatical"), columnOf("ungrammatical")];
  const known = FORMS[good] ? ` (as ${FORMS[good]} has them)` : "";
  return {
    pairs: pairs.map(({ number, pair }) => ({ number, pair })),
    leftOut: read.filter(isAlike).map(({ place }) => place),
    format: form ?? `${good} and ${bad}${known}`,
    warnings: warningsOf(pairs),
  };
}

/**
 * Converts a file's rows to pairs and adds faults to `wrong`. A row without id or phenomenon has
 * its file's name.
 */
function readRows(
  entries: readonly PairEntry[],
  columnOf: (field: Field) => string | undefined,
  { name, context }: { readonly name: string; readonly context?: string | undefined },
  wrong: string[],
) {
  const counts = new Map<string, number>();
  return entries.map(({ number, place, file = name, fields }) => {
    const stem = file.replace(/\.\w+$/, "");
    const count = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, count);
    const valueOf = (field: Field, instead?: string) => valueIn(columnOf(field), instead);
    const valueIn = (column: string | undefined, instead?: string) => {
      const value = column === undefined ? undefined : fields[column];
      const fault = faultOf(value, instead === undefined);
      if (fault) wrong.push(`${place}, column ${column}: ${fault}`);
      const word = String(value ?? "");
      return word.trim() === "" ? instead ?? "" : word;
    };
    const pair = {
      id: valueOf("id", `${stem}_${String(count).padStart(4, "0")}`),
      phenomenon: valueOf("phenomenon", stem),
      lemma: valueOf("lemma", ""),
      direction: valueOf("direction", ""),
      prefix: valueIn(context, ""),
      grammatical: valueOf("grammatical"),
      ungrammatical: valueOf("ungrammatical"),
    };
    return { number, place, pair };
  });
}

/** Returns the reason why a value is not a text of one line; undefined if it is. */
function faultOf(value: unknown, isNeeded: boolean): string | undefined {
  if (value === undefined || value === null) return isNeeded ? "it is empty" : undefined;
  if (Array.isArray(value)) return "it is a list, not a text";
  if (typeof value === "object") return "it is an object, not a text";
  // Numbers and the like are no sentences; an id may be a number.
  if (typeof value !== "string") {
    return isNeeded ? `it is a ${typeof value}, not a text` : undefined;
  }
  if (value.trim() === "") return isNeeded ? "it is empty" : undefined;
  if (!value.isWellFormed()) return "it holds half a character (a lone surrogate)";
  return /\p{Cc}/u.test(value) ? "it holds a line break or control character" : undefined;
}

/** Normalises a sentence as readers see it. */
const plain = (text: string) => text.normalize("NFC").replace(/\s+/gu, " ").trim();

type Members = Pick<MinimalPair, "grammatical" | "ungrammatical" | "prefix">;

const sentencesOf = ({ grammatical, ungrammatical, prefix = "" }: Members) =>
  JSON.stringify([plain(grammatical), plain(ungrammatical), plain(prefix)]);

interface PlacedPair {
  readonly place: string;
  readonly pair: Members;
}

/** Returns warnings of probable mistakes, one line per kind with positions. */
function warningsOf(pairs: readonly PlacedPair[]): readonly string[] {
  const words = (text: string) => plain(text).split(" ");
  const blanks = (text: string) => text !== text.trim() || /\s{2}/u.test(text);
  const opposite = new Set(
    pairs.map(({ pair: { grammatical, ungrammatical } }) =>
      sentencesOf({ grammatical: ungrammatical, ungrammatical: grammatical })
    ),
  );
  const seen = new Set<string>();
  const kinds: readonly (readonly [string, (pair: Members) => boolean])[] = [
    [
      "with blanks at an edge, or two in a row, which count as tokens",
      ({ grammatical, ungrammatical }) => blanks(grammatical) || blanks(ungrammatical),
    ],
    [
      "with different numbers of words",
      ({ grammatical, ungrammatical }) => words(grammatical).length !== words(ungrammatical).length,
    ],
    ["without a word in common", ({ grammatical, ungrammatical }) => {
      const others = new Set(words(ungrammatical));
      return !words(grammatical).some((word) => others.has(word));
    }],
    ["equal to an earlier pair: both are one cluster", (pair) => {
      const key = sentencesOf(pair);
      const isSeen = seen.has(key);
      seen.add(key);
      return isSeen;
    }],
    [
      "contradicted by another pair, which calls the other sentence grammatical",
      (pair) => opposite.has(sentencesOf(pair)),
    ],
  ];
  return kinds.flatMap(([what, has]) => {
    const places = pairs.filter(({ pair }) => has(pair)).map(({ place }) => place);
    return places.length === 0 ? [] : [`${places.length} ${what}: ${namePlaces(places)}`];
  });
}

/** Formats the first positions, with a mark if there are more. */
export const namePlaces = (places: readonly string[]): string =>
  places.slice(0, MOST_PLACES).join(", ") + (places.length > MOST_PLACES ? ", …" : "");

/** A user's pairs as a study. */
export interface OwnPairs extends PairSet {
  readonly items: readonly DatasetItem[];
  readonly phenomena: readonly string[];
  /** Differing regions of the pairs, scored separately. */
  readonly regions: PairSet;
  /** Directions by pair id, if a column states them. Results are given for each. */
  readonly directions?: ReadonlyMap<string, string>;
  /** Folder of all files. */
  readonly folder: string;
}

interface OwnOptions {
  /** Name of the pairs in tables and figures; the folder's name by default. */
  readonly name?: string;
  /** Language named in the forced-choice question: "Which of the following German sentences …". */
  readonly language?: string | undefined;
  /** Custom question with {a}, {b} and {language} (`userTemplate`). */
  readonly template?: string | undefined;
  /** True to write nothing, for an estimate. */
  readonly isTrial?: boolean;
  /** Column of a text before both members, on which models condition. */
  readonly context?: string | undefined;
  /** True to record the surprisal of every token; `words` for that of every word. */
  readonly tokens?: boolean | undefined;
  readonly words?: boolean | undefined;
}

/**
 * Opens a file of pairs as a study. Only its format is checked; certificates are empty. @throws
 * {SyntaxError} as {@link readOwnPairs}; {RangeError} as {@link ownStudy}.
 */
export async function openOwnPairs(path: string, folder: string, options: OwnOptions = {}) {
  if (resolve(path) === join(resolve(folder), OWN_FILE)) {
    throw new RangeError(
      `Cannot write to ${folder}: ${path} would be written over. Name another folder.`,
    );
  }
  const { pairs, leftOut, format, warnings } = await readOwnPairs(path, options.context);
  const name = basename(path);
  const directions = new Map(
    pairs.flatMap(({ pair: { id, direction } }) => direction === "" ? [] : [[id, direction]]),
  );
  const items = pairs.map(({ number, pair: read }): DatasetItem => {
    const { lemma, direction: _apart, prefix, ...rest } = read;
    const own = prefix === "" ? rest : { ...rest, prefix };
    const target = differingRegion(own.grammatical, own.ungrammatical).from;
    return new FileItem({ ...own, target, errorType: "" }, lemma, name, number);
  });
  const study = ownStudy(items, folder, { name, ...options });
  return Object.assign(study, { directions, leftOut, format, warnings });
}

/** A pair of a user's file. Its certificate is made on demand, to save memory. */
class FileItem implements DatasetItem {
  constructor(
    readonly pair: MinimalPair,
    private readonly lemma: string,
    private readonly file: string,
    private readonly line: number,
  ) {}

  get certificate(): DatasetItem["certificate"] {
    const { pair, lemma, file, line } = this;
    const rule = "own";
    return {
      ...NO_GROUND,
      ...{ pairId: pair.id, rule, lemma, proposedBy: file, checks: [], marks: [] },
      source: { text: file, chapter: 1, sentence: line },
      get sha256() {
        return certificateHash({ ...pair, rule });
      },
    };
  }
}

/** Name of the file with the pairs in the study's folder. */
const OWN_FILE = "pairs.csv";

/** Certificate fields that a user's pairs lack. */
const NO_GROUND = {
  construction: "",
  cellFrom: "",
  cellTo: "",
  explanation: "",
  sourceSpelling: "",
  promptSha256: "",
};

/**
 * Makes a study of pairs with all files in one folder.
 *
 * Models' answers are stored there, and an interrupted run continues from them. Answers are matched
 * by sentences, so that pairs may be added or changed. @throws {RangeError} for a folder in the
 * project's `data/`, one with other pairs, or one that cannot be created.
 */
export function ownStudy(
  items: readonly DatasetItem[],
  folder: string,
  { name = basename(folder), language, template, isTrial = false, ...wanted }: OwnOptions = {},
): OwnPairs {
  const question = template === undefined
    ? forcedChoiceTemplate(language)
    : userTemplate(template, language);
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
    question,
    orderSeed: 20261123,
    files: {
      responses: at("evaluation_results.csv"),
      asked: at("evaluation_asked.csv"),
      invalidAnswers: at("invalid_answers.csv"),
      likelihoods: at("likelihoods.csv"),
      failed: at("failed.csv"),
      ...wanted.tokens && { tokens: at("tokens.csv") },
      ...wanted.words && { words: at("words.csv") },
      settings: at("evaluation_settings.json"),
    },
    connection: IN_PROJECT.connection,
    lock: at(".lock"),
    commands: {
      evaluate: "deno task evaluate --pairs",
      compute: `read ${at("statistics.csv")} and look at ${at("accuracy.png")}`,
    },
  };
  let regions: PairSet | undefined;
  return {
    study,
    items,
    folder: at(""),
    pairs: items.map(({ pair }) => pair),
    phenomena: [...new Set(items.map(({ pair }) => pair.phenomenon))],
    /** Regions, made on first use, because they need three times the memory of the pairs. */
    get regions() {
      return regions ??= {
        study: scoredOnly(study, `${name}, regions`, at("region_likelihoods.csv")),
        pairs: regionItems(items).map(({ pair }) => pair),
      };
    },
  };
}
