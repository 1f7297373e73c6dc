/** Claims of the systems' answers: splitting, checking against the factbook, and ratings. */
import { join } from "node:path";
import { addressOf, askMissing, type Settings } from "../../../files/asking.ts";
import { withoutFormulas } from "../../../files/csv.ts";
import { encoderSettings, type SentenceEncoder } from "../../../models/encoder/network_encoder.ts";
import { randomSource } from "../../../stats/random.ts";
import { isAccepted } from "../../../factuality/decision.ts";
import { claimTask } from "../../../factuality/check/judge.ts";
import { factbookSource } from "../../../factuality/retrieval/factbook.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../../../factuality/retrieval/retriever.ts";
import { openIndex } from "../../../factuality/retrieval/store.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import type { JudgedCase } from "../../../factuality/own/training/measures.ts";
import type { Claim, ClaimSplitter, Judge, Named, Passage } from "../../../factuality/types.ts";
import type { UnscoredReason, Verifier } from "../../../factuality/types.ts";
import { usualName } from "./responses.ts";
import { type AnswerSink } from "../../../factuality/own/prompts.ts";
import type { ClaimRatingRow, CountryQuestion, ResponseClaimLabel } from "./tables.ts";
import type { ResponseClaimRow, ResponseRow } from "./tables.ts";

