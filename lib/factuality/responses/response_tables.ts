import { z } from "zod";
import type { TableShape } from "../../files/resumable_table.ts";
import { CLAIM_KINDS } from "../claims/claim.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { UNSCORED_REASONS, VERDICT_LABELS } from "../verdicts/verdict.ts";

const share = z.union([z.literal(""), z.coerce.number().min(0).max(1)]);

const QUESTION = z.object({ id: z.string(), country: z.string(), question: z.string() });

const RESPONSE = z.object({
  system: z.string(),
  question_id: z.string(),
  seed: z.coerce.number(),
  temperature: z.coerce.number().min(0),
  /** Whole sentences. */
  response: z.string(),
  /** Drawn, those of a sentence that was cut off among them. */
  tokens: z.coerce.number().int().min(0),
  ended: z.enum(["complete", "length", "stopped"]),
  /** In nats; empty for a reply without a token. */
  mean_token_entropy: z.union([z.literal(""), z.coerce.number().min(0)]),
  mean_log_probability: z.union([z.literal(""), z.coerce.number().max(0)]),
  /** Of model, prompt and sampling. */
  settings_sha256: z.string(),
});

const CLAIM = z.object({
  system: z.string(),
  question_id: z.string(),
  country: z.string(),
  /** `c1`, … in the order of the response. */
  claim_id: z.string(),
  /** As it is verified: "It", "The country" have become the country's name. */
  claim: z.string(),
  kind: z.enum(CLAIM_KINDS),
  /** `scored`, or why there is no verdict. */
  status: z.enum(["scored", ...UNSCORED_REASONS]),
  label: z.enum(["", ...VERDICT_LABELS]),
  p_supported: share,
  p_refuted: share,
  p_not_enough_info: share,
  evidence_passage: z.string(),
  evidence: z.string(),
  /** Of splitter, retrieval and verifier. */
  settings_sha256: z.string(),
}).refine((row) => (row.status === "scored") === (row.label !== ""), {
  message: "status and label contradict one another",
});

const RATING = z.object({
  system: z.string(),
  question_id: z.string(),
  claim_id: z.string(),
  claim: z.string(),
  rater: z.string(),
  label: z.enum(["supported", "not supported", ""]),
  /** Probability that the claim is supported, 0–1. */
  score: share,
  settings_sha256: z.string(),
});

const CLAIM_LABEL = z.object({
  system: z.string(),
  question_id: z.string(),
  claim_id: z.string(),
  claim: z.string(),
  label: z.enum(VERDICT_LABELS),
  /** Why, in some words. */
  reason: z.string(),
  /** Of a second reader, who saw nothing but the claims and the factbook. */
  second_label: z.enum(VERDICT_LABELS),
});

export type QuestionRow = Readonly<z.infer<typeof QUESTION>>;
export type ResponseRow = Readonly<z.infer<typeof RESPONSE>>;
export type ResponseClaimRow = Readonly<z.infer<typeof CLAIM>>;
export type RatingRow = Readonly<z.infer<typeof RATING>>;
export type ClaimLabelRow = Readonly<z.infer<typeof CLAIM_LABEL>>;

function table<Row extends Readonly<Record<string, string | number>>>(
  path: string,
  schema: z.ZodType<Row> & { readonly shape: Readonly<Record<string, unknown>> },
): TableShape<Row> {
  return {
    path,
    columns: Object.keys(schema.shape) as (keyof Row & string)[],
    parseRow: (record) => schema.parse(record),
    maker: "deno task respond",
  };
}

export const QUESTION_TABLE = table<QuestionRow>(FACTUALITY_PATHS.questions, QUESTION);
export const RESPONSE_TABLE = table<ResponseRow>(FACTUALITY_PATHS.modelResponses, RESPONSE);
export const CLAIM_TABLE = table<ResponseClaimRow>(FACTUALITY_PATHS.responseClaims, CLAIM);
export const RATING_TABLE = table<RatingRow>(FACTUALITY_PATHS.claimRatings, RATING);
/**
 * Labels of a careful reader on the first 124 claims of the draw: what the whole factbook says of them,
 * not only the passages that were found. The reader was a language model, no person, and had met some
 * 45 early verdicts of the run before; the sheet that was labelled showed none. A second one, blind to
 * verdicts and first labels, read the same claims. A claim of several parts is refuted where one is excluded, and supported where all
 * are said; that a list lacks something does not refute it.
 */
export const CLAIM_LABEL_TABLE = table<ClaimLabelRow>(
  FACTUALITY_PATHS.responseClaims.replace(/claims\.csv$/, "claim_labels.csv"),
  CLAIM_LABEL,
);
