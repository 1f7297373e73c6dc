/**
 * Reviews of pairs by readers who are not told which member is grammatical.
 *
 * They include judgements by language models, and a form for philologists with the analysis of
 * filled forms.
 * @module
 */
import { resolve } from "node:path";
import { z } from "zod";
import { markdownTable } from "../figures/table.ts";
import { field, flag, name, oneOf, type Table, table, text, wholeNumber } from "../files/table.ts";
import { proportion, shown } from "../stats/measure.ts";
import { type RandomSource, randomSource } from "../stats/random.ts";
import { camelCase, type DatasetItem } from "./dataset.ts";
import { allotShares } from "./select.ts";

/** A reader's judgement of a pair, made without knowing the grammatical member. */
export interface ReviewRow {
  readonly pairId: string;
  /** Hash of the pair's certificate when it was read. */
  readonly sha256: string;
  readonly choseGrammatical: boolean;
  /** Rating: 0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the text's sentence is odd. */
  readonly rating: number;
  readonly remark: string;
}

/** Describes a study's `blind_review.csv`, whose ratings were made outside the notebooks. */
export function reviewTable({ path, about = "readings of pairs", own = "text" }: {
  readonly path: string;
  readonly about?: string;
  /** Name of the text with the grammatical sentence, for example "saga" or "Gītā". */
  readonly own?: string;
}): Table<ReviewRow> {
  return table({
    path: resolve(path),
    about,
    maker: `git checkout ${path}`,
    columns: {
      pair_id: text(
        "number of the pair when it was read, if any; numbers change, so join by `sha256`",
      ),
      sha256: text("certificate hash of the pair when it was read"),
      chose_grammatical: flag(`True where the reader chose the ${own}'s sentence as grammatical`),
      rating: field(
        z.enum(["0", "1", "2", "3"]).transform(Number),
        `0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the ${own}'s sentence is odd`,
      ),
      remark: text("remark in the reader's words; may be empty"),
    },
    form: camelCase<ReviewRow>(),
    key: ["pair_id", "sha256"],
  });
}

/**
 * Reads readers' ratings of these pairs. Empty if no reader was asked.
 *
 * Ratings are matched by the hash of the certificate, because pair numbers change. @throws
 * {SyntaxError} naming the first damaged line.
 */
export function readBlindReview(path: string, items: readonly DatasetItem[]): readonly ReviewRow[] {
  const numbers = new Map(items.map(({ certificate }) => [certificate.sha256, certificate.pairId]));
  const review = reviewTable({ path });
  const { rows, damaged } = review.readSoFar();
  if (damaged.length > 0) review.read();
  return rows.flatMap((row) => {
    const pairId = numbers.get(row.sha256);
    return pairId === undefined ? [] : [{ ...row, pairId }];
  });
}

/**
 * Table of the provenance of language-model readers' judgements, one row per reading.
 *
 * `reading_provenance.csv` states what the files' history and their manifest show; the rest is `not
 * recorded`.
 */
export function provenanceTable(path: string, files: readonly [string, ...string[]]) {
  return table({
    path: resolve(path),
    about: "compiled from git history and this page: model, date and instructions of each reading",
    maker: `git checkout ${path}`,
    columns: {
      file: oneOf(files, "file that holds the judgements"),
      rows: wholeNumber(
        "number of its present rows that this reading added; 0 where the reading changed or left none",
      ),
      reader: oneOf(
        ["language model", "not recorded"],
        "type of reader; no reading is known to be by a person",
      ),
      model_family: name("family of the models; `not recorded` if unknown"),
      model: name("model with its exact version"),
      instructed_as: name("role that the readers were instructed to take"),
      prompt: name("wording of the prompt"),
      shown: name("material that the readers saw"),
      date: field(z.iso.date(), "day on which the judgements entered the repository, UTC"),
      commit: field(z.string().regex(/^[0-9a-f]{7}$/), "commit that added the judgements"),
      note: text("other known facts; may be empty"),
    },
  });
}

/** Pairs of one language, whose name is the heading on the form. */
export interface ReviewSet {
  readonly language: string;
  readonly items: readonly DatasetItem[];
}

