/** A form on which a philologist grades pairs without a key, and what a filled one says of them. */
import { markdownTable } from "../figures/table.ts";
import { wilsonInterval } from "../stats/intervals.ts";
import { type RandomSource, randomSource } from "../stats/random.ts";
import type { DatasetItem } from "./dataset.ts";
import { allotShares } from "./select.ts";

/** The pairs of one language, as its heading on the form calls it. */
export interface ReviewSet {
  readonly language: string;
  readonly items: readonly DatasetItem[];
}

const INSTRUCTIONS = `# Expert review of minimal pairs

The two sentences of a pair differ in one word. One is taken from a text, perhaps respelt; which one is not
told. Please grade each by itself, as a sentence of the language in the norm of its grammars:

- 0: wrong; no reading of it is grammatical
- 1: doubtful
- 2: good

Write a grade behind each “Grade of …”, and behind “Remark” whatever a reader should know (a reading that saves
the sentence, a misprint, a homonym); a remark may have several lines. Change nothing else. Where a line of a
verse is asked about, the rest of its verse is given, with […] in the line's place.`;

/** So much of a certificate's hash names a pair on the form; neither its number nor its order tells the key. */
const CODE = 10;
const codeOf = ({ certificate }: DatasetItem) => certificate.sha256.slice(0, CODE);

const MEMBERS = ["A", "B"] as const;
type Member = (typeof MEMBERS)[number];

/**
 * The form, as Markdown text: so many pairs of each set, or all where it has fewer, each phenomenon with
 * its share of the set, as many lemmas as there are. The good member is A in half of the pairs.
 * The same pairs and seed give the same form. Nothing of a certificate stands in it.
 * @throws {RangeError} for a set without pairs.
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
  return [INSTRUCTIONS, ...parts, `End of the form: ${number} pairs.\n`].join("\n\n");
}

function drawPairs(
  items: readonly DatasetItem[],
  n: number,
  random: RandomSource,
): readonly DatasetItem[] {
  const byPhenomenon = Map.groupBy(items, ({ pair }) => pair.phenomenon);
  const shares = [...byPhenomenon].map(([name, own]) => [name, own.length / items.length] as const);
  return allotShares(Object.fromEntries(shares), n).flatMap(([name, count]) => {
    const seen = new Map<string, number>();
    // Every lemma once before any is drawn twice.
    const turns = random.shuffle(byPhenomenon.get(name)!).map((item) => {
      const turn = seen.get(item.certificate.lemma) ?? 0;
      seen.set(item.certificate.lemma, turn + 1);
      return { item, turn };
    });
    return turns.toSorted((a, b) => a.turn - b.turn).slice(0, count).map(({ item }) => item);
  });
}

function blockOf(item: DatasetItem, number: number, goodFirst: boolean): string {
  const { grammatical, ungrammatical, context = "" } = item.pair;
  const [a, b] = goodFirst ? [grammatical, ungrammatical] : [ungrammatical, grammatical];
  const rest = context.replace(grammatical, "[…]");
  return [
    `### ${number}. ${codeOf(item)}\n`,
    ...(rest === context ? [] : [`- Verse: ${rest}`]),
    ...[`- A: ${a}`, `- B: ${b}`, "- Grade of A:", "- Grade of B:", "- Remark:"],
  ].join("\n");
}

/** Whether a text is a form on which no grade and no remark is written yet: it may be made anew. */
export function isEmptyForm(text: string): boolean {
  const { blocks } = blocksOf(text.split(/\r?\n/u));
  return blocks.length > 0 &&
    blocks.every(({ fields, remark }) =>
      remark.length === 0 && MEMBERS.every((member) => !fields.get(`Grade of ${member}`)?.value)
    );
}

/** 0 wrong, 1 doubtful, 2 good. */
type Grade = 0 | 1 | 2;

/** A pair with an expert's grades of its members. */
export interface GradedPair {
  readonly language: string;
  readonly item: DatasetItem;
  readonly grammatical: Grade;
  readonly ungrammatical: Grade;
  /** The expert's words; may be empty. */
  readonly remark: string;
}

interface Block {
  readonly language: string;
  readonly number: number;
  readonly code: string;
  /** Its heading's place in the form, from 1. */
  readonly line: number;
  readonly fields: Map<string, { readonly line: number; readonly value: string }>;
  readonly remark: string[];
}

