import { name, oneOf, type RowOf, table, wholeNumber } from "../../files/table.ts";
import { CELLS, DECLENSIONS, decline, formatCell, type ParadigmCell } from "./paradigms.ts";
import {
  type DeclensionClass,
  functionWords,
  type Gender,
  GENDERS,
  LEXICON_TABLE,
  NOUN_DECLENSIONS,
  STOP_WORDS,
  type StopKind,
} from "./rules.ts";
import { OURS, SANSKRIT_PATHS } from "./study.ts";
import { exchangeNoun } from "./junctions.ts";
import { couldBeChanged, fromIast, isNeutral, pausalForm, toIast } from "./sounds.ts";
import { type AnnotatedNoun, type LineReference, tokenKey } from "./treebank.ts";
import { type Verse, verseNumbers } from "./verses.ts";

export interface NounToken {
  readonly line: LineReference;
  readonly token: number;
  readonly form: string;
  readonly entry: LexiconEntry;
  /** Cells that the form can be, without vocatives. */
  readonly cells: readonly ParadigmCell[];
  /** True if sandhi has changed or joined the form. Only the treebank then identifies it. */
  readonly isInSandhi?: boolean;
}

type PassedOver = "changed by sandhi" | "vocative" | "two lexicon entries" | StopKind;

/** Finds all unchanged noun forms outside the stop list. */
export function extractNouns(
  verses: readonly Verse[],
  lexicon: readonly LexiconEntry[],
  stopped: (form: string, place: string) => StopKind | undefined = stopKind,
) {
  const forms = formIndex(lexicon);
  const tokens: NounToken[] = [];
  const passedOver: { readonly form: string; readonly reason: PassedOver }[] = [];
  for (const { id, lines } of verses) {
    for (const { label, text } of lines) {
      const written = text.split(" ");
      for (const [index, form] of written.entries()) {
        const iast = toIast(form);
        const [match, ...others] = forms.get(pausalForm(iast)) ?? [];
        if (match === undefined) continue;
        const next = written[index + 1];
        const isNoun = isNeutral(iast, next === undefined ? undefined : toIast(next));
        const cells = match.cells.filter((cell) => cell.case !== "vocative");
        const reason = stopped(form, `${id}.${label}.${index + 1}`) ??
          (!isNoun && "changed by sandhi" || others.length > 0 && "two lexicon entries" ||
            cells.length === 0 && "vocative");
        if (reason) passedOver.push({ form, reason });
        else {
          const { entry } = match;
          tokens.push({ line: { verse: id, label }, token: index + 1, form, entry, cells });
        }
      }
    }
  }
  return { tokens, passedOver };
}

/**
 * Locates the treebank's nouns in sandhi within their written words.
 * @throws {SyntaxError} if the word does not contain the form, or the lexicon lacks the stem.
 */
export function nounsInSandhi(
  treebank: readonly AnnotatedNoun[],
  verses: readonly Verse[],
  lexicon: readonly LexiconEntry[] = LEXICON,
): readonly NounToken[] {
  const lines = new Map(
    verses.flatMap(({ id, lines }) =>
      lines.map(({ label, text }) => [`${id}.${label}`, text.split(" ").map(toIast)])
    ),
  );
  return treebank.flatMap((noun) => {
    const { line, token, form, stem, declension, cell } = noun;
    const paradigm = decline(stem, declension);
    const words = lines.get(`${line.verse}.${line.label}`) ?? [];
    const written = toIast(form);
    const isWhole = paradigm.forms(cell).includes(pausalForm(written));
    if (isWhole && isNeutral(written, words[token])) return [];
    const entry = lexicon.find((it) => it.stem === stem && it.declension === declension);
    const pausal = paradigm.forms(cell).find((candidate) =>
      exchangeNoun(written, candidate, candidate, words[token]) === written
    );
    if (isWhole && pausal === undefined) return [];
    if (pausal === undefined || entry === undefined || words[token - 1] !== written) {
      throw new SyntaxError(
        `Cannot read ${tokenKey(noun)} of the treebank: ${written} is no ${stem} ${
          formatCell(cell)
        } in sandhi, or the lexicon lacks it. Mend the row, or add the stem.`,
      );
    }
    const cells = paradigm.cellsOf(pausal).filter((it) => it.case !== "vocative");
    return [{ line, token, form, entry, cells, isInSandhi: true }];
  });
}

/** Indexes all forms of the lexicon by their possible cells. */
function formIndex(lexicon: readonly LexiconEntry[]) {
  const indexed = lexicon.flatMap((entry) => {
    const paradigm = decline(entry.stem, entry.declension);
    const forms = new Set(CELLS.flatMap((cell) => paradigm.forms(cell)));
    return [...forms].map((form) => ({ form, entry, cells: paradigm.cellsOf(form) }));
  });
  return Map.groupBy(indexed, ({ form }) => form);
}

