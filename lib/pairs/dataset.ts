/** A data set on disk: pairs, the certificates behind them, and what was refused. */
import { resolve } from "node:path";
import { z } from "zod";
import type { DamagedLine } from "../files/csv.ts";
import { field, name, oneOf, type Table, table, text, whole } from "../files/table.ts";
import { certificateHash, type CertifiedPair } from "./certify.ts";
import {
  type Certificate,
  describeDifference,
  formatPairId,
  type MinimalPair,
  parsePairId,
  type Rejection,
  sentenceDifference,
} from "./pair.ts";

/** A pair of the data set with its certificate. */
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

const described = ({ path, about = "a data set", licence = "MIT", maker }: DatasetPlace) => ({
  path: resolve(path),
  about,
  licence,
  maker: maker ?? "the generation",
});

/**
 * `minimal_pairs.csv`, in the six columns of the specification; a pair's context has none. Refused are
 * an id that does not follow the pattern or names another phenomenon, sentences that do not differ in
 * one token, and a target that is not that token.
 */
export function pairsTable<Phenomenon extends string>(
  place: DatasetPlace,
  phenomena: readonly Phenomenon[],
): Table<MinimalPair<Phenomenon>> {
  const { sentences = {} } = place;
  return table({
    ...described(place),
    columns: {
      id: name(sentences.id ?? "`{PREFIX}_{PHENOMENON}_{NNN}`"),
      phenomenon: oneOf(phenomena, sentences.phenomenon ?? phenomena.join(", ")),
      grammatical: name(sentences.grammatical ?? "the sentence of the source"),
      ungrammatical: name("the same with one word changed"),
      target: name("the word that was changed, as it stands in the grammatical sentence"),
      error_type: name(sentences.error_type ?? "what was done to it"),
    },
    form: {
      read: ({ error_type, ...pair }): MinimalPair<Phenomenon> => ({
        ...pair,
        errorType: error_type,
      }),
      write: ({ id, phenomenon, grammatical, ungrammatical, target, errorType }) => ({
        id,
        phenomenon,
        grammatical,
        ungrammatical,
        target,
        error_type: errorType,
      }),
    },
    key: ["id"],
    check({ id, phenomenon, grammatical, ungrammatical, target }) {
      if (parsePairId(id).phenomenon !== phenomenon) {
        throw new SyntaxError(`${id}: the phenomenon is ${phenomenon}`);
      }
      const difference = sentenceDifference(grammatical, ungrammatical);
      if (difference.kind !== "one_token") {
        throw new SyntaxError(`${id}: ${describeDifference(difference)}`);
      }
      if (difference.from !== target) {
        throw new SyntaxError(`${id}: target ${target}, but ${difference.from} differs`);
      }
    },
  });
}

/** Canonical digits only: what is written again must be the same bytes. */
const position = (sentence: string) => whole(sentence);
const SEPARATOR = "; ";

/** A list in one field; an entry that would come back as two is refused with a RangeError. */
function list(sentence: string) {
  return field(
    z.string().transform((joined): readonly string[] =>
      joined === "" ? [] : joined.split(SEPARATOR)
    ),
    sentence,
    (entries) => {
      const wrong = entries.find((entry) => entry === "" || entry.includes(";"));
      if (wrong === undefined) return entries.join(SEPARATOR);
      throw new RangeError(
        `Cannot write a certificate: list entry "${wrong}" is empty or holds a semicolon.`,
      );
    },
  );
}

const hash = (pattern: RegExp, sentence: string) =>
  field(z.string().regex(pattern, "no SHA-256 in hexadecimal digits"), sentence);