/** Expressions for the country that a text is about. Group `own` captures a genitive. */
const COUNTRY_EXPRESSION =
  /^(?:It|(?:The|This) (?:small |island |landlocked )*(?:country|nation|territory|state|island|islands|archipelago))(?<own>['’]s)?(?= )/u;

/** Pronoun of texts about islands. */
const ISLANDS = /^They(?= )/u;

/** Nouns for unique parts of a country. */
const PART =
  /^(?:Its|The) (?=(?:(?:main|official|political|national|current|local) )*(?:economy|government|population|capital|climate|terrain|landscape|geography|currency|language|languages|system|president|parliament|constitution|coastline)\b)/u;

/** Claims whose pronoun was unresolved when they were labelled; they stay unchanged. */
const UNRESOLVED_CLAIMS = new Map([
  ["El Salvador's largest city is Salvadoran capital.", "Its largest city is Salvadoran capital."],
]);

/** Replaces "It" by the country's name. Without it a claim would be true of any country. */
export function standaloneClaim(claim: string, country: string): string {
  const open = UNRESOLVED_CLAIMS.get(claim);
  if (open !== undefined) return open;
  const name = usualName(country);
  if (claim.includes(name)) return claim;
  const stands = COUNTRY_EXPRESSION.exec(claim) ??
    (/Islands$/u.test(name) ? ISLANDS.exec(claim) : null);
  if (stands) {
    return `${name}${stands.groups?.own === undefined ? "" : "'s"}${claim.slice(stands[0].length)}`;
  }
  return claim.replace(PART, `${name}'s `);
}

/** Retrieval from the factbook for questions and claims about one country. */
type CountryLookup = Awaited<ReturnType<typeof openCountryLookup>>;

/** Maximum number of passages for a question, or of the country for a claim. */
const MOST_PASSAGES = 5;
/** Number of nearest passages considered for a claim. */
const NEAREST = 30;

/** Opens the factbook; its index is cached. */
export async function openCountryLookup(encoder: SentenceEncoder, cacheDirectory: string) {
  const cache = { cacheDirectory: join(cacheDirectory, "retrieval") };
  const index = await openIndex(factbookSource(cacheDirectory), cache);
  const usual = retriever(index, encoder, { limit: MOST_PASSAGES });
  const all = { limit: NEAREST, candidates: NEAREST, minimumCosine: -1 };
  const unlimited = retriever(index, encoder, all);
  const settings: Settings = { ...encoderSettings(encoder), ...usual.settings };
  const lookupLimits = { ownPassages: MOST_PASSAGES };
  const claimSettings: Settings = { ...settings, ...unlimited.settings, ...lookupLimits };
  return {
    /** Settings that could change the retrieved passages. */
    settings,
    claimSettings,
    /** Retrieves passages for a question, with the configuration of all evaluations. */
    async forQuestion(question: string, signal?: AbortSignal): Promise<readonly Passage[]> {
      const passages = await usual.retrieve(question, signal ? { signal } : {});
      return passages.map(({ passage }) => passage);
    },
    /**
     * Retrieves the country's passages nearest to a claim, at any distance. "Not enough info" then
     * means that the base lacks the information. A claim that names the country also gets near
     * passages of others.
     */
    async forClaim(claim: string, country: string, signal?: AbortSignal) {
      const isNamed = claim.includes(usualName(country));
      const about = isNamed ? claim : `${usualName(country)}: ${claim}`;
      const nearest = await unlimited.retrieve(about, signal ? { signal } : {});
      const ofCountry = nearest.filter(({ passage }) => passage.title === country).slice(
        0,
        MOST_PASSAGES,
      );
      // A claim without a country's name could be supported by another country's passage.
      const near = nearest.slice(0, MOST_PASSAGES).filter(({ passage, cosine = 0 }) =>
        isNamed && passage.title !== country && cosine >= RETRIEVER_DEFAULTS.minimumCosine
      );
      return [...ofCountry, ...near].map(({ passage }): Passage => passage);
    },
  };
}

/** Components that split and check a response. */
export interface ResponseClassifier {
  readonly splitter: ClaimSplitter;
  readonly lookup: ClaimLookup;
  readonly verifier: Verifier;
}

type ClaimLookup = Pick<CountryLookup, "claimSettings" | "forClaim">;

/** Version of this file's rules, raised with every change. */
const VERSION = 1;

/**
 * Checks every statement of every response. Each row has the verdict or the reason for none. Rows
 * of claims that no response makes any more are dropped. @throws {RangeError} for a response to a
 * missing question.
 */
export async function checkClaims(
  { splitter, lookup, verifier }: ResponseClassifier,
  responses: readonly ResponseRow[],
  questions: readonly CountryQuestion[],
  work: AnswerSink<ResponseClaimRow>,
) {
  const countries = new Map(questions.map(({ id, country }) => [id, country]));
  const stated = await Promise.all(responses.map(async ({ system, question_id, response }) => {
    const country = countries.get(question_id);
    if (country === undefined) {
      throw new RangeError(
        `Cannot check ${system}'s answer: question ${question_id} is not in the table of ` +
          "questions; run deno task study respond --only responses",
      );
    }
    const { claims } = await splitter.split(response);
    return claims.map((claim) => {
      const text = withoutFormulas(standaloneClaim(claim.text, country));
      return { system, question_id, country, claim, text };
    });
  }));
  const splitting = { splitter: splitter.settings, classifier: VERSION };
  const address = addressOf({ ...lookup.claimSettings, ...verifier.settings, ...splitting });
  const all = stated.flat();
  const keyOf = ({ system, question_id, claim }: typeof all[number]) =>
    claimKey({ system, question_id, claim_id: claim.id });
  const verdictOn = async (claim: Claim, text: string, country: string, signal: AbortSignal) => {
    if (claim.notCheckable !== undefined) return unscored("not checkable");
    // A claim with an unresolved pronoun has an unknown subject.
    const isOpen = claim.notes.some(({ kind }) => kind === "pronoun unresolved");
    if (isOpen && text === claim.text || UNRESOLVED_CLAIMS.has(claim.text)) {
      return unscored("no evidence");
    }
    const passages = await lookup.forClaim(text, country, signal);
    const verdict = (await verifier.verify([text], passages, { signal }))[0]!;
    if (verdict.kind === "unscored") return unscored(verdict.reason);
    const { probabilities, label, evidence: [best] } = verdict;
    const evidence = withoutFormulas(best?.text ?? "");
    const cut = `${evidence.slice(0, LONGEST_EVIDENCE).toWellFormed()}…`;
    return {
      status: "scored" as const,
      label,
      p_supported: sixDecimals(probabilities.supported),
      p_refuted: sixDecimals(probabilities.refuted),
      p_not_enough_info: sixDecimals(probabilities["not enough info"]),
      evidence_passage: best?.passageId ?? "",
      evidence: evidence.length > LONGEST_EVIDENCE ? cut : evidence,
    };
  };
  const outcome = await askMissing({
    questions: all,
    keyOf,
    isCurrent: (row, { text }) => row.claim === text && row.settings_sha256 === address,
    async ask({ system, question_id, country, claim, text }, signal) {
      const { id: claim_id, kind } = claim;
      const named = { system, question_id, country, claim_id, claim: text, kind };
      const verdict = await verdictOn(claim, text, country, signal);
      return { ...named, ...verdict, settings_sha256: address };
    },
    ...work,
  });
  const current = new Set(all.map(keyOf));
  if (outcome.missing === 0) work.table.finish((row) => current.has(claimKey(row)));
  return outcome;
}

/** Maximum length of stored evidence in characters. A cut is marked by "…". */
const LONGEST_EVIDENCE = 300;

const sixDecimals = (value: number) => Number(value.toFixed(6));
const NO_VERDICT = { label: "", p_supported: "", p_refuted: "", p_not_enough_info: "" } as const;
const unscored = (status: UnscoredReason) => {
  return { status, ...NO_VERDICT, evidence_passage: "", evidence: "" };
};

type ClaimName = Pick<ResponseClaimRow, "system" | "question_id" | "claim_id">;

/** Key of a claim among those of all responses. */
export const claimKey = ({ system, question_id, claim_id }: ClaimName) =>
  JSON.stringify([system, question_id, claim_id]);

/** Draws claims with a verdict at random, equally from all systems. All where there are fewer. */
export function drawClaims(rows: readonly ResponseClaimRow[], count: number) {
  const scored = rows.filter(({ status }) => status === "scored")
    .toSorted((one, other) => claimKey(one) < claimKey(other) ? -1 : 1);
  return randomSource(`${KNOWLEDGE_SEED}/ratings`).shuffle(scored).slice(0, count);
}

/** A rater of whether passages support a claim. */
interface ClaimRater extends Named {
  /** Rates P(supported), 0–1; undefined without a score. */
  rate(
    text: string,
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<number | undefined>;
}

/** Makes a rater from a verifier. */
export const verifierRater = ({ name, settings, verify }: Verifier): ClaimRater => ({
  name,
  settings,
  async rate(claim, passages, signal) {
    const [verdict] = await verify([claim], passages, { signal });
    return verdict?.kind === "scored" ? verdict.probabilities.supported : undefined;
  },
});

/**
 * Makes a rater from a judge: score / 100 is P(supported). @param prompts Hashes of its prompts.
 */
export const judgeRater = (judge: Judge, prompts: Settings): ClaimRater => ({
  name: judge.name,
  settings: { ...judge.settings, ...prompts },
  async rate(claim, passages, signal) {
    const judgement = await judge.judge(claimTask(claim, passages, ""), { signal });
    return judgement.kind === "scored" ? judgement.score / 100 : undefined;
  },
});

/** Claims to rate, and the destination of the ratings. */
export interface RateClaims extends AnswerSink<ClaimRatingRow> {
  readonly claims: readonly ResponseClaimRow[];
}

/** Rates claims that lack a rating with the same settings and words. */
export function rateClaims(
  { name, settings, rate }: ClaimRater,
  lookup: ClaimLookup,
  work: RateClaims,
) {
  const address = addressOf({ ...settings, ...lookup.claimSettings });
  return rateWith(name, address, work, async ({ claim, country }, signal) => {
    return await rate(claim, await lookup.forClaim(claim, country, signal), signal) ?? "";
  });
}

/** Copies the trained verifier's verdicts as ratings. */
export const copyVerdicts = (name: string, work: RateClaims) =>
  rateWith(
    name,
    work.claims[0]?.settings_sha256 ?? "",
    work,
    (row) => Promise.resolve(row.p_supported),
  );

const rateWith = (
  rater: string,
  settings_sha256: string,
  { claims, ...work }: RateClaims,
  score: (row: ResponseClaimRow, signal: AbortSignal) => Promise<number | "">,
) =>
  askMissing({
    questions: claims,
    keyOf: (row) => JSON.stringify([row.system, row.question_id, row.claim_id, rater]),
    isCurrent: (row, { claim }) => row.claim === claim && row.settings_sha256 === settings_sha256,
    async ask(row, signal): Promise<ClaimRatingRow> {
      const { system, question_id, claim_id, claim } = row;
      const given = await score(row, signal);
      const named = { system, question_id, claim_id, claim, rater, settings_sha256 };
      if (given === "") return { ...named, label: "", score: "" };
      const label = isAccepted(given) ? "supported" : "not supported";
      return { ...named, label, score: sixDecimals(given) };
    },
    ...work,
  });

/**
 * Returns verdicts on labelled claims for `measureVerdicts`. @throws {RangeError} for a changed
 * claim.
 */
export function judgedClaims(
  labels: readonly ResponseClaimLabel[],
  claims: readonly ResponseClaimRow[],
): readonly JudgedCase[] {
  const known = new Map(claims.map((row) => [claimKey(row), row]));
  return labels.map((label) => {
    const row = known.get(claimKey(label));
    if (row?.claim !== label.claim) {
      throw new RangeError(
        `Cannot measure the verifier: claim ${label.claim_id} of ${label.system} about ` +
          `${label.question_id} is no longer what was labelled; label it again`,
      );
    }
    const { p_supported: supported, p_refuted: refuted, p_not_enough_info: unknown } = row;
    const isScored = supported !== "" && refuted !== "" && unknown !== "";
    const probabilities = isScored ? { supported, refuted, "not enough info": unknown } : undefined;
    return { label: label.label, cluster: label.question_id, probabilities };
  });
}