/** Formats cells as in data files: `acc.sg`, `nom.sg/acc.sg`. */
export function formatCells(cells: readonly ParadigmCell[]): string {
  return cells.map(formatCell).join("/");
}

/** Evidence for a stem in addition to its entry: several cells, or an unambiguous form. */
type StemAttestation = "several cells" | "one unambiguous ending";

export interface AttestedNoun {
  readonly entry: LexiconEntry;
  readonly tokens: readonly NounToken[];
  readonly evidence: StemAttestation;
}

/**
 * Returns the `maxStems` most frequent stems with evidence. Stems attested in one form only are
 * listed apart.
 */
export function attestedNouns(tokens: readonly NounToken[], maxStems: number) {
  const nouns: AttestedNoun[] = [];
  const withoutEvidence: LexiconEntry[] = [];
  for (const [entry, stemTokens] of Map.groupBy(tokens, (token) => token.entry)) {
    const evidence = evidenceOf(stemTokens);
    if (evidence === undefined) withoutEvidence.push(entry);
    else nouns.push({ entry, tokens: stemTokens, evidence });
  }
  const byFrequency = nouns.toSorted((a, b) =>
    b.tokens.length - a.tokens.length || (a.entry.stem < b.entry.stem ? -1 : 1)
  );
  return { nouns: byFrequency.slice(0, maxStems), withoutEvidence };
}

function evidenceOf(tokens: readonly NounToken[]): StemAttestation | undefined {
  const cells = new Set(tokens.map((token) => formatCells(token.cells)));
  if (cells.size > 1) return "several cells";
  return tokens.some((token) => token.cells.length === 1) ? "one unambiguous ending" : undefined;
}

export const LEXICON: readonly LexiconEntry[] = LEXICON_TABLE.read().map((row) => ({
  stem: row.stem,
  declension: row.declension,
  isAddressable: row.addressable,
}));

export interface LexiconEntry {
  /** Stem in IAST, with a hyphen before a compound's last member. */
  readonly stem: string;
  readonly declension: DeclensionClass;
  /** True for persons, gods and peoples, which can be addressed. */
  readonly isAddressable: boolean;
}

/** Endings that may be a masculine or neuter locative singular. */
const LOCATIVE = /(?:e|smin|mayi|tvayi|ani|asi|ini|ṛti|au)$/u;
const NO_LOCATIVES = functionWords("no_locative");

export const couldBeLocative = (word: string) => LOCATIVE.test(word) && !NO_LOCATIVES.has(word);

const LOOKS = new Map<string, RegExp>();

/**
 * Finds a word of a text that could be a lexicon noun.
 * It must be possible in the cell and one of the genders. The text is in IAST, line by line. A word
 * that only begins like the form counts too, as does one with a lost visarga (guṇā vartante).
 * Recognition is by endings, so that one word may be taken for another.
 */
export function wordThatCouldBe(
  cell: ParadigmCell,
  genders: readonly Gender[],
  lines: readonly (readonly string[])[],
): string | undefined {
  const looks = LOOKS.getOrInsertComputed(`${formatCell(cell)} ${genders}`, () => {
    const forms = LEXICON.filter(({ declension }) =>
      genders.includes(DECLENSIONS[declension].gender)
    )
      .flatMap(({ stem, declension }) => decline(stem, declension).forms(cell));
    return new RegExp(`^(?:${forms.map(inSandhi).join("|")})`, "u");
  });
  return lines.flatMap((words) =>
    words.filter((word, at) =>
      looks.test(word) || couldBeChanged(word, words[at + 1]) && looks.test(`${word}ḥ`)
    )
  )[0];
}

/** Returns a pattern of a form's spellings in sandhi. */
const inSandhi = (form: string) =>
  form.replace(/aḥ$/u, "(?:aḥ|o(?:$|')|a[sś])").replace(/āḥ$/u, "ā[ḥsś]")
    .replace(/([iīuūeo])ḥ$/u, "$1[ḥrsśṣ]").replace(/m$/u, "[mṃ]")
    .replace(/i$/u, "(?:i$|y)").replace(/u$/u, "(?:u$|v)").replace(/([āīūeon])$/u, "$1$");

const STOPPED = new Map(STOP_WORDS.read().map((word) => [word.form, word]));