/** Lines of a fault that are told; a form that is another file altogether has hundreds. */
const MOST_FAULTS = 20;

/**
 * The graded pairs of a filled form, in its order. Pairs are known by their certificates' hashes and
 * their words, so a form of pairs that were changed since is refused.
 * @param options.partial takes pairs without any grade for unread instead of refusing them
 * @throws {SyntaxError} with the lines that are missing, torn, changed, or graded in part.
 */
export function readExpertForm(
  text: string,
  sets: readonly ReviewSet[],
  { file, partial = false }: { readonly file: string; readonly partial?: boolean },
): readonly GradedPair[] {
  const lines = text.normalize("NFC").split(/\r?\n/u);
  const { blocks, faults } = blocksOf(lines);
  const graded = blocks.flatMap((block, i) => {
    const expected = (blocks[i - 1]?.number ?? 0) + 1;
    if (block.number !== expected) {
      faults.push([block.line, `pair ${block.number} stands where pair ${expected} should`]);
    }
    return gradedPair(block, sets, partial, faults) ?? [];
  });
  if (faults.length === 0) return graded;
  const told = faults.toSorted(([a], [b]) => a - b).map(([line, what]) => `line ${line}: ${what}`);
  const more = told.length > MOST_FAULTS ? `\n… and ${told.length - MOST_FAULTS} more` : "";
  const isUnfinished = !partial && faults.some(([, what]) => what.includes("has no grade"));
  const remedy = isUnfinished
    ? "\nTo measure an unfinished form by the pairs that are graded: --partial."
    : "";
  throw new SyntaxError(
    `Cannot read ${file}:\n${told.slice(0, MOST_FAULTS).join("\n")}${more}${remedy}`,
  );
}

type Fault = readonly [line: number, what: string];

function blocksOf(lines: readonly string[]) {
  const blocks: Block[] = [];
  const faults: Fault[] = [];
  let language = "";
  let ended = false;
  lines.forEach((text, index) => {
    const line = index + 1;
    const block = blocks.at(-1);
    const heading = /^## (.+?)\s*$/u.exec(text);
    const pair = /^### (\d+)\. ([0-9a-f]+)\s*$/u.exec(text);
    const end = /^End of the form: (\d+) pairs\.\s*$/u.exec(text);
    const field = /^[-*] (Verse|A|B|Grade of A|Grade of B|Remark):\s*(.*?)\s*$/u.exec(text);
    if (heading) language = heading[1]!;
    else if (pair) {
      const [, number, code] = pair;
      blocks.push({
        ...{ language, number: Number(number), code: code!, line },
        ...{ fields: new Map(), remark: [] },
      });
    } else if (end) {
      ended = true;
      if (Number(end[1]) === blocks.length) return;
      faults.push([line, `the form was of ${end[1]} pairs, and ${blocks.length} stand above`]);
    } else if (block && field) {
      const [, name, value] = field;
      if (block.fields.has(name!)) {
        faults.push([line, `a second "${name}" of pair ${block.number}`]);
      }
      block.fields.set(name!, { line, value: value! });
      if (name === "Remark" && value) block.remark.push(value);
    } else if (block && text.trim() !== "") {
      if (block.fields.has("Remark")) block.remark.push(text.trim());
      else faults.push([line, `"${text.trim().slice(0, 40)}" is no line of the form`]);
    }
  });
  if (blocks.length === 0) faults.push([1, "no pair stands in it; is it the right file?"]);
  else if (!ended) faults.push([lines.length, 'it breaks off before "End of the form"']);
  return { blocks, faults };
}

