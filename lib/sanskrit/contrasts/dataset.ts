import { writeTextAtomic } from "../../files/atomic.ts";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import { CERTIFICATE_TABLE } from "../../pairs/dataset.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Certificate, Rejection } from "../../pairs/pair.ts";
import { parseRejection, REJECTION_COLUMNS, rejectionRow } from "../../pairs/pair_files.ts";
import { withCertificate } from "../../pairs/read_dataset.ts";
import { variantForm } from "../../pairs/sentence_difference.ts";
import { type Cell, GENDERS, parseCell } from "../cell.ts";
import { type DeclensionClass, DECLENSIONS } from "../declension.ts";
import { NOUN_DECLENSIONS } from "../extraction/noun_declensions.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import type { Phenomenon } from "./candidate.ts";
import { readContrasts, writeContrasts } from "./contrast_file.ts";
import { type ContrastRecord, contrastRecord, pairOfRecord } from "./contrast_record.ts";

const MAKER = "22_sanskrit_generation";

/** Where a contrast set and what stands behind it are kept. */
export interface ContrastFiles {
  readonly pairs: string;
  readonly certificates: string;
}

/** Writes pairs and certificates, each file whole or not at all. */
export function writeContrastSet(
  items: readonly DatasetItem<Phenomenon>[],
  files: ContrastFiles = SANSKRIT_PATHS,
): void {
  const rows = items.map(({ certificate }) => CERTIFICATE_TABLE.format(certificate));
  writeTextAtomic(files.certificates, formatCsv(CERTIFICATE_TABLE.columns, rows));
  writeContrasts(files.pairs, items.map(recordOfItem));
}

/** Writes every refusal with its reason. */
export function writeRejections(path: string, rejections: readonly Rejection[]): void {
  writeTextAtomic(path, formatCsv(REJECTION_COLUMNS, rejections.map(rejectionRow)));
}

/** Every refusal. @throws {SyntaxError} naming the first damaged line. */
export function readRejections(path: string): readonly Rejection[] {
  return readWhole(path, REJECTION_COLUMNS, parseRejection, MAKER);
}

/** A pair with its record and the certificate behind it. */
export interface ContrastItem extends DatasetItem<Phenomenon> {
  readonly record: ContrastRecord;
}

/**
 * A contrast set as written.
 * @throws {SyntaxError} for a damaged line, for a pair whose certificate is another's, and for
 * certificates that no pair has: one of the two files is of another run.
 */
export function readContrastSet(files: ContrastFiles = SANSKRIT_PATHS): readonly ContrastItem[] {
  const certificates = new Map(
    readWhole(files.certificates, CERTIFICATE_TABLE.columns, CERTIFICATE_TABLE.parse, MAKER)
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

/** A pair with its certificate as a line of the contrast set. */
export function recordOfItem({ pair, certificate }: DatasetItem<Phenomenon>): ContrastRecord {
  const { id, phenomenon, grammatical, ungrammatical, target, context = "" } = pair;
  const { declension, from, to } = paradigmCells(certificate);
  return contrastRecord({
    ...{ id, phenomenon, grammatical, ungrammatical, context, target, declension, from, to },
    stem: certificate.lemma,
    variant: variantForm(pair),
  });
}

/** What a certificate says of its noun: `gen.sg.m` of a stem in -a is of the masculine a-stems. */
export function paradigmCells(
  { lemma, cellFrom, cellTo }: Pick<Certificate, "lemma" | "cellFrom" | "cellTo">,
): { readonly declension: DeclensionClass; readonly from: Cell; readonly to: Cell } {
  const [kase, number, gender] = cellFrom.split(".");
  const declension = NOUN_DECLENSIONS.find((name) =>
    lemma.endsWith(DECLENSIONS[name].stemEnd) &&
    DECLENSIONS[name].gender === GENDERS.find((own) => own[0] === gender)
  );
  if (declension === undefined) {
    throw new SyntaxError(`Cannot decline ${lemma}: no declension of its gender in ${cellFrom}`);
  }
  const from = parseCell(`${kase}.${number}`);
  return { declension, from, to: parseCell(cellTo.split(".").slice(0, 2).join(".")) };
}