/** Returns the reason why a token is no noun. The result is undefined if it may be one. */
function stopKind(form: string, place: string): StopKind | undefined {
  const word = STOPPED.get(form);
  return word && (word.places.length === 0 || word.places.includes(place)) ? word.kind : undefined;
}

/**
 * Compares the extractor with the treebank.
 * It counts tokens found, those with the treebank's stem, declension and cell, the others, and
 * missed nouns. The lexicon was made from the treebank's stems, so that on the Gītā this is
 * in-sample and shows only that the rules add no error.
 */
export function extractionPrecision(
  tokens: readonly NounToken[],
  treebank: readonly AnnotatedNoun[],
) {
  // Nouns of other declensions are parsed only if a word of their line fixes the cell.
  const isCounted = (name: DeclensionClass) => NOUN_DECLENSIONS.some((counted) => counted === name);
  const counted = tokens.filter(({ entry }) => isCounted(entry.declension));
  const nouns = new Map(treebank.map((noun) => [tokenKey(noun), noun]));
  const tokenKeys = new Set(counted.map(tokenKey));
  const otherwise = counted.filter((token) => {
    const noun = nouns.get(tokenKey(token));
    return noun === undefined || !agreesWithTreebank(token, noun);
  });
  const isFree = ({ stem, declension, cell, form }: AnnotatedNoun) =>
    decline(stem, declension).forms(cell).includes(pausalForm(toIast(form)));
  const missed = treebank.filter((noun) =>
    isCounted(noun.declension) && !tokenKeys.has(tokenKey(noun)) && isFree(noun)
  );
  const extracted = counted.length;
  return { extracted, agreeing: extracted - otherwise.length, otherwise, missed };
}

/**
 * Tests whether extractor and treebank agree on a noun.
 * They have the same stem and declension and share a cell.
 */
export function agreesWithTreebank({ entry, cells }: NounToken, noun: AnnotatedNoun): boolean {
  return entry.stem === noun.stem && entry.declension === noun.declension &&
    cells.some((cell) => formatCell(cell) === formatCell(noun.cell));
}

const STEM_CLASS = {
  gender: oneOf(GENDERS, "masculine, feminine or neuter"),
  stem_class: name("a-stem, ā-stem or i-stem"),
};

export const NOUNS = table({
  path: SANSKRIT_PATHS.nouns,
  about: "notebook 22: nouns found by the extractor",
  licence: OURS,
  maker: "22_sanskrit_generation",
  columns: {
    stem: name("stem in IAST"),
    devanagari: name("stem in Devanagari"),
    ...STEM_CLASS,
    tokens: wholeNumber("number of tokens found free of sandhi"),
    attested_cells: name("attested cells with their verses"),
    evidence: name("evidence that the word is this noun"),
    confidence: oneOf(["high", "medium"], "confidence of the identification"),
  },
});

export function nounRow({ entry, tokens, evidence }: AttestedNoun): RowOf<typeof NOUNS> {
  const { gender, label } = DECLENSIONS[entry.declension];
  return {
    stem: entry.stem,
    devanagari: fromIast(entry.stem.replaceAll("-", "")),
    gender,
    stem_class: label,
    tokens: tokens.length,
    attested_cells: attestedCells(tokens),
    evidence,
    confidence: evidence === "several cells" ? "high" : "medium",
  };
}

/** Formats attested cells with their verses: `acc.sg 1.15 2.3; gen.sg 4.7`. */
export function attestedCells(tokens: readonly NounToken[]): string {
  const placeOf = ({ line }: NounToken) => Object.values(verseNumbers(line.verse)).join(".");
  return [...Map.groupBy(tokens, ({ cells }) => formatCells(cells))]
    .map(([cell, cellTokens]) => [cell, ...new Set(cellTokens.map(placeOf))].join(" ")).join("; ");
}

export const NOUN_TOKENS = table({
  path: SANSKRIT_PATHS.nounTokens,
  about: "notebook 22: tokens of these nouns",
  licence: OURS,
  maker: "22_sanskrit_generation",
  columns: {
    verse: name("id of the verse in `verses.csv`"),
    line: name("label of the line: a, b or c"),
    token: wholeNumber("position of the word in the line, from 1", { min: 1 }),
    form: name("form as written"),
    stem: name("stem in IAST"),
    ...STEM_CLASS,
    cells: name("cells of the paradigm with this form, separated by `/`"),
  },
});

export function tokenRow(
  { line, token, form, entry, cells }: NounToken,
): RowOf<typeof NOUN_TOKENS> {
  const { gender, label } = DECLENSIONS[entry.declension];
  const place = { verse: line.verse, line: line.label, token, form, stem: entry.stem };
  return { ...place, gender, stem_class: label, cells: formatCells(cells) };
}