/** Cover page for the philologist: purpose, duration, instructions and how to return the form. */
const coverPage = (pairs: number, languages: readonly string[]) =>
  `# Expert review of minimal pairs

- **What we ask.** Grade the two sentences of each pair in ${
    languages.join(" and ")
  }. They differ in one word.
- **Why.** Only language models have read these pairs. Your grades show which pairs are sound.
- **How long.** ${pairs} pairs at about one minute each: some ${pairs} minutes (our estimate). You may stop at any pair.
- **Grades.** 0: wrong, no reading is grammatical. 1: doubtful. 2: good. Grade each sentence separately.
- **Norm.** Use the norm of the grammars. One sentence comes from a text, perhaps respelt; the form hides which one.
- **How.** Write a grade after each “Grade of …” with any text editor. Change nothing else.
- **Remarks.** Write after “Remark” what a reader should know: a saving reading, a misprint, a homonym. Several lines are fine.
- **Verses.** Where a line of a verse is graded, the rest of the verse is given, with […] for the line.
- **Send it back.** Return the file to the person who sent it, or attach it to an issue of this repository.
- **Afterwards.** \`deno task study expert-review --read FILE\` prints the agreement and every doubted pair (\`--partial\`: of the graded pairs).`;

/** Number of hash digits that identify a pair on the form. They reveal nothing of the key. */
const CODE = 10;
const codeOf = ({ certificate }: DatasetItem) => certificate.sha256.slice(0, CODE);

const MEMBERS = ["A", "B"] as const;

/**
 * Renders the review form as Markdown, with up to `pairs` pairs of each set.
 *
 * Each phenomenon has its share of the set, with as many different lemmas as possible. The
 * grammatical member is A in half of the pairs. The same pairs and seed give the same form. No
 * content of a certificate is shown. @throws {RangeError} for a set without pairs.
 */
export function expertForm(sets: readonly ReviewSet[], pairs: number, seed: number): string {
  let number = 0;
  const parts = sets.map(({ language, items }) => {
    if (items.length === 0) throw new RangeError(`Cannot draw pairs: ${language} has none.`);
    const random = randomSource(`expert review ${language} ${seed}`);
    const drawn = random.shuffle(drawPairs(items, Math.min(pairs, items.length), random));
    const goodFirst = random.shuffle(drawn.map((_, i) => i % 2 === 0));
    const blocks = drawn.map((item, i) => blockOf(item, ++number, goodFirst[i]!));
    return [`## ${language}`, ...blocks].join("\n\n");
  });
  const languages = sets.map(({ language }) => language);
  return [coverPage(number, languages), ...parts, `End of the form: ${number} pairs.\n`].join(
    "\n\n",
  );
}

/** Draws `n` items in proportion to phenomena. No lemma repeats before all have occurred. */
function drawPairs(items: readonly DatasetItem[], n: number, random: RandomSource) {
  const byPhenomenon = Map.groupBy(items, ({ pair }) => pair.phenomenon);
  const shares = [...byPhenomenon].map(([name, own]) => [name, own.length / items.length] as const);
  return allotShares(Object.fromEntries(shares), n).flatMap(([name, count]) => {
    const shuffled = random.shuffle(byPhenomenon.get(name)!);
    const byLemma = Map.groupBy(shuffled, ({ certificate }) => certificate.lemma);
    const turn = (item: DatasetItem) => byLemma.get(item.certificate.lemma)!.indexOf(item);
    return shuffled.toSorted((a, b) => turn(a) - turn(b)).slice(0, count);
  });
}

function blockOf(item: DatasetItem, number: number, goodFirst: boolean): string {
  const { grammatical, ungrammatical, context = "" } = item.pair;
  const [a, b] = goodFirst ? [grammatical, ungrammatical] : [ungrammatical, grammatical];
  const rest = context.replace(grammatical, "[…]");
  const verse = rest === context ? "" : `- Verse: ${rest}\n`;
  return `### ${number}. ${codeOf(item)}\n\n${verse}- A: ${a}\n- B: ${b}\n` +
    "- Grade of A:\n- Grade of B:\n- Remark:";
}

