/** A data set on disk: pairs, the certificates behind them, and what was refused. */
import { resolve } from "node:path";
import { z } from "zod";
import { type Column, field, name, oneOf, type Table, table, text, whole } from "../files/table.ts";
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

export interface DatasetItem<Phenomenon extends string = string> {
  readonly pair: MinimalPair<Phenomenon>;
  readonly certificate: Certificate;
}

/** Numbers the chosen pairs from 001 within each phenomenon, in the order given. */
export function numberPairs<Phenomenon extends string>(
  prefix: string,
  chosen: readonly CertifiedPair<Phenomenon>[],
): readonly DatasetItem<Phenomenon>[] {
  const counts = new Map<Phenomenon, number>();
  return chosen.map(({ pair, certificate }) => {
    const n = (counts.get(pair.phenomenon) ?? 0) + 1;
    counts.set(pair.phenomenon, n);
    const id = formatPairId(prefix, pair.phenomenon, n);
    return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
  });
}

/** How a study's table differs from another's: its place, who makes it, and the manifest's words. */
interface DatasetPlace {
  readonly path: string;
  readonly about?: string;
  readonly licence?: string;
  readonly maker?: string;
  /** Sentences of columns that say something else in this study. */
  readonly sentences?: Readonly<Record<string, string>>;
}

/** What a table's description says of its place, and its columns in the study's words. */
function described<C extends Readonly<Record<string, unknown>>>(
  { path, sentences = {}, ...words }: DatasetPlace,
  columns: C,
) {
  const own = Object.entries(sentences).map(([column, sentence]) => [
    column,
    { ...columns[column] as Column<unknown>, sentence },
  ]);
  return {
    about: "a data set",
    maker: "the generation",
    ...words,
    path: resolve(path),
    columns: { ...columns, ...Object.fromEntries(own) } as C,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Rows named as the columns are, but in camel case: `errorType` stands in `error_type`. */
export function camelCase<Row>() {
  const renamed = (fields: Fields, rename: (name: string) => string) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));
  return {
    read: (fields: Fields) =>
      renamed(fields, (name) => name.replace(/_(\w)/g, (_, next) => next.toUpperCase())) as Row,
    write: (row: Row) =>
      renamed(
        row as Fields,
        (name) => name.replace(/[A-Z]/g, (next) => `_${next.toLowerCase()}`),
      ) as never,
  };
}

/**
 * `minimal_pairs.csv`, in the six columns of the specification; a pair's context has none. Refused are
 * an id that does not follow the pattern or names another phenomenon, sentences that do not differ in
 * one token, and a target that is not that token.
 */
