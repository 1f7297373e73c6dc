/** Files of a data set: pairs, their certificates, and rejected candidates. */
import { resolve } from "node:path";
import { z } from "zod";
import { parseCsv } from "../files/csv.ts";
import {
  type Column,
  field,
  name,
  oneOf,
  type Table,
  table,
  text,
  wholeNumber,
} from "../files/table.ts";
import { certificateHash, type CertifiedPair } from "./certify.ts";
import {
  type Certificate,
  formatPairId,
  type MinimalPair,
  parsePairId,
  type Rejection,
  sentenceDifference,
  type SourceLocation,
} from "./pair.ts";
import type { TableMetadata } from "./study.ts";

export interface DatasetItem<Phenomenon extends string = string> {
  readonly pair: MinimalPair<Phenomenon>;
  readonly certificate: Certificate;
}

/**
 * Numbers pairs from 001 within each phenomenon, in the given order.
 *
 * Recorded pairs keep their numbers, so that citations and answers stay valid after a rule is
 * corrected. New pairs get the free numbers. The result is sorted by number.
 */
export function numberPairs<Phenomenon extends string>(
  prefix: string,
  chosen: readonly CertifiedPair<Phenomenon>[],
  onRecord: readonly MinimalPair[] = [],
): readonly DatasetItem<Phenomenon>[] {
  const byPhenomenon = Map.groupBy(chosen, ({ pair }) => pair.phenomenon);
  return [...byPhenomenon].flatMap(([phenomenon, own]) =>
    numberTogether((n) => formatPairId(prefix, phenomenon, n), own, onRecord)
  );
}

/**
 * Numbers pairs as {@link numberPairs} does, from 1 across all phenomena. `idOf` formats the n-th
 * id.
 */
export function numberTogether<Phenomenon extends string>(
  idOf: (n: number) => string,
  chosen: readonly CertifiedPair<Phenomenon>[],
  onRecord: readonly MinimalPair[] = [],
): readonly DatasetItem<Phenomenon>[] {
  const members = ({ grammatical, ungrammatical }: Omit<MinimalPair, "id">) =>
    JSON.stringify([grammatical, ungrammatical]);
  const recorded = new Map(onRecord.map((pair) => [members(pair), pair.id]));
  const kept = new Map(chosen.map((one) => [recorded.get(members(one.pair)), one]));
  const ids = chosen.map((_, index) => idOf(index + 1));
  const stay = new Set(ids.map((id) => kept.get(id)));
  const others = chosen.filter((one) => !stay.has(one)).values();
  return ids.map((id) => {
    const { pair, certificate } = kept.get(id) ?? others.next().value!;
    return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
  });
}

/** Options in which studies' tables differ. */
interface DatasetTableOptions extends TableMetadata {
  readonly licence?: string;
  /** Descriptions of columns that differ in this study. */
  readonly sentences?: Readonly<Record<string, string>>;
}

/** Builds a table's description from its metadata, with the study's column descriptions. */
function described<C extends Readonly<Record<string, Pick<Column<unknown>, "sentence">>>>(
  { path, sentences = {}, ...words }: DatasetTableOptions,
  columns: C,
) {
  const own = Object.entries(columns).map(([column, described]) => [
    column,
    { ...described, sentence: sentences[column] ?? described.sentence },
  ]);
  const place = { about: "a data set", maker: "the generation", ...words, path: resolve(path) };
  return { ...place, columns: Object.fromEntries(own) as C };
}

type Fields = Readonly<Record<string, unknown>>;

/** Maps columns in snake case to fields in camel case: `error_type` to `errorType`. */
export function camelCase<Row>() {
  const renamed = (fields: Fields, rename: (name: string) => string) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));
  const camel = (name: string) => name.replace(/_(\w)/g, (_, next) => next.toUpperCase());
  const snake = (name: string) => name.replace(/[A-Z]/g, (next) => `_${next.toLowerCase()}`);
  return {
    read: (fields: Fields) => renamed(fields, camel) as Row,
    write: (row: Row) => renamed(row as Fields, snake) as never,
  };
}