/** Tests whether a form has no grade or remark, so that it may be overwritten. */
export function isEmptyForm(text: string): boolean {
  const blocks = blocksOf(text);
  const filled = ["Grade of A", "Grade of B", "Remark"];
  return blocks.length > 0 &&
    blocks.every(({ fields }) => filled.every((name) => !fields.get(name)?.text));
}

/** A pair with an expert's grades of its members: 0 wrong, 1 doubtful, 2 good. */
interface GradedPair {
  readonly language: string;
  readonly item: DatasetItem;
  readonly grammatical: number;
  readonly ungrammatical: number;
  /** The expert's words; may be empty. */
  readonly remark: string;
}

/** A pair as written on a form. */
interface Block {
  readonly language: string;
  readonly heading: FormLine;
  /** First digits of the certificate's hash, as printed on the form. */
  readonly code: string;
  /** Values of the form's named lines. A remark includes the lines below it. */
  readonly fields: ReadonlyMap<string, FormLine>;
}

/** A line of the form, numbered from 1. */
interface FormLine {
  readonly at: number;
  readonly text: string;
}

function blocksOf(form: string): readonly Block[] {
  const blocks: (Block & { readonly fields: Map<string, FormLine> })[] = [];
  let [language, last] = ["", ""];
  for (const [index, whole] of form.normalize("NFC").split("\n").entries()) {
    const [at, text] = [index + 1, whole.trim()];
    const [, title] = /^## (.+)$/u.exec(text) ?? [];
    const [, code] = /^### \d+\. ([0-9a-f]+)$/u.exec(text) ?? [];
    const [, name, value] = /^[-*] (Verse|A|B|Grade of A|Grade of B|Remark):(.*)$/u.exec(text) ??
      [];
    const fields = blocks.at(-1)?.fields;
    const before = fields?.get(last);
    if (title !== undefined) language = title;
    else if (code !== undefined) {
      blocks.push({ language, heading: { at, text }, code, fields: new Map() });
    } else if (name !== undefined && value !== undefined) {
      fields?.set(name, { at, text: value.trim() });
    } else if (last === "Remark" && before && !END.test(text)) {
      fields!.set(last, { ...before, text: `${before.text} ${text}`.trim() });
    }
    last = name ?? (code === undefined ? last : "");
  }
  return blocks;
}

const END = /^End of the form: (\d+) pairs\.$/u;

/** Maximum number of faulty lines reported; a file of another kind has hundreds. */
const MOST_FAULTS = 20;

/**
 * Parses the graded pairs of a filled form, in its order. Pairs are identified by their
 * certificates' hashes and by their words. A form of pairs that have changed since is refused.
 * @param options.partial skips pairs without any grade instead of refusing them
 * @throws {SyntaxError} listing lines that are missing, changed or partly graded.
 */
export function readExpertForm(
  text: string,
  sets: readonly ReviewSet[],
  { file, partial = false }: { readonly file: string; readonly partial?: boolean },
): readonly GradedPair[] {
  const blocks = blocksOf(text);
  const read = blocks.map((block) => gradedPair(block, sets, partial));
  const faults = read.flatMap((found) => "faults" in found ? found.faults : []);
  const [, count] = new RegExp(END, "mu").exec(text.replaceAll("\r", "")) ?? [];
  if (Number(count) !== blocks.length || blocks.length === 0) {
    faults.unshift(`it is no whole form: it has ${blocks.length} of ${count ?? "?"} pairs`);
  }
  if (faults.length === 0) return read.flatMap((found) => "graded" in found ? found.graded : []);
  const more = faults.length > MOST_FAULTS ? `\n… and ${faults.length - MOST_FAULTS} more` : "";
  const remedy = !partial && faults.some((fault) => fault.includes("has no grade"))
    ? "\nTo measure an unfinished form by the pairs that are graded: --partial."
    : "";
  const first = faults.slice(0, MOST_FAULTS).join("\n");
  throw new SyntaxError(`Cannot read ${file}:\n${first}${more}${remedy}`);
}