/** `certificates.csv`: one a pair. */
export function certificatesTable(place: DatasetPlace): Table<Certificate> {
  const { sentences = {} } = place;
  const say = (column: string, usual: string) => sentences[column] ?? usual;
  return table({
    ...described(place),
    columns: {
      pair_id: name(say("pair_id", "pair, as in `minimal_pairs.csv`")),
      text: name("title of the source"),
      chapter: position(say("chapter", "chapter of the source")),
      sentence: position(say("sentence", "position as in `sentences.csv`")),
      rule: name(say("rule", "identifier of the linguistic fact in lib/norse")),
      lemma: name(say("lemma", "word tested; the cluster of every interval")),
      construction: text(say("construction", "frame in which it is tested")),
      cell_from: text(say("cell_from", "paradigm cell of the grammatical form")),
      cell_to: text(say("cell_to", "paradigm cell of the variant")),
      checks: list("checks that passed, in order, divided by `; `"),
      marks: list(
        say("marks", "what the variant breaks besides its phenomenon, or a caveat; may be empty"),
      ),
      explanation: name("why the variant is wrong, in English"),
      source_spelling: text(say("source_spelling", "the sentence in the edition's spelling")),
      proposed_by: name(say("proposed_by", "`rules`, or the model that proposed it")),
      prompt_sha256: hash(
        /^(?:[0-9a-f]{64})?$/,
        say(
          "prompt_sha256",
          "of the template in `prompts/` the model was asked with; empty for rules",
        ),
      ),
      sha256: hash(
        /^[0-9a-f]{64}$/,
        say("sha256", "over phenomenon, both sentences and rule"),
      ),
    },
    form: {
      read: (row): Certificate => ({
        pairId: row.pair_id,
        source: { text: row.text, chapter: row.chapter, sentence: row.sentence },
        rule: row.rule,
        lemma: row.lemma,
        construction: row.construction,
        cellFrom: row.cell_from,
        cellTo: row.cell_to,
        checks: row.checks,
        marks: row.marks,
        explanation: row.explanation,
        sourceSpelling: row.source_spelling,
        proposedBy: row.proposed_by,
        promptSha256: row.prompt_sha256,
        sha256: row.sha256,
      }),
      write: (certificate) => ({
        pair_id: certificate.pairId,
        ...certificate.source,
        rule: certificate.rule,
        lemma: certificate.lemma,
        construction: certificate.construction,
        cell_from: certificate.cellFrom,
        cell_to: certificate.cellTo,
        checks: certificate.checks,
        marks: certificate.marks,
        explanation: certificate.explanation,
        source_spelling: certificate.sourceSpelling,
        proposed_by: certificate.proposedBy,
        prompt_sha256: certificate.promptSha256,
        sha256: certificate.sha256,
      }),
    },
    key: ["pair_id"],
  });
}

/** `rejections.csv`: every candidate that makes no pair, and why. */
export function rejectionsTable(place: DatasetPlace): Table<Rejection> {
  const { sentences = {} } = place;
  const say = (column: string, usual: string) => sentences[column] ?? usual;
  return table({
    ...described(place),
    columns: {
      phenomenon: name(say("phenomenon", "whose rule looked at it")),
      text: name("title of the source"),
      chapter: position(say("chapter", "chapter of the source")),
      sentence: position(say("sentence", "position as in `sentences.csv`")),
      candidate: text(
        say("candidate", "the word, and where one was made the variant: `hann>hann`"),
      ),
      reason: name(
        say("reason", "one of the reasons of lib/norse; `not_selected` is certified surplus"),
      ),
      detail: text("one line more; may be empty"),
    },
    form: {
      read: ({ text, chapter, sentence, ...row }): Rejection => ({
        source: { text, chapter, sentence },
        ...row,
      }),
      write: ({ source, phenomenon, candidate, reason, detail }) => ({
        phenomenon,
        ...source,
        candidate,
        reason,
        detail,
      }),
    },
  });
}

/** Where a data set stands. */
interface DatasetPaths {
  /** `minimal_pairs.csv` */
  readonly pairsPath: string;
  /** `certificates.csv` */
  readonly certificatesPath: string;
}

export interface WriteDatasetOptions<Phenomenon extends string> extends DatasetPaths {
  readonly phenomena: readonly Phenomenon[];
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** What the items depend on, for the error, e.g. `seed 20251121`. */
  readonly settings: string;
  /** Called when pair and certificate stand in their files. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface DatasetReport {
  /** Pairs that were added or completed now. */
  readonly written: number;
  /** Pairs that stood there whole. */
  readonly kept: number;
  readonly damaged: {
    readonly pairs: readonly DamagedLine[];
    readonly certificates: readonly DamagedLine[];
  };
}

/**
 * Writes a data set pair by pair, so that a killed run loses nothing: of each pair first the
 * certificate, then the pair, each as one whole line. A run that finds files checks that every row
 * is one it would write, skips it, and completes what is missing; damaged lines are set aside and
 * written anew. In the end the files are the same bytes whatever happened on the way.
 *
 * Before anything is written it throws SyntaxError for wrong columns, RangeError for ids given
 * twice, and Error where a row is not what these settings give.
 */