export function pairsTable<Phenomenon extends string>(
  place: DatasetPlace,
  phenomena: readonly Phenomenon[],
): Table<MinimalPair<Phenomenon>> {
  const columns = {
    id: name("`{PREFIX}_{PHENOMENON}_{NNN}`"),
    phenomenon: oneOf(phenomena, phenomena.join(", ")),
    grammatical: name("the sentence of the source"),
    ungrammatical: name("the same with one word changed"),
    target: name("the word that was changed, as it stands in the grammatical sentence"),
    error_type: name("what was done to it"),
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

/** A list in one field; an entry that would come back as two is refused with a RangeError. */
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
  chapter: whole("chapter of the source"),
  sentence: whole("position as in `sentences.csv`"),
};

export function certificatesTable(place: DatasetPlace): Table<Certificate> {
  const columns = {
    pair_id: name("pair, as in `minimal_pairs.csv`"),
    ...SOURCE,
    rule: name("identifier of the linguistic fact in lib/norse"),
    lemma: name("word tested; the cluster of every interval"),
    construction: text("frame in which it is tested"),
    cell_from: text("paradigm cell of the grammatical form"),
    cell_to: text("paradigm cell of the variant"),
    checks: list("checks that passed, in order, divided by `; `"),
    marks: list("what the variant breaks besides its phenomenon, or a caveat; may be empty"),
    explanation: name("why the variant is wrong, in English"),
    source_spelling: text("the sentence in the edition's spelling"),
    proposed_by: name("`rules`, or the model that proposed it"),
    prompt_sha256: hash(
      /^(?:[0-9a-f]{64})?$/,
      "of the template in `prompts/` the model was asked with; empty for rules",
    ),
    sha256: hash(/^[0-9a-f]{64}$/, "over phenomenon, both sentences and rule"),
  };
  return table({ ...described(place, columns), form: withSource<Certificate>(), key: ["pair_id"] });
}

/** Rows in camel case whose source stands in three columns. */
function withSource<Row extends { readonly source: SourceLocation }>() {
  const { read, write } = camelCase<Omit<Row, "source">>();
  return {
    read: ({ text, chapter, sentence, ...row }: SourceLocation) =>
      ({ source: { text, chapter, sentence }, ...read(row) }) as Row,
    write: ({ source, ...row }: Row) => ({ ...source, ...write(row) as object }) as never,
  };
}

/** `rejections.csv`: every candidate that makes no pair, and why. */
export function rejectionsTable(place: DatasetPlace): Table<Rejection> {
  const columns = {
    phenomenon: name("whose rule looked at it"),
    ...SOURCE,
    candidate: text("the word, and where one was made the variant: `hann>hann`"),
    reason: name("one of the reasons of lib/norse; `not_selected` is certified surplus"),
    detail: text("one line more; may be empty"),
  };
  return table({ ...described(place, columns), form: withSource<Rejection>() });
}

export interface WriteDatasetOptions<Phenomenon extends string> {
  readonly pairsPath: string;
  readonly certificatesPath: string;
  readonly phenomena: readonly Phenomenon[];
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** What the items depend on, for the error, e.g. `seed 20251121`. */
  readonly settings: string;
}

/**
 * Writes a data set pair by pair, so that a killed run loses nothing: of each pair first the
 * certificate, then the pair, each as one whole line. A run that finds files skips what is there and
 * completes what is missing; damaged lines are set aside and written anew. In the end the files are the
 * same bytes whatever happened on the way.
 * @throws before anything is written: SyntaxError for wrong columns, RangeError for ids given twice,
 * Error where a row is not what these settings give.
 */
export function writeDataset<Phenomenon extends string>(
  { pairsPath, certificatesPath, phenomena, items, settings }: WriteDatasetOptions<Phenomenon>,
) {
  const wantedPairs = items.map(({ pair }) => pair);
  const wantedCertificates = items.map(({ certificate }) => certificate);
  const ids = new Set<string>();
  for (const { pair: { id }, certificate: { pairId } } of items) {
    if (id !== pairId) {
      throw new RangeError(`Cannot write pair ${id}: its certificate is ${pairId}'s.`);
    }
    if (ids.has(id)) throw new RangeError(`Cannot write pair ${id}: its id is given twice.`);
    ids.add(id);
  }
  const pairTable = pairsTable({ path: pairsPath }, phenomena);
  const certificateTable = certificatesTable({ path: certificatesPath });
  // Both files are read before either is written.
  requireWanted(pairTable, wantedPairs, settings);
  requireWanted(certificateTable, wantedCertificates, settings);
  using certificates = certificateTable.open();
  using pairs = pairTable.open();
  const kept = items.filter(({ pair, certificate }) =>
    pairs.rows.has(pairTable.keyOf(pair)) &&
    certificates.rows.has(certificateTable.keyOf(certificate))
  ).length;
  for (const { pair, certificate } of items) {
    certificates.put(certificate);
    pairs.put(pair);
  }
  certificates[Symbol.dispose]();
  pairs[Symbol.dispose]();
  inOrder(certificateTable, wantedCertificates);
  inOrder(pairTable, wantedPairs);
  return { written: items.length - kept, kept };
}

/** Pairs that were added or completed now, and those that stood there whole. */
export type DatasetReport = ReturnType<typeof writeDataset>;

/** Brings a table into its order, where it is not: a run that was resumed ends in the same bytes. */
function inOrder<Row>(table: Table<Row>, rows: readonly Row[]): void {
  if (table.format(rows) !== Deno.readTextFileSync(table.path)) table.write(rows);
}

/** @throws {Error} where the table has a row that is none of these. */
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
 * A pair with the certificate that is its own.
 * @throws {SyntaxError} where there is none, or one whose hash is another pair's.
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