function gradedPair(
  { language, number, code, line, fields, remark }: Block,
  sets: readonly ReviewSet[],
  partial: boolean,
  faults: Fault[],
): GradedPair | undefined {
  const before = faults.length;
  const item = sets.find((set) => set.language === language)?.items
    .find((one) => codeOf(one) === code);
  if (item === undefined) {
    const what = `pair ${number} (${code}) is none of ${language || "a language"}`;
    faults.push([line, `${what}: the pairs were changed since, make the form anew`]);
    return undefined;
  }
  const { grammatical, ungrammatical } = item.pair;
  const of = (name: string) => {
    const found = fields.get(name);
    if (found === undefined) faults.push([line, `pair ${number} lacks its line "${name}"`]);
    return found;
  };
  const [a, b] = MEMBERS.map(of);
  const grades = MEMBERS.map((member) => of(`Grade of ${member}`));
  if (faults.length > before) return undefined;
  const good = (["A", "B"] as const).find((_, i) =>
    [a, b][i]!.value === grammatical.normalize("NFC") &&
    [b, a][i]!.value === ungrammatical.normalize("NFC")
  );
  if (good === undefined) {
    faults.push([a!.line, `the sentences of pair ${number} are not as the form gave them`]);
  }
  if (partial && grades.every((grade) => grade!.value === "")) return undefined;
  const read = (member: Member) => {
    const { line, value } = grades[MEMBERS.indexOf(member)]!;
    if (value === "") faults.push([line, `pair ${number} has no grade of ${member}`]);
    else if (!/^[012]$/u.test(value)) {
      faults.push([line, `the grade of ${member} is "${value}"; write 0, 1 or 2`]);
    }
    return Number(value) as Grade;
  };
  const values = { A: read("A"), B: read("B") };
  if (faults.length > before || good === undefined) return undefined;
  const other = good === "A" ? "B" : "A";
  return {
    ...{ language, item, grammatical: values[good], ungrammatical: values[other] },
    remark: remark.join(" "),
  };
}

/** What an expert's grades say of a group of pairs. */
interface ExpertAgreement {
  readonly language: string;
  /** A phenomenon, or `all`. */
  readonly phenomenon: string;
  readonly n: number;
  /** Pairs whose intended member has the higher grade; with equal grades there is no agreement. */
  readonly agreed: number;
  readonly equal: number;
  /** Pairs whose intended member is good (2) and whose other one is wrong (0). */
  readonly sound: number;
  /** `agreed` / n with its Wilson interval at 95 %, pairs taken as independent; all in 0 … 1. */
  readonly share: ReturnType<typeof wilsonInterval>;
}

/** Agreement with the intended member, for each language over all and by phenomenon. */
export function expertAgreement(graded: readonly GradedPair[]): readonly ExpertAgreement[] {
  return [...Map.groupBy(graded, ({ language }) => language)].flatMap(([language, pairs]) => {
    const phenomena = Map.groupBy(pairs, ({ item }) => item.pair.phenomenon);
    return [["all", pairs] as const, ...phenomena].map(([phenomenon, own]) => {
      const n = own.length;
      const agreed = own.filter((one) => one.grammatical > one.ungrammatical).length;
      const equal = own.filter((one) => one.grammatical === one.ungrammatical).length;
      const share = wilsonInterval(agreed, n, 0.95);
      return {
        language,
        phenomenon,
        n,
        agreed,
        equal,
        sound: n - own.filter(isDoubted).length,
        share,
      };
    });
  });
}

/** Whether an expert thinks less than well of the intended member, or more than nothing of the other. */
const isDoubted = ({ grammatical, ungrammatical }: GradedPair) =>
  grammatical < 2 || ungrammatical > 0;

/** The agreement as a table, and below it a table of every doubted pair. */
export function expertReport(graded: readonly GradedPair[]): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  const rows = expertAgreement(graded).map(({ share, ...row }) => [
    ...[row.language, row.phenomenon, row.n, row.agreed, row.equal, row.sound],
    share.kind === "interval"
      ? `${percent(share.estimate)} [${percent(share.low)}, ${percent(share.high)}]`
      : share.reason,
  ]);
  const doubted = graded.filter(isDoubted).map(({ item: { pair }, ...one }) => [
    ...[pair.id, pair.grammatical, one.grammatical, pair.ungrammatical, one.ungrammatical],
    one.remark,
  ]);
  const groups = ["pairs", "agreed", "equal", "good and wrong", "agreement, % [95 % interval]"];
  const columns = ["intended sentence", "its grade", "the other", "its grade", "remark"];
  return [
    markdownTable(["language", "phenomenon", ...groups], rows),
    ...(doubted.length === 0
      ? ["No pair is doubted."]
      : [`Doubted pairs (${doubted.length}):`, markdownTable(["pair", ...columns], doubted)]),
  ].join("\n\n") + "\n";
}