export function writeDataset<Phenomenon extends string>(
  options: WriteDatasetOptions<Phenomenon>,
): DatasetReport {
  const { pairsPath, certificatesPath, phenomena, items, settings } = options;
  requireDistinct(items);
  const place = new Map(items.map(({ pair }, index) => [pair.id, index]));
  const at = (id: string) => place.get(id) ?? 0;
  const pairTable = pairsTable({ path: pairsPath }, phenomena);
  const certificateTable = certificatesTable({ path: certificatesPath });
  // Both files are read before either is written.
  requireWanted(pairTable, items.map(({ pair }) => pair), settings);
  requireWanted(certificateTable, items.map(({ certificate }) => certificate), settings);
  using certificates = certificateTable.open();
  using pairs = pairTable.open();
  const isWhole = ({ pair, certificate }: DatasetItem<Phenomenon>) =>
    certificates.rows.has(certificateTable.keyOf(certificate)) &&
    pairs.rows.has(pairTable.keyOf(pair));
  const kept = items.filter(isWhole).length;
  for (const [index, { pair, certificate }] of items.entries()) {
    certificates.put(certificate);
    pairs.put(pair);
    options.onProgress?.(index + 1, items.length);
  }
  const { damaged } = pairs;
  certificates[Symbol.dispose]();
  pairs[Symbol.dispose]();
  inOrder(certificateTable, ({ pairId }) => at(pairId));
  inOrder(pairTable, ({ id }) => at(id));
  return {
    written: items.length - kept,
    kept,
    damaged: { pairs: damaged, certificates: certificates.damaged },
  };
}

/** Brings a table into its order, where it is not: a run that was resumed ends in the same bytes. */
function inOrder<Row>(table: Table<Row>, placeOf: (row: Row) => number): void {
  const rows = new Map(table.read().map((row) => [table.keyOf(row), row]));
  const ordered = [...rows.values()].sort((a, b) => placeOf(a) - placeOf(b));
  if (table.format(ordered) !== Deno.readTextFileSync(table.path)) table.write(ordered);
}

function requireDistinct(items: readonly DatasetItem[]): void {
  const seen = new Set<string>();
  for (const { pair, certificate } of items) {
    if (seen.has(pair.id) || certificate.pairId !== pair.id) {
      throw new RangeError(
        `Cannot write pair ${pair.id}: its id is given twice, or its certificate is ` +
          `${certificate.pairId}'s.`,
      );
    }
    seen.add(pair.id);
  }
}

/** @throws {Error} where the table has a row that is none of these. */
function requireWanted<Row>(table: Table<Row>, wanted: readonly Row[], settings: string): void {
  const lineOf = (row: Row | undefined) =>
    row === undefined ? "nothing" : table.format([row]).split("\n")[1];
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

/** A data set as read: its pairs with their certificates, and the lines that are neither. */
interface ReadDataset<Phenomenon extends string> {
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly damaged: readonly (DamagedLine & { readonly path: string })[];
}

/**
 * Reads pairs and certificates and joins them. Throws SyntaxError for wrong columns, for a pair
 * without certificate and for a certificate whose hash is not its pair's, and
 * Deno.errors.NotFound where a file is missing.
 */
export function readDataset<Phenomenon extends string>(
  { pairsPath, certificatesPath }: DatasetPaths,
  phenomena: readonly Phenomenon[],
): ReadDataset<Phenomenon> {
  for (const path of [pairsPath, certificatesPath]) Deno.statSync(path);
  const pairs = pairsTable({ path: pairsPath }, phenomena).readSoFar();
  const certificates = certificatesTable({ path: certificatesPath }).readSoFar();
  const byId = new Map(certificates.rows.map((row) => [row.pairId, row]));
  const files = { pairsPath, certificatesPath, remedy: "Generate it anew." };
  const at = (path: string) => (line: DamagedLine) => ({ path, ...line });
  return {
    items: pairs.rows.map((pair) => withCertificate(pair, byId.get(pair.id), files)),
    damaged: [
      ...pairs.damaged.map(at(pairsPath)),
      ...certificates.damaged.map(at(certificatesPath)),
    ],
  };
}

/**
 * A pair with the certificate that is its own. Throws SyntaxError where there is none, or one whose
 * hash is another pair's.
 */
export function withCertificate<Phenomenon extends string>(
  pair: MinimalPair<Phenomenon>,
  certificate: Certificate | undefined,
  files: DatasetPaths & { readonly remedy: string },
): DatasetItem<Phenomenon> {
  const hash = certificate && certificateHash({ ...pair, rule: certificate.rule });
  if (certificate && hash === certificate.sha256) return { pair, certificate };
  throw new SyntaxError(
    `Cannot read pair ${pair.id} of ${files.pairsPath}: ${files.certificatesPath} has ` +
      `${certificate ? "another pair's hash" : "no certificate"} for it. ${files.remedy}`,
  );
}
