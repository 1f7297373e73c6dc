import { z } from "zod";
import { sha256Hex } from "../../../files/atomic.ts";
import { byteLength } from "../../model.ts";

export interface BatchRequest {
  readonly customId: string;
  readonly body: object;
}

export interface BatchLimits {
  readonly lines: number;
  readonly bytes: number;
}

/** Groq takes 50,000 lines and 100 or 200 MB a file, but advises about 1,000 lines. */
const BATCH_LIMITS: BatchLimits = { lines: 1000, bytes: 100e6 };

/** The input files for some requests, in order, as long as the limits allow. */
export function requestFiles(
  requests: readonly BatchRequest[],
  limits: BatchLimits = BATCH_LIMITS,
): readonly string[] {
  const files: string[] = [];
  let room = { lines: 0, bytes: 0 };
  for (const { customId: custom_id, body } of requests) {
    const request = { custom_id, method: "POST", url: "/v1/chat/completions", body };
    const line = `${JSON.stringify(request)}\n`;
    const bytes = byteLength(line);
    if (room.lines < 1 || room.bytes < bytes) {
      files.push("");
      room = { ...limits };
    }
    files.push(files.pop()! + line);
    room = { lines: room.lines - 1, bytes: room.bytes - bytes };
  }
  return files;
}

const LINE = z.object({ custom_id: z.string() });

/** What an input file asks, by ids. */
export function askedIds(requests: string): readonly string[] {
  return requests.trimEnd().split("\n").map((line) => LINE.parse(JSON.parse(line)).custom_id);
}

/** Whose questions they are: `norse` of the panel `groq`. */
export interface BatchSeries {
  readonly study: string;
  readonly panel: string;
}

/** A name as a part of file names: small letters, digits and hyphens. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** The name of requests, numbered on where the same were sent before. */
export function nextName(
  { study, panel }: BatchSeries,
  requests: string,
  names: readonly string[],
): string {
  const series = `touchstone_${plainWord(study)}_${plainWord(panel)}`;
  const start = `${series}_${sha256Hex(requests).slice(0, 16)}_`;
  const attempts = names.filter((name) => name.startsWith(start))
    .map((name) => Number(name.slice(start.length)));
  return `${start}${1 + Math.max(0, ...attempts)}`;
}
