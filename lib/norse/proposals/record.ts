import { z } from "zod";
import { appendJsonLine, readJsonLines } from "../../files/jsonl.ts";
import type { DamagedLine } from "../../files/csv.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { PROPOSAL_PATHS } from "./paths.ts";

const RECORD = z.strictObject({
  model: z.string().min(1),
  promptSha256: z.string().regex(/^[0-9a-f]{64}$/),
  sentenceId: z.string().min(1),
  phenomenon: z.enum(PHENOMENA),
  /** What came back: an answer, or the host's refusal to give one. */
  kind: z.enum(["answer", "refusal"]),
  /** To the letter. */
  text: z.string(),
  /** 0 for a refusal, of which hosts do not count them. */
  promptTokens: z.int().min(0),
  replyTokens: z.int().min(0),
  /** What the answer depends on besides the prompt: host, temperature, reasoning effort. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** One line of `proposals.jsonl`: what a model answered to one question. */
export type ProposalRecord = Readonly<z.infer<typeof RECORD>>;

/** What names a question among all others. */
export interface ProposalQuestion {
  readonly model: string;
  readonly promptSha256: string;
  readonly sentenceId: string;
  readonly phenomenon: Phenomenon;
}

/** What is on record, each question once. */
export interface ProposalRecords {
  readonly records: readonly ProposalRecord[];
  /** Lines that hold no record; their questions are asked again. */
  readonly damaged: readonly DamagedLine[];
}

/** The same for the same question. */
export function proposalKey(
  { model, promptSha256, sentenceId, phenomenon }: ProposalQuestion,
): string {
  return JSON.stringify([model, promptSha256, sentenceId, phenomenon]);
}

/** Appends one record as one whole line. */
export function appendProposal(path: string, record: ProposalRecord): void {
  appendJsonLine(path, record);
}

/** Every record of a file, of a question asked twice the first; none where there is no file. */
export function readProposals(path: string = PROPOSAL_PATHS.proposals): ProposalRecords {
  try {
    const { rows, damaged } = readJsonLines(path, parseRecord);
    const byKey = new Map(rows.toReversed().map((record) => [proposalKey(record), record]));
    return { records: rows.filter((record) => byKey.get(proposalKey(record)) === record), damaged };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { records: [], damaged: [] };
    throw error;
  }
}

function parseRecord(value: unknown): ProposalRecord {
  const parsed = RECORD.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SyntaxError(`${issue?.path.join(".")}: ${issue?.message}`);
}