/**
 * Defines `minimal_pairs.csv`, in the specification's six columns, without the pair's context. It
 * refuses an id that is malformed or names another phenomenon, sentences that do not differ in one
 * token, and a target other than that token.
 */
export function pairsTable<Phenomenon extends string>(
  place: DatasetTableOptions,
  phenomena: readonly Phenomenon[],
): Table<MinimalPair<Phenomenon>> {
  const columns = {
    id: name("`{PREFIX}_{PHENOMENON}_{NNN}`"),
    phenomenon: oneOf(phenomena, phenomena.join(", ")),
    grammatical: name("the sentence of the source"),
    ungrammatical: name("the same sentence with one word changed"),
    target: name("changed word, in the form of the grammatical sentence"),
    error_type: name("type of change"),
  };
  return table({
    ...described(place, columns),
    form: camelCase<MinimalPair<Phenomenon>>(),
    key: ["id"],
    check({ id, phenomenon, grammatical, ungrammatical, target }) {
      const difference = sentenceDifference(grammatical, ungrammatical);
      if (parsePairId(id).phenomenon !== phenomenon) {
        throw new SyntaxError(`${id}: the phenomenon is ${phenomenon}`);
      }
      if (difference.kind !== "one_token" || difference.from !== target) {
        throw new SyntaxError(`${id}: target ${target}, but ${difference.words}`);
      }
    },
  });
}

/** Defines a column that holds a list. @throws {RangeError} for an entry with a semicolon. */
function list(sentence: string) {
  const separator = "; ";
  const split = (joined: string): readonly string[] => joined === "" ? [] : joined.split(separator);
  return field(z.string().transform(split), sentence, (entries) => {
    const wrong = entries.find((entry) => entry === "" || entry.includes(";"));
    if (wrong === undefined) return entries.join(separator);
    throw new RangeError(
      `Cannot write a certificate: list entry "${wrong}" is empty or holds a semicolon.`,
    );
  });
}

const hash = (pattern: RegExp, sentence: string) =>
  field(z.string().regex(pattern, "no SHA-256 in hexadecimal digits"), sentence);

const SOURCE = {
  text: name("title of the source"),
  chapter: wholeNumber("chapter of the source"),
  sentence: wholeNumber("position of the sentence, as in `sentences.csv`"),
};

export function certificatesTable(place: DatasetTableOptions): Table<Certificate> {
  const columns = {
    pair_id: name("id of the pair in the set's file of pairs"),
    ...SOURCE,
    rule: name("identifier of the linguistic rule in lib/studies/norse"),
    lemma: name("tested word; intervals cluster by it"),
    construction: text("frame in which the word is tested"),
    cell_from: text("paradigm cell of the grammatical form"),
    cell_to: text("paradigm cell of the variant"),
    checks: list("checks that passed, in order, separated by `; `"),
    marks: list("further errors of the variant, or a caveat; may be empty"),
    explanation: name("reason why the variant is wrong, in English"),
    source_spelling: text("the sentence in the edition's spelling"),
    proposed_by: name("`rules`, or the model that proposed the pair"),
    prompt_sha256: hash(
      /^(?:[0-9a-f]{64})?$/,
      "SHA-256 of the prompt template in `prompts/`; empty for pairs from rules",
    ),
    sha256: hash(/^[0-9a-f]{64}$/, "SHA-256 over phenomenon, both sentences and rule"),
  };
  return table({ ...described(place, columns), form: withSource<Certificate>(), key: ["pair_id"] });
}

/** Returns certificates as records of `certificates.csv`, by column. */
export function certificateRecords(certificates: readonly Certificate[]) {
  const { columns, format } = certificatesTable({ path: "certificates.csv" });
  return parseCsv(format(certificates), columns, (record) => record).rows;
}

/** Maps rows in camel case, with the source in three columns. */
function withSource<Row extends { readonly source: SourceLocation }>() {
  const { read, write } = camelCase<Omit<Row, "source">>();
  return {
    read: ({ text, chapter, sentence, ...row }: SourceLocation) =>
      ({ source: { text, chapter, sentence }, ...read(row) }) as Row,
    write: ({ source, ...row }: Row) => ({ ...source, ...write(row) as object }) as never,
  };
}

