import { z } from "zod";
import { sha256Hex } from "../../../files/atomic.ts";
import type { RemoteBatch, RemoteFile } from "./service.ts";

/** One request of a batch: what a synchronous call would send, under an id that names the question. */
export interface BatchRequest {
  /** At most 64 characters, unique within its batch. */
  readonly customId: string;
  /** The body of the chat completion. */
  readonly body: object;
}

/** How much one batch may hold. */
export interface BatchLimits {
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Groq takes 50,000 lines a file, but advises about 1,000, so that a batch ends within its window
 * even under load. Its documentation says 200 MB in one place and 100 in another: the less.
 */
const BATCH_LIMITS: BatchLimits = { lines: 1000, bytes: 100e6 };
const ENDPOINT = "/v1/chat/completions";
const LONGEST_ID = 64;

/** The request as one line of a batch's input file, with its end. */
export function requestLine({ customId, body }: BatchRequest): string {
  if (customId.length === 0 || customId.length > LONGEST_ID) {
    throw new RangeError(
      `Cannot write request "${customId}": its id must have 1 … ${LONGEST_ID} characters.`,
    );
  }
  return `${JSON.stringify({ custom_id: customId, method: "POST", url: ENDPOINT, body })}\n`;
}

/**
 * The input files for some requests, in order, each as long as the limits allow.
 * @throws {RangeError} for an id that stands twice or is too long, or a request above the limit.
 */
export function requestFiles(
  requests: readonly BatchRequest[],
  limits: BatchLimits = BATCH_LIMITS,
): readonly string[] {
  const seen = new Set<string>();
  const files: string[] = [];
  let room = { lines: 0, bytes: 0 };
  for (const request of requests) {
    const { customId } = request;
    if (seen.has(customId)) {
      throw new RangeError(`Cannot write a batch: the id ${customId} stands twice.`);
    }
    seen.add(customId);
    const line = requestLine(request);
    const bytes = new TextEncoder().encode(line).length;
    if (bytes > limits.bytes) {
      throw new RangeError(
        `Cannot write request ${customId}: ${bytes} bytes are more than ${limits.bytes}.`,
      );
    }
    if (room.lines < 1 || room.bytes < bytes) {
      files.push("");
      room = { ...limits };
    }
    files.push(files.pop()! + line);
    room = { lines: room.lines - 1, bytes: room.bytes - bytes };
  }
  return files;
}

const LINE = z.object({ custom_id: z.string(), body: z.object({ model: z.string() }) });

/** What an input file asks. */
interface RequestFile {
  readonly customIds: readonly string[];
  /** The host's name of the model, the same in every line. */
  readonly hostModel: string;
}

/**
 * Reads an input file back.
 * @param source Named in errors.
 * @throws {SyntaxError} where a line is no request, or the file holds none.
 */
export function readRequestFile(text: string, source: string): RequestFile {
  const lines = text.split("\n").filter((line) => line.trim() !== "").map((line, index) => {
    try {
      return LINE.parse(JSON.parse(line));
    } catch {
      throw new SyntaxError(`Cannot read ${source}: line ${index + 1} is no request of a batch.`);
    }
  });
  const [first] = lines;
  if (first === undefined) throw new SyntaxError(`Cannot read ${source}: it holds no request.`);
  return { customIds: lines.map((line) => line.custom_id), hostModel: first.body.model };
}

/** Which batches of an organisation belong together: `norse` of the panel `groq`. */
export interface BatchSeries {
  readonly study: string;
  readonly panel: string;
}

/** A name as a part of file names: small letters, digits and hyphens. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

const startOf = ({ study, panel }: BatchSeries) =>
  `touchstone_${plainWord(study)}_${plainWord(panel)}_`;

/**
 * A batch's name: the same requests, asked for the n-th time, have the same name wherever they are
 * asked from. A run that lost its notes so finds at the host what it has submitted.
 * @param attempt 1 for the first time.
 */
export function batchName(series: BatchSeries, requests: string, attempt: number): string {
  return `${startOf(series)}${sha256Hex(requests).slice(0, 16)}_${attempt}`;
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
  return `${name}.jsonl`;
}

/**
 * The name of a batch if it belongs to the series: from its metadata, or, where the host keeps none,
 * from the name of its input file. Exactly as `batchName` makes them: a name becomes a folder, and the
 * host's word for it is not ours.
 */
export function nameInSeries(
  series: BatchSeries,
  batch: RemoteBatch,
  files: readonly RemoteFile[],
): string | undefined {
  const file = files.find(({ id }) => id === batch.inputFileId)?.name;
  const start = startOf(series);
  return [batch.name, /^(.*)\.jsonl$/.exec(file ?? "")?.[1]].find((name) =>
    name?.startsWith(start) && /^[0-9a-f]{16}_[1-9]\d{0,5}$/.test(name.slice(start.length))
  );
}
