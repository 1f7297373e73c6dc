import { z } from "zod";

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
export const BATCH_LIMITS: BatchLimits = { lines: 1000, bytes: 100e6 };

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
  requireDistinct(requests);
  const files: string[][] = [];
  let room = { lines: 0, bytes: 0 };
  for (const request of requests) {
    const line = requestLine(request);
    const bytes = new TextEncoder().encode(line).length;
    if (bytes > limits.bytes) {
      throw new RangeError(
        `Cannot write request ${request.customId}: ${bytes} bytes are more than ${limits.bytes}.`,
      );
    }
    if (room.lines < 1 || room.bytes < bytes) {
      files.push([]);
      room = { ...limits };
    }
    files.at(-1)?.push(line);
    room = { lines: room.lines - 1, bytes: room.bytes - bytes };
  }
  return files.map((lines) => lines.join(""));
}

function requireDistinct(requests: readonly BatchRequest[]): void {
  const seen = new Set<string>();
  for (const { customId } of requests) {
    if (seen.has(customId)) {
      throw new RangeError(`Cannot write a batch: the id ${customId} stands twice.`);
    }
    seen.add(customId);
  }
}

const LINE = z.object({ custom_id: z.string(), body: z.object({ model: z.string() }) });

/** What an input file asks. */
export interface RequestFile {
  readonly customIds: readonly string[];
  /** The host's name of the model, the same in every line. */
  readonly hostModel: string;
}

/**
 * What a job's input file asks, by ids: none where it was gone at the host when the job was found
 * again, and nothing is known of its questions.
 * @throws {SyntaxError} as {@link readRequestFile} does.
 */
export function askedIds(text: string, source: string): readonly string[] {
  return text === "" ? [] : readRequestFile(text, source).customIds;
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
