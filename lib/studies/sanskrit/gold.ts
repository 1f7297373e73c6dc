/** Our parses beside an independent morphology of the Gītā; only counts, no choice by it. */
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

/** A word of a verse with what somebody says of it; what does not apply is missing. */
export interface ParsedWord extends Readonly<Partial<Record<Feature, string>>> {
  readonly verse: string;
  /** IAST and pausal. */
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

/** The words of the gold in a folder, whose chapter 13 begins with our 13.2. @throws {Error} */
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

/** One spelling for both: anusvāra before a stop as its nasal's sign, no hyphens. */
const asWritten = (word: string) =>
  word.normalize("NFC").replaceAll("ṁ", "ṃ").replaceAll("-", "").replace(/ṃ$/u, "m")
    .replace(/[ṅñṇnm](?=[kgcjṭḍtdpb])/gu, "ṃ");

/** A stem with its members joined as they are said, -ant as -at (Whitney § 443), etad as etat. */
function stemAsSaid(stem: string): string {
  try {
    return asWritten(compoundMembers(stem).join("").replace(/ant$/u, "at").replace(/d$/u, "t"));
  } catch {
    return asWritten(stem); // the gold parts preverbs too, whose sandhi is another
  }
}

/** Every word that our treebanks parse and are sure of. */
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
    const gender = GENDERS.find((own) => cell.endsWith(`.${own[0]}`))!;
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

/** A noun's form in pausa: as it is written, or of one in sandhi as its paradigm has it. */
function formOf({ form, stem, declension, cell }: AnnotatedNoun): string {
  const [written, forms] = [pausalForm(toIast(form)), decline(stem, declension).forms(cell)];
  return forms.includes(written) ? written : forms[0]!;
}

function splitCell(cell: string) {
  const [kase, number, gender] = cell.split(".");
  return { case: kase, number, gender };
}

/** Those that a pair changes: of its verse, cell and, of a nominal, stem. */
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
 * What two readings of the same words say alike, feature by feature, and each word on which they differ.
 * @throws {RangeError} where the gold lacks a verse: a table cut short would pass for disagreement.
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
    const found = byPlace.get(`${word.verse} ${asWritten(word.form)}`) ?? [];
    // A form that stands twice in its verse and is parsed in two ways cannot be told apart.
    const readings = new Set(found.map((own) => FEATURES.map((feature) => own[feature]).join("|")));
    const [other] = found;
    if (other === undefined || readings.size > 1) {
      unaligned++;
      continue;
    }
    for (const feature of FEATURES) {
      const [own, theirs] = [word[feature], other[feature]];
      if (own === undefined || theirs === undefined) continue;
      const count = counts.get(feature)!;
      count.n++;
      const isSame = feature === "stem" ? stemAsSaid(own) === stemAsSaid(theirs) : own === theirs;
      if (isSame) count.agreeing++;
      else differing.push([word, feature, theirs]);
    }
  }
  return { counts, unaligned, differing };
}

/** The rows of one comparison. */
export function agreementRows(
  words: AgreementRow["words"],
  ours: readonly ParsedWord[],
  { counts, unaligned }: ReturnType<typeof compareWords>,
): readonly AgreementRow[] {
  const rows = [...counts].map(([feature, count]) => ({ words, feature, ...count }));
  return [...rows, { words, feature: "unaligned", n: ours.length, agreeing: unaligned }];
}

/** Agreement with its n and 95 % Wilson interval, in per cent. */
export function agreementTable(rows: readonly AgreementRow[]): string {
  return markdownTable(
    ["words", "feature", "n", "agreeing", "% [95 % interval]"],
    rows.map(({ words, feature, n, agreeing }) => [
      ...[words, feature, n, agreeing],
      shown(proportion(agreeing, n), "percent"),
    ]),
  );
}

/** The disagreements, a line each: verse, form, what we say and what the gold says. */
export function disagreementList(
  differing: ReturnType<typeof compareWords>["differing"],
): readonly string[] {
  return differing.map(([word, feature, theirs]) => {
    const place = Object.values(verseNumbers(word.verse)).join(".");
    return `${place} ${word.form}: ${feature} ${word[feature]}, gold ${theirs}`;
  });
}
