/** Comparison of our parses with an independent morphology of the Gītā. It only provides counts. */
import { markdownTable } from "../../figures/table.ts";
import {
  oneOf,
  outsideFile,
  type OutsideSet,
  type RowOf,
  table,
  wholeNumber,
} from "../../files/table.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import { proportion, shown } from "../../stats/measure.ts";
import { formsOf, MODIFIER_TREEBANK } from "./agreement.ts";
import { compoundMembers, decline, formatCell, parseCell } from "./paradigms.ts";
import { GENDERS, MODIFIERS } from "./rules.ts";
import { pausalForm, toIast } from "./sounds.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import { type AnnotatedNoun, readTreebank } from "./treebank.ts";
import { VERB_TREEBANK } from "./verbs.ts";
import { verseId, verseNumbers } from "./verses.ts";

const FEATURES = ["case", "number", "gender", "person", "stem"] as const;
type Feature = (typeof FEATURES)[number];

/** A parsed word of a verse; inapplicable features are missing. */
export interface ParsedWord extends Readonly<Partial<Record<Feature, string>>> {
  readonly verse: string;
  /** Pausal form in IAST. */
  readonly form: string;
}

export const GOLD_AGREEMENT = table({
  path: SANSKRIT_PATHS.goldAgreement,
  about:
    "`deno task study gold`: agreement of our parses with an independent morphology of the Gītā (GitHub gasyoun/kosha, MIT); counts only",
  maker: "`deno task study gold`",
  columns: {
    words: oneOf(["parsed", "of pairs"], "all parsed words, or those that a pair changes"),
    feature: oneOf(
      [...FEATURES, "unaligned"],
      "compared feature; unaligned words are counted in a separate row",
    ),
    n: wholeNumber(
      "number of words for which both sources state the feature; for unaligned words, all words",
    ),
    agreeing: wholeNumber("number of words on which both agree; for unaligned words, their number"),
  },
  key: ["words", "feature"],
});
type AgreementRow = RowOf<typeof GOLD_AGREEMENT>;

const NEEDED = ["verse", "form", "lemma", "case", "number", "gender", "person"] as const;

export const GITA_MORPHOLOGY: OutsideSet = {
  name: "gita_morphology_gold",
  file: "gita_morphology_gold.tsv",
  sha256: "6f6e78f50e4a757c36010a79a7bb837808d2c958ebe92e251653abe4596906b5",
  licence: "MIT",
  origin: "data/gita/gita_morphology_gold.tsv of gasyoun/kosha at commit " +
    "b423f2567ebc431c8b45f755a567d2545439db33",
  made: "",
};

/**
 * Reads the gold words from a folder.
 * The gold's chapter 13 begins with our 13.2.
 * @throws {Error}
 */
export function readGold(folder: string | undefined): readonly ParsedWord[] {
  const path = outsideFile(GITA_MORPHOLOGY, folder);
  const text = Deno.readTextFileSync(path);
  const [header = "", ...lines] = text.split("\n").filter((line) => line !== "");
  const columns = header.split("\t");
  const missing = NEEDED.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new SyntaxError(`Cannot read ${path}: it has no column ${missing.join(", ")}.`);
  }
  return lines.map((line) => {
    const fields = line.split("\t");
    const of = (column: (typeof NEEDED)[number]) => fields[columns.indexOf(column)] || undefined;
    const [chapter, verse] = (of("verse") ?? "").split(".").map(Number) as [number, number];
    return {
      verse: verseId(chapter, chapter === 13 ? verse + 1 : verse),
      form: asWritten(of("form") ?? ""),
      ...{ case: of("case"), number: of("number"), gender: of("gender"), person: of("person") },
      stem: of("person") === undefined ? of("lemma") : undefined,
    };
  });
}

/** Normalises the spelling of both: class nasal before a stop as anusvāra, no hyphens. */
const asWritten = (word: string) =>
  word.normalize("NFC").replaceAll("ṁ", "ṃ").replaceAll("-", "").replace(/ṃ$/u, "m")
    .replace(/[ṅñṇnm](?=[kgcjṭḍtdpb])/gu, "ṃ");

/** Joins a stem's members with sandhi. -ant is -at (Whitney § 443), etad is etat. */
function joinedStem(stem: string): string {
  try {
    return asWritten(compoundMembers(stem).join("").replace(/ant$/u, "at").replace(/d$/u, "t"));
  } catch {
    return asWritten(stem); // the gold parts preverbs too, whose sandhi is another
  }
}

/** Returns all words parsed in our treebanks without doubt. */
export function parsedWords(): readonly ParsedWord[] {
  const nouns = readTreebank().filter(({ isDoubtful }) => !isDoubtful).map((noun) => ({
    verse: noun.line.verse,
    form: formOf(noun),
    ...splitCell(`${formatCell(noun.cell)}.${noun.gender[0]}`),
    stem: noun.stem,
  }));
  const verbs = VERB_TREEBANK.read().filter(({ doubtful }) => !doubtful).map((parsed) => {
    const [person, number] = parsed.cell.split(".");
    return { verse: parsed.verse, form: parsed.verb, person, number };
  });
  const stems = new Map(MODIFIERS.read().map((row) => [row.stem, row]));
  const modifiers = MODIFIER_TREEBANK.read().map(({ verse, modifier, cell }) => {
    const gender = GENDERS.find((name) => cell.endsWith(`.${name[0]}`))!;
    const row = stems.get(modifier)!;
    const [form = ""] = formsOf(row, gender, parseCell(cell.slice(0, 6)));
    return {
      verse,
      form,
      ...splitCell(cell),
      stem: gender === "feminine" ? row.feminine : row.stem,
    };
  });
  return [...nouns, ...verbs, ...modifiers];
}

