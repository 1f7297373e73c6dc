/** Which claims of one text say what claims of another say: by entailment, or by sentence vectors. */
import { addressOf, askMissing } from "../../files/asking.ts";
import { contentWords, wordsOf } from "../claims/english.ts";
import { FEATURES_VERSION } from "../features/features.ts";
import { areExclusive, type Gazetteer, gazetteerOf, isSameWord } from "../features/words.ts";
import { readWords, type Word } from "../features/words.ts";
import type { ClassifiedResponse } from "../metrics/rates.ts";
import { sourcePassage, type Unscored, type Verifier } from "../types.ts";
import { readTrainedWeights } from "../verifiers/head.ts";
import { json, name, table, text } from "../../files/table.ts";
import { resolve } from "node:path";
import { z } from "zod";
import type { ClaimMatcher, Entails } from "../metrics/agreement.ts";

/**
 * P(supported) from which a claim, read as a source, entails another. Chosen on the development
 * part of the labelled pairs: from 0.5 on 31 of 52 entailments are none, from 0.7 on 7 of 28, none
 * lost.
 */
export const ENTAILED_FROM = 0.7;

/** The same for two claims of the same words, in whichever direction it is more: one is the other turned. */
const SAME_WORDS_FROM = 0.5;

/**
 * One claim is the source and the verifier checks the other against it; a verdict that was not reached
 * is no entailment. Pairs whose numbers or names differ are not asked about unless `gazetteer` is `none`:
 * at the beginning of a short answer a name is not known for one; see {@link mayEntail}.
 * @param onUnscored told of a verdict that was not reached; what it throws ends the matching.
 */
export const verifierMatcher = (
  verifier: Verifier,
  gazetteer: Gazetteer | "none" = gazetteerOf(readTrainedWeights().gazetteer),
  onUnscored: (verdict: Unscored) => void = () => {},
): ClaimMatcher => ({
  name: `entailment by the ${verifier.name}`,
  async entailments(claims) {
    const found = new Map<string, ReadonlyMap<string, number>>();
    for (const [premise, others] of candidatePairs(claims, gazetteer)) {
      const passage = { ...sourcePassage(premise), id: "claim", collection: "another response" };
      const verdicts = await verifier.verify(others, [passage]);
      const supported = others.map((claim, index) => {
        const verdict = verdicts[index]!;
        if (verdict.kind === "unscored") onUnscored(verdict);
        return [claim, verdict.kind === "scored" ? verdict.probabilities.supported : 0] as const;
      });
      found.set(premise, new Map(supported));
    }
    const from = (premise: string, claim: string) => found.get(premise)?.get(claim) ?? 0;
    return (premise, claim) =>
      from(premise, claim) >= ENTAILED_FROM ||
      wordsOfClaim(premise) === wordsOfClaim(claim) &&
        Math.max(from(premise, claim), from(claim, premise)) >= SAME_WORDS_FROM;
  },
});

/** For each distinct claim the others that its numbers and names do not keep it from entailing. */
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

/** The content words of a claim by their dictionary forms, in the order of the alphabet. */
const wordsOfClaim = (claim: string): string =>
  [...new Set(contentWords(wordsOf(claim, 0)).map(({ lemma }) => lemma))].sort().join(" ");

/**
 * Whether nothing specific stands against the premise's saying what the claim says: it has the
 * claim's every number, date and name, no word of degree opposed to one of the claim's ("north",
 * "south"), and denies where the claim does. "In 1975" and "in 1976" have nearly the same vector.
 */
export const mayEntail = (premise: string, claim: string, gazetteer: Gazetteer) =>
  allows(readWords(premise, gazetteer), readWords(claim, gazetteer));

function allows(premise: readonly Word[], claim: readonly Word[]): boolean {
  const denies = (words: readonly Word[]) => words.some(({ negated }) => negated);
  const of = (words: readonly Word[], ...classes: readonly Word["wordClass"][]) =>
    words.filter(({ wordClass }) => classes.includes(wordClass));
  const [named, degrees] = [of(premise, "quantity", "name"), of(premise, "degree")];
  return denies(premise) === denies(claim) &&
    of(claim, "quantity", "name").every((word) => named.some((other) => isSameWord(word, other))) &&
    !of(claim, "degree").some(({ lemma }) =>
      degrees.some((other) => areExclusive(lemma, other.lemma)) &&
      !degrees.some((other) => other.lemma === lemma)
    );
}

/** What entailment depends on, without loading it: weights or settings, and threshold. */
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

/** Columns of a table of matches, and its key. */
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

/** The matches of a batch of the user's. */
export const claimMatches = (path: string) =>
  table({
    ...MATCHES,
    path: resolve(path),
    about: "which claims of answers to one query entail one another",
    maker: "deno task factcheck --batch FILE",
  });

/** Completes the table of matches; the matcher is opened only where something is missing. */
export async function matchClaims(
  responses: readonly ClassifiedResponse[],
  settings_sha256: string,
  open: () => Promise<ClaimMatcher>,
  kept: Pick<ReturnType<typeof claimMatches>, "open" | "keyOf">,
  { signal, onProgress }: Pick<Parameters<typeof askMissing>[0], "signal" | "onProgress"> = {},
): Promise<ClaimMatcher> {
  let matcher: Promise<ClaimMatcher> | undefined;
  const claims = [...Map.groupBy(responses, ({ query }) => query)].flatMap(([question_id, own]) => {
    // In code-unit order: what the answers' order may not change.
    const texts = [...new Set(own.flatMap(({ claims }) => claims.map(({ text }) => text)))].sort();
    const claims_sha256 = addressOf(texts);
    let told: Promise<Entails> | undefined;
    const entailments = async () => await (await (matcher ??= open())).entailments(texts);
    const entails = () => told ??= entailments();
    return texts.map((claim) => ({ question_id, claim, texts, claims_sha256, entails }));
  });
  const keyOf = ({ question_id, claim }: typeof claims[number]) =>
    JSON.stringify([question_id, claim]);
  using table = kept.open();
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
  table.finish((row) => current.has(kept.keyOf(row)));
  const found = new Map([...table.rows.values()].map((row) => [row.claim, new Set(row.entails)]));
  return {
    name: "kept matches",
    entailments: () => Promise.resolve((premise, claim) => found.get(premise)?.has(claim) ?? false),
  };
}
