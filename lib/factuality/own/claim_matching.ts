/** Entailment between claims of different texts, by a verifier or by sentence vectors. */
import { addressOf, askMissing } from "../../files/asking.ts";
import { contentWords, wordsOf } from "../claims/english.ts";
import { FEATURES_VERSION } from "../features/features.ts";
import { areExclusive, type Gazetteer, gazetteerOf, isSameWord } from "../features/words.ts";
import { type ContentWord, readWords } from "../features/words.ts";
import type { ClassifiedResponse } from "../metrics/rates.ts";
import { sourcePassage, type Unscored, type Verifier } from "../types.ts";
import { readTrainedWeights } from "../verifiers/head.ts";
import { json, name, table, text } from "../../files/table.ts";
import { resolve } from "node:path";
import { z } from "zod";
import type { ClaimMatcher, Entails } from "../metrics/agreement.ts";

/**
 * Threshold of P(supported) for entailment, with the premise as source. Chosen on the development
 * part of the labelled pairs: from 0.5 on, 31 of 52 predicted entailments are wrong; from 0.7 on, 7
 * of 28, and no true one is lost.
 */
export const ENTAILED_FROM = 0.7;

/**
 * Threshold for two claims of the same words, in the better direction: one is the other inverted.
 */
const SAME_WORDS_FROM = 0.5;

/**
 * Makes a matcher from a verifier: one claim is the source, the other is checked. A missing verdict
 * counts as no entailment. Pairs with different numbers or names are not asked about unless
 * `gazetteer` is `none`, for a name at the start of a short answer is not recognised; see {@link
 * mayEntail}. @param onUnscored Receives a missing verdict; an exception ends the matching.
 */
export const verifierMatcher = (
  verifier: Verifier,
  gazetteer: Gazetteer | "none" = gazetteerOf(readTrainedWeights().gazetteer),
  onUnscored: (verdict: Unscored) => void = () => {},
): ClaimMatcher => ({
  name: `entailment by the ${verifier.name}`,
  async entailments(claims) {
    const entailed = new Map<string, ReadonlyMap<string, number>>();
    for (const [premise, others] of candidatePairs(claims, gazetteer)) {
      const passage = { ...sourcePassage(premise), id: "claim", collection: "another response" };
      const verdicts = await verifier.verify(others, [passage]);
      const supported = others.map((claim, index) => {
        const verdict = verdicts[index]!;
        if (verdict.kind === "unscored") onUnscored(verdict);
        return [claim, verdict.kind === "scored" ? verdict.probabilities.supported : 0] as const;
      });
      entailed.set(premise, new Map(supported));
    }
    const from = (premise: string, claim: string) => entailed.get(premise)?.get(claim) ?? 0;
    return (premise, claim) =>
      from(premise, claim) >= ENTAILED_FROM ||
      wordsOfClaim(premise) === wordsOfClaim(claim) &&
        Math.max(from(premise, claim), from(claim, premise)) >= SAME_WORDS_FROM;
  },
});

/** Lists for each claim the others compatible with its numbers and names. */
export function candidatePairs(claims: readonly string[], gazetteer: Gazetteer | "none") {
  const read = [...new Set(claims)]
    .map((text) => [text, gazetteer === "none" ? [] : readWords(text, gazetteer)] as const);
  return new Map(read.map(([premise, words]) => {
    const others = read.filter(([text, other]) =>
      text !== premise && (allows(words, other) || wordsOfClaim(premise) === wordsOfClaim(text))
    );
    return [premise, others.map(([text]) => text)];
  }));
}

/** Lemmas of a claim's content words in alphabetical order. */
const wordsOfClaim = (claim: string): string =>
  [...new Set(contentWords(wordsOf(claim, 0)).map(({ lemma }) => lemma))].sort().join(" ");

/**
 * Tests whether a premise may entail a claim. It must have the claim's every number, date and name,
 * no opposed word of degree ("north", "south"), and the same negations. "In 1975" and "in 1976"
 * have nearly the same vector.
 */
export const mayEntail = (premise: string, claim: string, gazetteer: Gazetteer) =>
  allows(readWords(premise, gazetteer), readWords(claim, gazetteer));

