import { z } from "zod";
import { writeTextAtomic } from "../../files/atomic.ts";
import { jsonLines, readJsonLines } from "../../files/json.ts";
import { certificatesTable, type DatasetItem, withCertificate } from "../../pairs/dataset.ts";
import { type Certificate, type MinimalPair, variantForm } from "../../pairs/pair.ts";
import type { Phenomenon } from "./contrasts.ts";
import {
  DECLENSIONS,
  decline,
  endingOf,
  formatCell,
  otherDeclension,
  type ParadigmCell,
  parseCell,
} from "./paradigms.ts";
import {
  CASES,
  type DeclensionClass,
  GENDERS,
  NOUN_DECLENSIONS,
  NUMBERS,
  OTHER_DECLENSIONS,
} from "./rules.ts";
import { fromIast, graphemes } from "./sounds.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import { PERSONS, type VerbCell, verbCellInWords } from "./verbs.ts";

const MEMBERS = {
  id: z.string().regex(/^[a-z_]+_\d{4}$/),
  grammatical: z.string().min(1),
  ungrammatical: z.string().min(1),
  /** Stem in Devanagari without hyphens; the root of a verb. */
  stem: z.string().min(1),
  /** The verse with its number; empty for control sentences. */
  context: z.string(),
};

const CHANGE = {
  correct_number: z.enum(NUMBERS),
  incorrect_number: z.enum(NUMBERS),
  /** All cells that the variant can be, vocatives included: `acc.sg`, `3.pl`. */
  incorrect_cells: z.array(z.string().min(1)).min(1),
  ending_from: z.string(),
  ending_to: z.string(),
  /** The changed form, and its replacement. */
  target: z.string().min(1),
  variant: z.string().min(1),
};

const NOMINAL = z.strictObject({
  ...MEMBERS,
  phenomenon: z.enum(["case", "number", "adjective_agreement", "declension"]),
  metadata: z.strictObject({
    stem_class: z.string().min(1),
    gender: z.enum(GENDERS),
    /** The wrong gender, for gender agreement and declensions. */
    incorrect_gender: z.enum(GENDERS).optional(),
    number: z.enum(NUMBERS),
    correct_case: z.enum(CASES),
    incorrect_case: z.enum(CASES),
    ...CHANGE,
  }),
});

const VERBAL = z.strictObject({
  ...MEMBERS,
  phenomenon: z.literal("verb_agreement"),
  metadata: z.strictObject({
    stem_class: z.literal("verb"),
    number: z.enum(NUMBERS),
    correct_person: z.enum(PERSONS),
    incorrect_person: z.enum(PERSONS),
    ...CHANGE,
  }),
});

/**
 * One line of a contrast set, in the specification's schema.
 * In number contrasts both cases are the same, in case contrasts both numbers; `number` is the
 * correct one. A verb has persons instead of cases, and no gender.
 */
export type ContrastRecord = Readonly<z.infer<typeof NOMINAL> | z.infer<typeof VERBAL>>;

/** Content of a record. */
export interface Contrast {
  readonly id: string;
  readonly phenomenon: z.infer<typeof NOMINAL>["phenomenon"];
  readonly grammatical: string;
  readonly ungrammatical: string;
  readonly context: string;
  /** Stem in IAST, with hyphens between the members of a compound. */
  readonly stem: string;
  readonly declension: DeclensionClass;
  readonly from: ParadigmCell;
  readonly to: ParadigmCell;
  readonly target: string;
  readonly variant: string;
}

export function contrastRecord(
  { stem, declension, from, to, target, variant, ...members }: Contrast,
): ContrastRecord {
  const { label, gender } = DECLENSIONS[declension];
  const { forms, cellsOf } = decline(stem, declension);
  return nominalRecord({ ...members, stem }, { stem_class: label, gender }, from, to, {
    incorrect_cells: cellsOf(forms(to)[0]!).map(formatCell),
    ending_from: endingOf(declension, from),
    ending_to: endingOf(declension, to),
    target,
    variant,
  });
}

type NominalMetadata = z.infer<typeof NOMINAL>["metadata"];

