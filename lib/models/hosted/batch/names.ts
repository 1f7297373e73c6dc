import { sha256Hex } from "../../../files/checksum.ts";
import type { RemoteBatch, RemoteFile } from "./service.ts";

/** Which batches of an organisation belong together: `norse` of the panel `groq`. */
export interface BatchSeries {
  readonly study: string;
  readonly panel: string;
}

const SUFFIX = ".jsonl";

function prefix({ study, panel }: BatchSeries): string {
  return `touchstone_${plainWord(study)}_${plainWord(panel)}_`;
}

/** A name as a part of file names: small letters, digits and hyphens. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/**
 * A batch's name: the same requests, asked for the n-th time, have the same name wherever they are
 * asked from. A run that lost its notes so finds at the host what it has submitted.
 * @param attempt 1 for the first time.
 */
export function batchName(series: BatchSeries, requests: string, attempt: number): string {
  return `${prefix(series)}${sha256Hex(requests).slice(0, 16)}_${attempt}`;
}

/**
 * The name under which the requests are asked next: one above the highest attempt there was, for a
 * batch must not be taken for an earlier one whose neighbours were removed.
 */
export function nextName(
  series: BatchSeries,
  requests: string,
  names: readonly string[],
): string {
  const start = batchName(series, requests, 1).slice(0, -1);
  const attempts = names.filter((name) => name.startsWith(start))
    .map((name) => Number(name.slice(start.length)));
  return batchName(series, requests, 1 + Math.max(0, ...attempts));
}

/** The input file's name at the host. */
export function inputFileName(name: string): string {
  return `${name}${SUFFIX}`;
}

/**
 * The name of a batch if it belongs to the series: from its metadata, or, where the host keeps
 * none, from the name of its input file.
 */
export function nameInSeries(
  series: BatchSeries,
  batch: RemoteBatch,
  files: readonly RemoteFile[],
): string | undefined {
  const file = files.find(({ id }) => id === batch.inputFileId)?.name;
  const names = [batch.name, file?.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : undefined];
  return names.find((name) => name !== undefined && isInSeries(series, name));
}

/** Exactly as `batchName` makes them: a name becomes a folder, and the host's word for it is not ours. */
function isInSeries(series: BatchSeries, name: string): boolean {
  const start = prefix(series);
  return name.startsWith(start) && /^[0-9a-f]{16}_[1-9]\d{0,5}$/.test(name.slice(start.length));
}