/** Parses a block into a graded pair, or none if it may be skipped, or its faults. */
function gradedPair(
  { language, heading, code, fields }: Block,
  sets: readonly ReviewSet[],
  partial: boolean,
): { readonly graded: readonly GradedPair[] } | { readonly faults: readonly string[] } {
  const item = sets.find((set) => set.language === language)?.items
    .find((one) => codeOf(one) === code);
  const wrong = (what: string, { at }: FormLine = heading) => `line ${at}: ${what}`;
  if (item === undefined) {
    const what = `${heading.text.slice(4)} is none of ${language || "a language"}`;
    return { faults: [wrong(`${what}: the pairs were changed since, make the form anew`)] };
  }
  const members = [item.pair.grammatical, item.pair.ungrammatical]
    .map((sentence) => sentence.normalize("NFC"));
  const [good, bad] = members.map((sentence) =>
    MEMBERS.find((member) => fields.get(member)?.text === sentence)
  );
  if (good === undefined || bad === undefined) {
    return { faults: [wrong("the sentences of this pair are not as the form gave them")] };
  }
  const gradeOf = (member: string) => fields.get(`Grade of ${member}`);
  if (partial && MEMBERS.every((member) => gradeOf(member)?.text === "")) return { graded: [] };
  // In the order of the form: that of good and bad would reveal the key.
  const faults = MEMBERS.map(gradeOf).flatMap((grade) => {
    if (!grade?.text) return [wrong("this sentence has no grade", grade)];
    if (/^[012]$/u.test(grade.text)) return [];
    return [wrong(`the grade is "${grade.text}"; write 0, 1 or 2`, grade)];
  });
  if (faults.length > 0) return { faults };
  const grade = (member: string) => Number(gradeOf(member)!.text);
  const grades = { grammatical: grade(good), ungrammatical: grade(bad) };
  return { graded: [{ language, item, ...grades, remark: fields.get("Remark")?.text ?? "" }] };
}

/**
 * Computes the agreement of experts with the intended member, by language and phenomenon.
 *
 * `agreed` counts pairs whose intended member has the higher grade. `share` is their proportion
 * with Wilson's 95 % interval, for independent pairs. `equal` counts pairs with equal grades.
 * `sound` counts pairs whose intended member is graded 2 and the other 0.
 */
export function expertAgreement(graded: readonly GradedPair[]) {
  return [...Map.groupBy(graded, ({ language }) => language)].flatMap(([language, pairs]) => {
    const phenomena = Map.groupBy(pairs, ({ item }) => item.pair.phenomenon);
    return [["all", pairs] as const, ...phenomena].map(([phenomenon, own]) => {
      const n = own.length;
      const agreed = own.filter((one) => one.grammatical > one.ungrammatical).length;
      const equal = own.filter((one) => one.grammatical === one.ungrammatical).length;
      const sound = n - own.filter(isDoubted).length;
      const share = proportion(agreed, n);
      return { language, phenomenon, n, agreed, equal, sound, share };
    });
  });
}

/** Tests whether the intended member is graded below 2 or the other above 0. */
const isDoubted = ({ grammatical, ungrammatical }: GradedPair) =>
  grammatical < 2 || ungrammatical > 0;

/** Renders the agreement as a table, followed by every doubted pair. */
export function expertReport(graded: readonly GradedPair[]): string {
  const rows = expertAgreement(graded).map(({ share, ...counts }) => [
    ...Object.values(counts),
    shown(share, "percent"),
  ]);
  const doubted = graded.filter(isDoubted).map(({ item: { pair }, ...grades }) => {
    const { grammatical, ungrammatical, remark } = grades;
    return [pair.id, pair.grammatical, grammatical, pair.ungrammatical, ungrammatical, remark];
  });
  const groups = ["pairs", "agreed", "equal", "good and wrong", "agreement, % [95 % interval]"];
  const columns = ["intended sentence", "its grade", "the other", "its grade", "remark"];
  return [
    markdownTable(["language", "phenomenon", ...groups], rows),
    ...(doubted.length === 0
      ? ["No pair is doubted."]
      : [`Doubted pairs (${doubted.length}):`, markdownTable(["pair", ...columns], doubted)]),
  ].join("\n\n") + "\n";
}