/** Returns the record of a noun or modifier, fields in the specification's order. */
function nominalRecord(
  { id, phenomenon, grammatical, ungrammatical, stem, context }: Omit<
    Contrast,
    "declension" | "from" | "to" | "target" | "variant"
  >,
  word: Pick<NominalMetadata, "stem_class" | "gender" | "incorrect_gender">,
  from: ParadigmCell,
  to: ParadigmCell,
  change: Omit<z.infer<z.ZodObject<typeof CHANGE>>, "correct_number" | "incorrect_number">,
): ContrastRecord {
  return {
    ...{ id, phenomenon, grammatical, ungrammatical },
    stem: fromIast(stem.replaceAll("-", "")),
    context,
    metadata: {
      ...word,
      number: from.number,
      correct_case: from.case,
      incorrect_case: to.case,
      correct_number: from.number,
      incorrect_number: to.number,
      ...change,
    },
  };
}

/** Parses a record. @throws {SyntaxError} naming every invalid field. */
function parseContrastRecord(value: unknown): ContrastRecord {
  const shape = z.object({ metadata: z.object({ stem_class: z.literal("verb") }) });
  const result = shape.safeParse(value).success
    ? VERBAL.safeParse(value)
    : NOMINAL.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new SyntaxError(`no contrast: ${problems.join("; ")}`);
}

/** Returns a record as the pair that models are asked about. */
export function pairOfRecord(record: ContrastRecord): MinimalPair<Phenomenon> {
  const { id, phenomenon, grammatical, ungrammatical, context, metadata: { target } } = record;
  const errorType = changeOf(record).join("_to_");
  return { id, phenomenon, grammatical, ungrammatical, target, errorType, context };
}

/** Returns the changed feature's two values. */
function changeOf(record: ContrastRecord): readonly [from: string, to: string] {
  const { metadata } = record;
  if (metadata.correct_number !== metadata.incorrect_number) {
    return [metadata.correct_number, metadata.incorrect_number];
  }
  if ("correct_person" in metadata) return [metadata.correct_person, metadata.incorrect_person];
  const { gender, incorrect_gender } = metadata;
  if (incorrect_gender !== undefined) return [gender, incorrect_gender];
  return [metadata.correct_case, metadata.incorrect_case];
}

/** Returns a record's correct and wrong cells, e.g. `acc.sg`; undefined for a verb. */
export function cellsOfRecord(
  { metadata }: ContrastRecord,
): Readonly<Record<"from" | "to", ParadigmCell>> | undefined {
  if (!("correct_case" in metadata)) return undefined;
  return {
    from: { case: metadata.correct_case, number: metadata.correct_number },
    to: { case: metadata.incorrect_case, number: metadata.incorrect_number },
  };
}

const MAKER = "22_sanskrit_generation";

/** Paths of a contrast set and its certificates. */
interface ContrastFiles {
  readonly pairs: string;
  readonly certificates: string;
}

/** Writes pairs and certificates, each file atomically. */
export function writeContrastSet(
  items: readonly DatasetItem<Phenomenon>[],
  files: ContrastFiles = SANSKRIT_PATHS,
): void {
  const certificates = certificatesTable({ path: files.certificates });
  certificates.write(items.map(({ certificate }) => certificate));
  writeContrasts(files.pairs, items.map(recordOfItem));
}

/** A pair with its record and certificate. */
export interface ContrastItem extends DatasetItem<Phenomenon> {
  readonly record: ContrastRecord;
}

/** Reads a contrast set. @throws {SyntaxError} unless pairs and certificates match. */
export function readContrastSet(files: ContrastFiles = SANSKRIT_PATHS): readonly ContrastItem[] {
  const certificates = new Map(
    certificatesTable({ path: files.certificates, maker: MAKER }).read()
      .map((row) => [row.pairId, row]),
  );
  const { pairs: pairsPath, certificates: certificatesPath } = files;
  const paths = { pairsPath, certificatesPath, remedy: `Run ${MAKER} again.` };
  const items = readContrasts(files.pairs).map((record) => ({
    record,
    ...withCertificate(pairOfRecord(record), certificates.get(record.id), paths),
  }));
  if (items.length === certificates.size) return items;
  throw new SyntaxError(
    `Cannot read ${files.pairs}: it has ${items.length} pairs, ${files.certificates} has ` +
      `${certificates.size} certificates. Run ${MAKER} again.`,
  );
}