/** Returns a noun's pausal form: as written, or in sandhi from its paradigm. */
function formOf({ form, stem, declension, cell }: AnnotatedNoun): string {
  const [written, forms] = [pausalForm(toIast(form)), decline(stem, declension).forms(cell)];
  return forms.includes(written) ? written : forms[0]!;
}

function splitCell(cell: string) {
  const [kase, number, gender] = cell.split(".");
  return { case: kase, number, gender };
}

/** Returns the words changed by pairs: same verse, cell and, of nominals, stem. */
export function wordsOfPairs(
  words: readonly ParsedWord[],
  items: readonly DatasetItem[],
): readonly ParsedWord[] {
  // A feminine modifier's certificate names the masculine stem.
  const keyOf = (verse: string, cell: string, stem = "") =>
    `${verse} ${cell} ${stem.replace(/[aāī]$/u, "")}`;
  const wanted = new Set(items.map(({ certificate: { source, cellFrom, lemma, rule } }) =>
    keyOf(
      verseId(source.chapter, source.sentence),
      cellFrom,
      rule.startsWith("SK_VERB") ? "" : lemma,
    )
  ));
  return words.filter((word) => {
    const cell = word.person ? [word.person, word.number] : [word.case, word.number, word.gender];
    return wanted.has(keyOf(word.verse, cell.join("."), word.stem));
  });
}

/**
 * Compares two analyses of the same words by feature, and lists the disagreements.
 * @throws {RangeError} if the gold lacks a verse: a truncated table would look like disagreement.
 */
export function compareWords(ours: readonly ParsedWord[], gold: readonly ParsedWord[]) {
  const covered = new Set(gold.map(({ verse }) => verse));
  const verses = [...new Set(ours.map(({ verse }) => verse))];
  const missing = verses.filter((verse) => !covered.has(verse));
  if (missing.length > 0) {
    throw new RangeError(
      `Cannot compare: the gold has no word of ${missing.length} of ${verses.length} verses, the ` +
        `first ${missing[0]}. Is its table whole?`,
    );
  }
  const byPlace = Map.groupBy(gold, ({ verse, form }) => `${verse} ${form}`);
  const counts = new Map(FEATURES.map((feature) => [feature, { n: 0, agreeing: 0 }]));
  const differing: (readonly [word: ParsedWord, feature: Feature, gold: string])[] = [];
  let unaligned = 0;
  for (const word of ours) {
    const matches = byPlace.get(`${word.verse} ${asWritten(word.form)}`) ?? [];
    // Two occurrences in a verse with different parses cannot be aligned.
    const readings = new Set(
      matches.map((match) => FEATURES.map((feature) => match[feature]).join("|")),
    );
    const [other] = matches;
    if (other === undefined || readings.size > 1) {
      unaligned++;
      continue;
    }
    for (const feature of FEATURES) {
      const [ours, theirs] = [word[feature], other[feature]];
      if (ours === undefined || theirs === undefined) continue;
      const count = counts.get(feature)!;
      count.n++;
      const isSame = feature === "stem" ? joinedStem(ours) === joinedStem(theirs) : ours === theirs;
      if (isSame) count.agreeing++;
      else differing.push([word, feature, theirs]);
    }
  }
  return { counts, unaligned, differing };
}

/** Returns the rows of one comparison. */
export function agreementRows(
  words: AgreementRow["words"],
  ours: readonly ParsedWord[],
  { counts, unaligned }: ReturnType<typeof compareWords>,
): readonly AgreementRow[] {
  const rows = [...counts].map(([feature, count]) => ({ words, feature, ...count }));
  return [...rows, { words, feature: "unaligned", n: ours.length, agreeing: unaligned }];
}

/** Formats agreement with n and 95 % Wilson interval, in per cent. */
export function agreementTable(rows: readonly AgreementRow[]): string {
  return markdownTable(
    ["words", "feature", "n", "agreeing", "% [95 % interval]"],
    rows.map(({ words, feature, n, agreeing }) => [
      ...[words, feature, n, agreeing],
      shown(proportion(agreeing, n), "percent"),
    ]),
  );
}

/** Formats disagreements, one line each: verse, form, our analysis, the gold's. */
export function disagreementList(
  differing: ReturnType<typeof compareWords>["differing"],
): readonly string[] {
  return differing.map(([word, feature, theirs]) => {
    const place = Object.values(verseNumbers(word.verse)).join(".");
    return `${place} ${word.form}: ${feature} ${word[feature]}, gold ${theirs}`;
  });
}
