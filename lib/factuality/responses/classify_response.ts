import { inertText } from "../../files/inert_text.ts";
import type { Claim, ClaimSplitter } from "../claims/claim.ts";
import type { ScoredVerdict, UnscoredReason, Verdict } from "../verdicts/verdict.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { SystemSettings } from "./ask_system.ts";
import type { CountryLookup } from "./country_lookup.ts";
import type { ResponseClaimRow, ResponseRow } from "./response_tables.ts";
import { standaloneClaim } from "./standalone_claim.ts";

/** What a response is taken apart and checked with. */
export interface ResponseClassifier {
  readonly splitter: ClaimSplitter;
  readonly lookup: CountryLookup;
  readonly verifier: Verifier;
}

/** Raised whenever the rules of this file or of `standaloneClaim` become others. */
const VERSION = 1;

/** Longest evidence that is kept; what is cut ends in "…". */
const LONGEST_EVIDENCE = 300;

type Told = Pick<
  ResponseClaimRow,
  | "status"
  | "label"
  | "p_supported"
  | "p_refuted"
  | "p_not_enough_info"
  | "evidence_passage"
  | "evidence"
>;

/** Whatever could change a verdict. */
export function classifierSettings(
  { splitter, lookup, verifier }: ResponseClassifier,
): SystemSettings {
  const own = { splitter: JSON.stringify(splitter.settings), classifier: VERSION };
  return { ...lookup.claimSettings, ...verifier.settings, ...own };
}

function unscored(status: UnscoredReason): Told {
  return {
    ...{ status, label: "", p_supported: "", p_refuted: "", p_not_enough_info: "" },
    ...{ evidence_passage: "", evidence: "" },
  };
}

function told({ label, probabilities, evidence: [best] }: ScoredVerdict): Told {
  const share = (value: number) => Number(value.toFixed(6));
  const text = inertText(best?.text ?? "");
  return {
    ...{ status: "scored", label, p_supported: share(probabilities.supported) },
    ...{
      p_refuted: share(probabilities.refuted),
      p_not_enough_info: share(probabilities["not enough info"]),
    },
    evidence_passage: best?.passageId ?? "",
    evidence: text.length > LONGEST_EVIDENCE
      ? `${text.slice(0, LONGEST_EVIDENCE).toWellFormed()}…`
      : text,
  };
}

function toldOf(verdict: Verdict): Told {
  return verdict.kind === "scored" ? told(verdict) : unscored(verdict.reason);
}

/** A statement of a response as it is verified. */
interface StandaloneClaim extends Claim {
  readonly isRenamed: boolean;
}

async function standaloneClaims(
  response: string,
  country: string,
  splitter: ClaimSplitter,
): Promise<readonly StandaloneClaim[]> {
  const { claims } = await splitter.split(response);
  return claims.map((claim) => {
    const text = inertText(standaloneClaim(claim.text, country));
    return { ...claim, text, isRenamed: text !== claim.text };
  });
}

/** Nobody knows what a claim is about whose pronoun stands for something that is not named. */
function hasOpenPronoun({ notes, isRenamed }: StandaloneClaim): boolean {
  return !isRenamed && notes.some(({ kind }) => kind === "pronoun unresolved");
}

/**
 * Every statement of a response with the verifier's verdict on it. What cannot be checked (a question,
 * an opinion) or looked up has a reason in place of a verdict.
 */
export async function classifyResponse(
  { system, question_id, response }: ResponseRow,
  country: string,
  { splitter, lookup, verifier }: ResponseClassifier,
  { settingsSha256, signal }: { readonly settingsSha256: string; readonly signal: AbortSignal },
): Promise<readonly ResponseClaimRow[]> {
  const rows: ResponseClaimRow[] = [];
  for (const claim of await standaloneClaims(response, country, splitter)) {
    const { id: claim_id, text, kind } = claim;
    const common = {
      ...{ system, question_id, country, claim_id, claim: text, kind },
      settings_sha256: settingsSha256,
    };
    if (claim.notCheckable !== undefined) {
      rows.push({ ...common, ...unscored("not checkable") });
    } else if (hasOpenPronoun(claim)) {
      rows.push({ ...common, ...unscored("no evidence") });
    } else {
      const passages = await lookup.forClaim(text, country, signal);
      const [verdict] = await verifier.verify([text], passages, { signal });
      rows.push({ ...common, ...toldOf(verdict!) });
    }
  }
  return rows;
}

/** Names a response among all. */
export function responseKey({ system, question_id }: Pick<ResponseRow, "system" | "question_id">) {
  return JSON.stringify([system, question_id]);
}

/**
 * The responses, by their keys, whose claims are all in the table as they would be now: a run that was
 * ended may have left some, and a response that was written anew has others.
 */
export async function classifiedResponses(
  responses: readonly ResponseRow[],
  rows: readonly ResponseClaimRow[],
  countryOf: (questionId: string) => string,
  splitter: ClaimSplitter,
): Promise<ReadonlySet<string>> {
  const known = Map.groupBy(rows, responseKey);
  const done = new Set<string>();
  for (const response of responses) {
    const key = responseKey(response);
    const country = countryOf(response.question_id);
    const expected = await standaloneClaims(response.response, country, splitter);
    const found = known.get(key) ?? [];
    const isSame = expected.length === found.length &&
      expected.every(({ text }, index) => text === found[index]!.claim);
    if (isSame) done.add(key);
  }
  return done;
}