/** Returns a pair with its certificate as a line of the contrast set. */
export function recordOfItem({ pair, certificate }: DatasetItem<Phenomenon>): ContrastRecord {
  const { id, grammatical, ungrammatical, target, context = "" } = pair;
  const variant = variantForm(pair);
  const stem = certificate.lemma;
  const incorrect_cells = certificate.cellTo.split("/");
  const labels = [certificate.cellFrom, incorrect_cells[0]!] as const;
  const change = { incorrect_cells, ...differingEnds(target, variant), target, variant };
  if (certificate.rule.startsWith("SK_VERB")) {
    const [from, to] = labels.map((cell) => verbCellInWords(cell as VerbCell));
    return {
      ...{ id, grammatical, ungrammatical, stem: fromIast(stem), context },
      phenomenon: "verb_agreement",
      metadata: {
        ...{ stem_class: "verb", number: from!.number },
        ...{ correct_person: from!.person, incorrect_person: to!.person },
        ...{ correct_number: from!.number, incorrect_number: to!.number },
        ...change,
      },
    };
  }
  const phenomenon = pair.phenomenon as Contrast["phenomenon"];
  const members = { id, phenomenon, grammatical, ungrammatical, context, stem };
  if (certificate.rule === "SK_GENDER" || certificate.rule === "SK_DUAL") {
    // A modifier's stem has forms in each gender, so no single paradigm contains both.
    const [from, to] = labels.map((label) => parseCell(label.slice(0, 6)));
    const [gender, other] = labels.map((label) =>
      GENDERS.find((name) => label.endsWith(`.${name[0]}`))!
    );
    const word = { stem_class: "modifier", gender: gender! };
    const incorrect = other === gender ? {} : { incorrect_gender: other };
    return nominalRecord(members, { ...word, ...incorrect }, from!, to!, change);
  }
  const { declension, from, to } = paradigmCells(certificate);
  const wrong = GENDERS.find((name) => labels[1].endsWith(`.${name[0]}`))!;
  const other = otherDeclension(declension, wrong);
  if (certificate.rule !== "SK_DECLENSION" || other === undefined) {
    return contrastRecord({ ...members, declension, from, to, target, variant });
  }
  const { label: stem_class, gender } = DECLENSIONS[declension];
  return nominalRecord(members, { stem_class, gender, incorrect_gender: wrong }, from, to, {
    ...change,
    ending_from: endingOf(declension, from),
    ending_to: endingOf(other, to),
  });
}

/** Returns the differing ends of two forms, from the first different written syllable. */
function differingEnds(target: string, variant: string) {
  const [from, to] = [graphemes(target), graphemes(variant)];
  const shared = from.findIndex((syllable, at) => syllable !== to[at]);
  const at = shared === -1 ? from.length : shared;
  return { ending_from: from.slice(at).join(""), ending_to: to.slice(at).join("") };
}

/**
 * Returns a certificate's declension and cells.
 * `gen.sg.m` of a stem in -a is a masculine a-stem.
 */
export function paradigmCells(
  { lemma, cellFrom, cellTo }: Pick<Certificate, "lemma" | "cellFrom" | "cellTo">,
): {
  readonly declension: DeclensionClass;
  readonly from: ParadigmCell;
  readonly to: ParadigmCell;
} {
  const [kase, number, gender] = cellFrom.split(".");
  const declension = [...NOUN_DECLENSIONS, ...OTHER_DECLENSIONS].find((name) =>
    lemma.endsWith(DECLENSIONS[name].stemEnd) &&
    DECLENSIONS[name].gender === GENDERS.find((name) => name[0] === gender)
  );
  if (declension === undefined) {
    throw new SyntaxError(`Cannot decline ${lemma}: no declension of its gender in ${cellFrom}`);
  }
  const from = parseCell(`${kase}.${number}`);
  return { declension, from, to: parseCell(cellTo.split(".").slice(0, 2).join(".")) };
}

/** Writes records, one per line, atomically. */
export function writeContrasts(path: string, records: readonly object[]): void {
  writeTextAtomic(path, jsonLines(records));
}

/** Reads the records of a contrast set. @throws {SyntaxError} naming the first damaged line. */
export const readContrasts = (path: string): readonly ContrastRecord[] =>
  readRecords(path, parseContrastRecord);

/**
 * Reads the records of a generated file, one per line.
 * @throws {SyntaxError} naming the first damaged line.
 */
export function readRecords<Row>(path: string, parse: (value: unknown) => Row): readonly Row[] {
  const { rows, damaged } = readJsonLines(path, parse);
  const [first] = damaged;
  if (first === undefined) return rows;
  throw new SyntaxError(
    `Cannot read ${path}: line ${first.line} is damaged (${first.reason}), ${damaged.length} such ` +
      "in all. Run 22_sanskrit_generation again, or restore the committed file.",
  );
}
