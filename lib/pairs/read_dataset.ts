import type { DamagedLine } from "../files/csv.ts";
import { readCsv } from "../files/csv.ts";
import { certificateHash } from "./certify.ts";
import { CERTIFICATE_TABLE, type DatasetPaths, pairTable } from "./dataset.ts";
import type { DatasetItem } from "./number_pairs.ts";
import type { Certificate, MinimalPair } from "./pair.ts";

/** A data set as read: its pairs with their certificates, and the lines that are neither. */
export interface ReadDataset<Phenomenon extends string> {
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
  const { columns, parse } = pairTable(phenomena);
  const pairs = readCsv(pairsPath, columns, parse);
  const certificates = readCsv(
    certificatesPath,
    CERTIFICATE_TABLE.columns,
    CERTIFICATE_TABLE.parse,
  );
  const byId = new Map(certificates.rows.map((row) => [row.pairId, row]));
  const files = { pairsPath, certificatesPath, remedy: "Generate it anew." };
  const items = pairs.rows.map((pair) => withCertificate(pair, byId.get(pair.id), files));
  const at = (path: string) => (line: DamagedLine) => ({ path, ...line });
  return {
    items,
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