/** Defines `rejections.csv`: rejected candidates with reasons. */
export function rejectionsTable(place: DatasetTableOptions): Table<Rejection> {
  const columns = {
    phenomenon: name("phenomenon of the rule that examined the word"),
    ...SOURCE,
    candidate: text("word, and the variant if one was made: `hann>hann`"),
    reason: name("reason code of lib/studies/norse; `not_selected` marks certified surplus"),
    detail: text("details of the reason; may be empty"),
  };
  return table({ ...described(place, columns), form: withSource<Rejection>() });
}

/**
 * Writes a data set pair by pair, so that a killed run loses nothing.
 *
 * The certificate of each pair is written first, then the pair, each as one whole line. A resumed
 * run skips pairs in the files and completes partial ones. Damaged lines are set aside and
 * rewritten. The final files are the same bytes however often a run was interrupted.
 * @param settings Settings of the items for error messages, e.g. `seed 20251121`
 * @returns `written`: pairs added or completed now; `kept`: pairs that were complete before
 * @throws before any write: {SyntaxError} for wrong columns, {RangeError} for duplicate ids,
 * {Error} where a row differs from that of these settings.
 */
export function writeDataset<Phenomenon extends string>(
  tables: DatasetTables<Phenomenon>,
  items: readonly DatasetItem<Phenomenon>[],
  settings: string,
) {
  const [wantedPairs, wantedCertificates] = [
    items.map(({ pair }) => pair),
    items.map(({ certificate }) => certificate),
  ];
  const ids = wantedPairs.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw new RangeError(`Cannot write pair ${twice}: its id is given twice.`);
  // Both files are read before either is written.
  requireWanted(tables.pairs, wantedPairs, settings);
  requireWanted(tables.certificates, wantedCertificates, settings);
  using certificates = tables.certificates.open();
  using pairs = tables.pairs.open();
  const kept =
    items.filter(({ pair, certificate }) =>
      pairs.rows.has(pairs.keyOf(pair)) && certificates.rows.has(certificates.keyOf(certificate))
    ).length;
  for (const { pair, certificate } of items) {
    certificates.put(certificate);
    pairs.put(pair);
  }
  // What was set aside or completed stands behind what came after it.
  tables.certificates.write(wantedCertificates);
  tables.pairs.write(wantedPairs);
  return { written: items.length - kept, kept };
}

/** Tables of a data set. */
interface DatasetTables<Phenomenon extends string> {
  readonly pairs: Table<MinimalPair<Phenomenon>>;
  readonly certificates: Table<Certificate>;
}

/** Checks that a table has only expected rows. @throws {Error} naming any other. */
function requireWanted<Row>(table: Table<Row>, wanted: readonly Row[], settings: string): void {
  const lineOf = (row: Row | undefined) => row ? table.format([row]).split("\n")[1] : "nothing";
  const byKey = new Map(wanted.map((row) => [table.keyOf(row), row]));
  for (const row of table.readSoFar().rows) {
    const [there, here] = [lineOf(row), lineOf(byKey.get(table.keyOf(row)))];
    if (there === here) continue;
    throw new Error(
      `Cannot resume ${table.path}: a row is "${there}", this run gives "${here}". The file was ` +
        `made with other settings: this run has ${settings}. Move the pairs and their ` +
        "certificates away to start anew, or run with the settings they were made with.",
    );
  }
}

/**
 * Joins a pair with its certificate.
 * @throws {SyntaxError} without a certificate, or with the hash of another pair.
 */
export function withCertificate<Phenomenon extends string>(
  pair: MinimalPair<Phenomenon>,
  certificate: Certificate | undefined,
  files: { readonly pairsPath: string; readonly certificatesPath: string; readonly remedy: string },
): DatasetItem<Phenomenon> {
  const hash = certificate && certificateHash({ ...pair, rule: certificate.rule });
  if (certificate && hash === certificate.sha256) return { pair, certificate };
  throw new SyntaxError(
    `Cannot read pair ${pair.id} of ${files.pairsPath}: ${files.certificatesPath} has ` +
      `${certificate ? "another pair's hash" : "no certificate"} for it. ${files.remedy}`,
  );
}