function allows(premise: readonly ContentWord[], claim: readonly ContentWord[]): boolean {
  const denies = (words: readonly ContentWord[]) => words.some(({ negated }) => negated);
  const ofClass = (
    words: readonly ContentWord[],
    ...classes: readonly ContentWord["wordClass"][]
  ) => words.filter(({ wordClass }) => classes.includes(wordClass));
  const [named, degrees] = [ofClass(premise, "quantity", "name"), ofClass(premise, "degree")];
  return denies(premise) === denies(claim) &&
    ofClass(claim, "quantity", "name").every((word) =>
      named.some((other) => isSameWord(word, other))
    ) &&
    !ofClass(claim, "degree").some(({ lemma }) =>
      degrees.some((other) => areExclusive(lemma, other.lemma)) &&
      !degrees.some((other) => other.lemma === lemma)
    );
}

/** Key of the matcher: its weights or settings, and the threshold, without loading it. */
export function entailmentAddress(by?: Verifier["settings"]): string {
  const { sha256 } = readTrainedWeights();
  const isShipped = by === undefined || by["headSha256"] === sha256;
  const who = isShipped ? { weights: sha256 } : { by: addressOf(by) };
  const asked = {
    ...who,
    threshold: ENTAILED_FROM,
    sameWords: SAME_WORDS_FROM,
    featuresVersion: FEATURES_VERSION,
  };
  return addressOf(asked);
}

/** Columns and key of a table of matches. */
export const MATCHES = {
  columns: {
    question_id: name("id in `questions.csv`, the code of the country"),
    claim: name("claim taken as the premise"),
    entails: json(z.array(z.string()), "other claims that it entails, as JSON"),
    claims_sha256: text("SHA-256 of all claims about the country"),
    settings_sha256: text("SHA-256 of everything that could change the row"),
  },
  key: ["question_id", "claim"],
} as const;

/** Table of matches for a user's batch. */
export const claimMatches = (path: string) =>
  table({
    ...MATCHES,
    path: resolve(path),
    about: "which claims of answers to one query entail one another",
    maker: "deno task factcheck --batch FILE",
  });

/** Completes the table of matches. The matcher is opened only where a match is missing. */
export async function matchClaims(
  responses: readonly ClassifiedResponse[],
  settings_sha256: string,
  open: () => Promise<ClaimMatcher>,
  matchTable: Pick<ReturnType<typeof claimMatches>, "open" | "keyOf">,
  { signal, onProgress }: Pick<Parameters<typeof askMissing>[0], "signal" | "onProgress"> = {},
): Promise<ClaimMatcher> {
  let matcher: Promise<ClaimMatcher> | undefined;
  const claims = [...Map.groupBy(responses, ({ query }) => query)].flatMap(
    ([question_id, ofQuery]) => {
      // Sorted by code unit, so that the order of answers has no effect.
      const texts = [...new Set(ofQuery.flatMap(({ claims }) => claims.map(({ text }) => text)))]
        .sort();
      const claims_sha256 = addressOf(texts);
      let entailing: Promise<Entails> | undefined;
      const entailments = async () => await (await (matcher ??= open())).entailments(texts);
      const entails = () => entailing ??= entailments();
      return texts.map((claim) => ({ question_id, claim, texts, claims_sha256, entails }));
    },
  );
  const keyOf = ({ question_id, claim }: typeof claims[number]) =>
    JSON.stringify([question_id, claim]);
  using table = matchTable.open();
  await askMissing({
    questions: claims,
    keyOf,
    isCurrent: (row, { claims_sha256 }) =>
      row.settings_sha256 === settings_sha256 && row.claims_sha256 === claims_sha256,
    async ask({ question_id, claim, texts, claims_sha256, entails }) {
      const holds = await entails();
      const entailed = texts.filter((other) => other !== claim && holds(claim, other));
      return { question_id, claim, entails: entailed, claims_sha256, settings_sha256 };
    },
    table,
    signal,
    onProgress,
  });
  signal?.throwIfAborted();
  const current = new Set(claims.map(keyOf));
  table.finish((row) => current.has(matchTable.keyOf(row)));
  const entailedBy = new Map(
    [...table.rows.values()].map((row) => [row.claim, new Set(row.entails)]),
  );
  return {
    name: "kept matches",
    entailments: () =>
      Promise.resolve((premise, claim) => entailedBy.get(premise)?.has(claim) ?? false),
  };
}
