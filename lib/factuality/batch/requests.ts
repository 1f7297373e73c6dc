import { CsvError } from "csv-parse/sync";
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import {
  damageReason,
  decodeUtf8,
  foreignRecords,
  splitLines,
  utf16Problem,
} from "../../files/csv.ts";
import type { EvaluationRequest } from "../types.ts";

/** Requests of a batch file, and its rejected lines. */
interface BatchRequests {
  /** Requests in file order, with unique ids. */
  readonly requests: readonly EvaluationRequest[];
  /**
   * Rejected lines with reasons, in order. Lines count from 1; a CSV record has the number of its
   * last line.
   */
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

/** Text of a table saved as JSON, where null means empty. */
const TEXT = z.string().nullish().transform((text) => text ?? "");

const NAME = z.union([TEXT, z.number().transform(String)])
  .transform((name) => name.toWellFormed().replace(/[\s\p{Cc}]+/gu, " ").trim());

const REQUEST = z.object({
  id: NAME,
  /** System that wrote the candidate, under either name. */
  system: NAME,
  model: NAME,
  /** Query that the candidate answers, as an id or in words. */
  query_id: NAME,
  query: NAME,
  source: TEXT,
  candidate: z.string("there is no text of this name")
    .refine((text) => text.trim() !== "", "there is no text to evaluate"),
  question: TEXT,
}, "the line is no JSON object with a candidate");

/**
 * Reads requests from JSON Lines: objects with a candidate and optional source, question and id.
 * Answers of several systems name their `system` (or `model`) and their query: by `query_id`, else
 * by `query` or `question`, else by the source.
 */
export function readJsonlRequests(bytes: Uint8Array, file = "the batch"): BatchRequests {
  const utf16 = utf16Problem(bytes);
  if (utf16 !== undefined) throw new SyntaxError(`Cannot read ${file}: ${utf16}.`);
  const rows = splitLines(bytes).flatMap(({ bytes }, index) => {
    const decoded = decodeUtf8(bytes);
    const text = index === 0 ? decoded?.replace(/^\ufeff/, "") : decoded;
    const value = () => {
      if (text === undefined) throw new SyntaxError("broken UTF-8");
      return JSON.parse(text);
    };
    return text?.trim() === "" ? [] : [{ line: index + 1, value }];
  });
  return parseRequests(rows, []);
}

/**
 * Reads requests from CSV with a header. A record with too many or too few fields is rejected.
 * @throws {SyntaxError} without a candidate column, or for an unclosed quote.
 */
export function readCsvRequests(bytes: Uint8Array, file = "the batch"): BatchRequests {
  const text = decodeUtf8(bytes);
  const why = utf16Problem(bytes) ?? "it is no UTF-8";
  if (text === undefined) throw new SyntaxError(`Cannot read ${file}: ${why}.`);
  const refused: { line: number; reason: string }[] = [];
  let records;
  try {
    records = foreignRecords(text, {
      refuse(line, error) {
        if (error.code !== "CSV_RECORD_INCONSISTENT_COLUMNS") throw error;
        refused.push({ line, reason: error.message });
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new SyntaxError(`Cannot read ${file}: ${error.message}`);
  }
  const columns = Object.keys(records[0]?.record ?? { candidate: "" });
  if (!columns.includes("candidate")) {
    const rule = "One must be candidate; source, question and id may be there";
    throw new SyntaxError(
      `Cannot read ${file}: its columns are ${columns.join(" | ")}. ${rule}.`,
    );
  }
  const rows = records.map(({ line, record }) => ({ line, value: () => record }));
  return parseRequests(rows, refused);
}

/**
 * Parses rows to requests. @param rows Rows with a function `value`, which throws for an empty
 * line.
 */
function parseRequests(
  rows: readonly { readonly line: number; readonly value: () => unknown }[],
  damaged: BatchRequests["refused"],
): BatchRequests {
  const taken = new Map<string, { readonly line: number; readonly request: EvaluationRequest }>();
  const answered = new Map<string, number>();
  const refused = [...damaged];
  for (const { line, value } of rows) {
    try {
      const { id, source, candidate, ...row } = REQUEST.parse(value());
      const content = { source, candidate, question: row.question || row.query };
      const hash = contentSha256(content);
      const origin = systemAndQuery({ ...content, ...row });
      const named = origin.system === undefined ? hash : sha256Hex(JSON.stringify([hash, origin]));
      const request = { id: id || named.slice(0, 16), ...content, ...origin };
      const before = taken.get(request.id);
      if (before !== undefined) {
        const text = hash === contentSha256(before.request) ? "the same text" : "another text";
        throw new RangeError(
          id === ""
            ? `it is the text of line ${before.line}: give both an id to count them both`
            : `the id "${id}" is that of line ${before.line}, with ${text}`,
        );
      }
      const answer = JSON.stringify([origin.system, origin.query]);
      if (origin.system !== undefined && answered.has(answer)) {
        const where = `in line ${answered.get(answer)}`;
        throw new RangeError(
          `${origin.system} has answered the query "${origin.query}" ${where} already`,
        );
      }
      answered.set(answer, line);
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

/** System and query of an answer. @throws {RangeError} for a system without a query. */
function systemAndQuery(
  row: Omit<z.infer<typeof REQUEST>, "id">,
): Pick<EvaluationRequest, "system" | "query"> {
  const { model, query_id, question, source } = row;
  const system = row.system || model;
  const ofSource = source.trim() === "" ? "" : `source ${sha256Hex(source).slice(0, 16)}`;
  const query = query_id || row.query || NAME.parse(question) || ofSource;
  if (system === "") return {};
  if (query !== "") return { system, query };
  throw new RangeError(
    `nothing says what ${system} answers: give query_id, query, question or source`,
  );
}

/** SHA-256 of the evaluated content, independent of its id. */
export const contentSha256 = (
  { source, candidate, question }: Omit<EvaluationRequest, "id">,
): string => sha256Hex(JSON.stringify([source, candidate, question]));
