import { z } from "zod";
import { damageReason } from "../../files/damage_reason.ts";
import { decodeLine, splitLines } from "../../files/lines.ts";
import type { EvaluationRequest } from "../evaluation/evaluation.ts";
import { csvRecords } from "./csv_records.ts";
import type { RefusedLine } from "./refused_line.ts";
import { contentSha256 } from "./request_hash.ts";

/** What a batch file asks for, and what of it cannot be asked. */
export interface BatchRequests {
  /** In the order of the file; every id once. */
  readonly requests: readonly EvaluationRequest[];
  /** Lines that are no request, and why; in order. */
  readonly refused: readonly RefusedLine[];
}

/** Hexadecimal digits of an id that is made from the content. */
const ID_DIGITS = 16;

/** Tables that were saved as JSON have null where there is nothing. */
const TEXT = z.string().nullish().transform((text) => text ?? "");

const REQUEST = z.object({
  id: z.union([TEXT, z.number().transform(String)]),
  source: TEXT,
  candidate: z.string("there is no text of this name")
    .refine((text) => text.trim() !== "", "there is no text to evaluate"),
  question: TEXT,
}, "the line is no JSON object with a candidate");

/** Requests of a JSONL file: one object a line with candidate, and source, question and id if any. */
export function readJsonlRequests(bytes: Uint8Array): BatchRequests {
  const rows = splitLines(bytes).flatMap(({ bytes }, index) => {
    const decoded = decodeLine(bytes);
    const text = index === 0 ? decoded?.replace(/^\ufeff/, "") : decoded;
    return text?.trim() === "" ? [] : [{ line: index + 1, value: () => parsedLine(text) }];
  });
  return requestsOf(rows, []);
}

/** Requests of a CSV file with a header; a field in quotes may run over several lines. */
export function readCsvRequests(bytes: Uint8Array): BatchRequests {
  const text = decodeLine(bytes);
  if (text === undefined) throw new SyntaxError("Cannot read the batch: it is no UTF-8.");
  const refused: RefusedLine[] = [];
  const records = csvRecords(text, (damage) => refused.push(damage));
  const columns = Object.keys(records[0]?.record ?? { candidate: "" });
  if (!columns.includes("candidate")) {
    throw new SyntaxError(
      `Cannot read the batch: its columns are ${columns.join(" | ")}. One must be candidate; ` +
        "source, question and id may be there; commas are between them.",
    );
  }
  return requestsOf(records.map(({ line, record }) => ({ line, value: () => record })), refused);
}

function parsedLine(text: string | undefined): unknown {
  if (text === undefined) throw new SyntaxError("broken UTF-8");
  return JSON.parse(text);
}

interface Row {
  readonly line: number;
  /** @throws where the line holds nothing. */
  readonly value: () => unknown;
}

function requestsOf(rows: readonly Row[], damaged: readonly RefusedLine[]): BatchRequests {
  const taken = new Map<string, { readonly line: number; readonly request: EvaluationRequest }>();
  const refused = [...damaged];
  for (const { line, value } of rows) {
    try {
      const request = requestOf(value());
      const before = taken.get(request.id);
      if (before) throw new RangeError(repeated(request, before.line, before.request));
      taken.set(request.id, { line, request });
    } catch (error) {
      refused.push({ line, reason: damageReason(error) });
    }
  }
  return {
    requests: [...taken.values()].map(({ request }) => request),
    refused: refused.toSorted((a, b) => a.line - b.line),
  };
}

function requestOf(value: unknown): EvaluationRequest {
  const { id, ...content } = REQUEST.parse(value);
  return { id: id.trim() || contentSha256(content).slice(0, ID_DIGITS), ...content };
}

function repeated(request: EvaluationRequest, line: number, before: EvaluationRequest): string {
  const same = contentSha256(request) === contentSha256(before);
  return `the id "${request.id}" is that of line ${line}, with ${
    same ? "the same" : "another"
  } text`;
}
