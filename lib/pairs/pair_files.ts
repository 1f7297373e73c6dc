import type { CsvValue, ParseRow } from "../files/csv.ts";
import { parsePairId } from "./identifier.ts";
import type { Certificate, MinimalPair, Rejection, SourceLocation } from "./pair.ts";
import { describeDifference, sentenceDifference } from "./sentence_difference.ts";

/** The data set's six columns, exactly as specified. */
export const PAIR_COLUMNS = [
  "id",
  "phenomenon",
  "grammatical",
  "ungrammatical",
  "target",
  "error_type",
] as const;
export type PairColumn = (typeof PAIR_COLUMNS)[number];

export const CERTIFICATE_COLUMNS = [
  "pair_id",
  "text",
  "chapter",
  "sentence",
  "rule",
  "lemma",
  "construction",
  "cell_from",
  "cell_to",
  "checks",
  "marks",
  "explanation",
  "source_spelling",
  "proposed_by",
  "prompt_sha256",
  "sha256",
] as const;
export type CertificateColumn = (typeof CERTIFICATE_COLUMNS)[number];

export const REJECTION_COLUMNS = [
  "phenomenon",
  "text",
  "chapter",
  "sentence",
  "candidate",
  "reason",
  "detail",
] as const;
export type RejectionColumn = (typeof REJECTION_COLUMNS)[number];

type CsvRow<Column extends string> = Readonly<Record<Column, CsvValue>>;
const LIST_SEPARATOR = "; ";

/** A pair as its row of `minimal_pairs.csv`. The context has no column there. */
export function pairRow(pair: MinimalPair): CsvRow<PairColumn> {
  const { id, phenomenon, grammatical, ungrammatical, target, errorType } = pair;
  return { id, phenomenon, grammatical, ungrammatical, target, error_type: errorType };
}

/**
 * Reads rows of `minimal_pairs.csv`. The parser throws SyntaxError for an empty field, an id that
 * does not follow the pattern or names another phenomenon, a phenomenon that is not of the study,
 * sentences that do not differ in one token, and a target that is not that token.
 */
export function pairParser<Phenomenon extends string>(
  phenomena: readonly Phenomenon[],
): ParseRow<PairColumn, MinimalPair<Phenomenon>> {
  return (record) => {
    requireFilled(record, PAIR_COLUMNS);
    const { id, grammatical, ungrammatical, target, error_type: errorType } = record;
    const phenomenon = phenomena.find((name) => name === record.phenomenon);
    if (phenomenon === undefined) throw new SyntaxError(`${id}: no phenomenon of this study`);
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
    return { id, phenomenon, grammatical, ungrammatical, target, errorType };
  };
}

/**
 * A certificate as its row of `certificates.csv`; lists are joined with "; ".
 * Throws RangeError where an entry of a list holds that separator itself.
 */
export function certificateRow(certificate: Certificate): CsvRow<CertificateColumn> {
  const { pairId, source, checks, marks } = certificate;
  return {
    pair_id: pairId,
    ...source,
    rule: certificate.rule,
    lemma: certificate.lemma,
    construction: certificate.construction,
    cell_from: certificate.cellFrom,
    cell_to: certificate.cellTo,
    checks: joinList(pairId, checks),
    marks: joinList(pairId, marks),
    explanation: certificate.explanation,
    source_spelling: certificate.sourceSpelling,
    proposed_by: certificate.proposedBy,
    prompt_sha256: certificate.promptSha256,
    sha256: certificate.sha256,
  };
}

/** Reads a row of `certificates.csv`. Throws SyntaxError for no id, a wrong place or hash. */
export const parseCertificate: ParseRow<CertificateColumn, Certificate> = (record) => {
  requireFilled(record, ["pair_id", "text", "rule", "lemma", "explanation", "proposed_by"]);
  if (!/^[0-9a-f]{64}$/.test(record.sha256)) {
    throw new SyntaxError(`${record.pair_id}: sha256 is no SHA-256 in hexadecimal digits`);
  }
  if (!/^(?:[0-9a-f]{64})?$/.test(record.prompt_sha256)) {
    throw new SyntaxError(`${record.pair_id}: prompt_sha256 is neither empty nor a SHA-256`);
  }
  return {
    pairId: record.pair_id,
    source: parseSource(record),
    rule: record.rule,
    lemma: record.lemma,
    construction: record.construction,
    cellFrom: record.cell_from,
    cellTo: record.cell_to,
    checks: splitList(record.checks),
    marks: splitList(record.marks),
    explanation: record.explanation,
    sourceSpelling: record.source_spelling,
    proposedBy: record.proposed_by,
    promptSha256: record.prompt_sha256,
    sha256: record.sha256,
  };
};

/** A rejection as its row of `rejections.csv`. */
export function rejectionRow(rejection: Rejection): CsvRow<RejectionColumn> {
  const { source, phenomenon, candidate, reason, detail } = rejection;
  return { phenomenon, ...source, candidate, reason, detail };
}

/** Reads a row of `rejections.csv`. Throws SyntaxError for a wrong place or an empty reason. */
export const parseRejection: ParseRow<RejectionColumn, Rejection> = (record) => {
  requireFilled(record, ["phenomenon", "text", "reason"]);
  const { phenomenon, candidate, reason, detail } = record;
  return { source: parseSource(record), phenomenon, candidate, reason, detail };
};

function parseSource(
  record: Readonly<Record<"text" | "chapter" | "sentence", string>>,
): SourceLocation {
  const { text } = record;
  return { text, chapter: wholeNumber(record.chapter), sentence: wholeNumber(record.sentence) };
}

/** Canonical digits only: what is written again must be the same bytes. */
function wholeNumber(text: string): number {
  if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) throw new SyntaxError(`"${text}" is no whole number`);
  return Number(text);
}

function requireFilled<Column extends string>(
  record: Readonly<Record<Column, string>>,
  columns: readonly Column[],
): void {
  const empty = columns.find((column) => record[column].trim() === "");
  if (empty) throw new SyntaxError(`${empty} is empty`);
}

function joinList(pairId: string, list: readonly string[]): string {
  const wrong = list.find((entry) => entry === "" || entry.includes(LIST_SEPARATOR.trim()));
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot write certificate ${pairId}: list entry "${wrong}" is empty or holds a semicolon.`,
    );
  }
  return list.join(LIST_SEPARATOR);
}

function splitList(text: string): readonly string[] {
  return text === "" ? [] : text.split(LIST_SEPARATOR);
}
