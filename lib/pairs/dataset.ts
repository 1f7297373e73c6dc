import { type DamagedLine, formatCsvRow } from "../files/csv.ts";
import { openKeyedTable, readTable, type TableShape } from "./keyed_table.ts";
import type { DatasetItem } from "./number_pairs.ts";
import type { Certificate, MinimalPair } from "./pair.ts";
import {
  CERTIFICATE_COLUMNS,
  type CertificateColumn,
  certificateRow,
  PAIR_COLUMNS,
  type PairColumn,
  pairParser,
  pairRow,
  parseCertificate,
} from "./pair_files.ts";

/** Where a data set stands. */
export interface DatasetPaths {
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

/** The shape of `minimal_pairs.csv`. */
export function pairTable<Phenomenon extends string>(
  phenomena: readonly Phenomenon[],
): TableShape<PairColumn, MinimalPair<Phenomenon>> {
  return {
    columns: PAIR_COLUMNS,
    parse: pairParser(phenomena),
    format: pairRow,
    keyOf: (pair) => pair.id,
  };
}

/** The shape of `certificates.csv`. */
export const CERTIFICATE_TABLE: TableShape<CertificateColumn, Certificate> = {
  columns: CERTIFICATE_COLUMNS,
  parse: parseCertificate,
  format: certificateRow,
  keyOf: (certificate) => certificate.pairId,
};

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
  const pairShape = pairTable(phenomena);
  requireDistinct(items);
  const wantedPairs = new Map(items.map(({ pair }) => [pair.id, pair]));
  const wantedCertificates = new Map(items.map((item) => [item.pair.id, item.certificate]));
  // Both files are read before either is written.
  requireWanted(pairsPath, pairShape, wantedPairs, settings);
  requireWanted(certificatesPath, CERTIFICATE_TABLE, wantedCertificates, settings);
  using certificates = openKeyedTable(certificatesPath, CERTIFICATE_TABLE);
  using pairs = openKeyedTable(pairsPath, pairShape);
  const isWhole = ({ pair: { id } }: DatasetItem) =>
    certificates.rows.has(id) && pairs.rows.has(id);
  const kept = items.filter(isWhole).length;
  for (const [index, { pair, certificate }] of items.entries()) {
    certificates.put(certificate);
    pairs.put(pair);
    options.onProgress?.(index + 1, items.length);
  }
  const place = new Map(items.map(({ pair }, index) => [pair.id, index]));
  const compare = (a: string, b: string) => (place.get(a) ?? 0) - (place.get(b) ?? 0);
  certificates.finish((a, b) => compare(a.pairId, b.pairId));
  pairs.finish((a, b) => compare(a.id, b.id));
  return {
    written: items.length - kept,
    kept,
    damaged: { pairs: pairs.damaged, certificates: certificates.damaged },
  };
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

function requireWanted<Column extends string, Row>(
  path: string,
  shape: TableShape<Column, Row>,
  wanted: ReadonlyMap<string, Row>,
  settings: string,
): void {
  const line = (row: Row | undefined) =>
    row === undefined ? "nothing" : formatCsvRow(shape.columns, shape.format(row)).trimEnd();
  for (const row of readTable(path, shape).rows) {
    const id = shape.keyOf(row);
    const [there, here] = [line(row), line(wanted.get(id))];
    if (there === here) continue;
    throw new Error(
      `Cannot resume ${path}: row ${id} is "${there}", this run gives "${here}". The file was ` +
        `made with other settings: this run has ${settings}. Move the pairs and their ` +
        "certificates away to start anew, or run with the settings they were made with.",
    );
  }
}
