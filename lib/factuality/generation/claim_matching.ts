/** Which claims of one text say what claims of another say: by entailment, or by sentence vectors. */
import { askMissing } from "../../files/ask_missing.ts";
import { sha256Hex } from "../../files/atomic.ts";
import { loadMiniLm } from "../../models/encoder/minilm.ts";
import { cosine, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { RandomSource } from "../../stats/random.ts";
import { FEATURES_VERSION } from "../features/features.ts";
import { readWordNet } from "../features/wordnet.ts";
import {
  areExclusive,
  gazetteerOf,
  isSameWord,
  type ReadingTools,
  readWords,
  type Word,
} from "../features/words.ts";
import { precision, recall } from "../metrics/classification.ts";
import type { ClaimMatcher, Entails } from "../metrics/consensus.ts";
import { classificationInterval } from "../metrics/intervals.ts";
import type { ClassifiedResponse } from "../metrics/rates.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import type { Verifier } from "../types.ts";
import { readTrainedWeights } from "../verifiers/head.ts";
import { openTrainedVerifier } from "../verifiers/trained_verifier.ts";
import { CLAIM_MATCHES, type LabelledPair } from "./tables.ts";

/**
 * P(supported) from which a claim, read as a source, entails another. More than a verdict needs, for
 * most pairs of claims about one thing have nothing to do with one another. Chosen on the development
 * part of the labelled pairs: from 0.5 on 31 of 52 entailments are none there, from 0.7 on 7 of 28, and
 * none is lost in between.
 */
const ENTAILED_FROM = 0.7;

/**
 * Cosine of sentence vectors from which two claims say the same, chosen on the same pairs. Sentences
 * about one country share much of their vector whatever they say of it, so it is high.
 */
const SAME_FROM = 0.95;

/**
 * One claim is the source and the verifier checks the other against it; a verdict that was not reached
 * is no entailment. Pairs whose numbers or names differ are not asked about; see {@link mayEntail}.
 */
export function verifierMatcher(
  verifier: Verifier,
  tools: ReadingTools,
  threshold: number = ENTAILED_FROM,
): ClaimMatcher {
  return {
    name: `entailment by the ${verifier.name}`,
    async entailments(claims) {
      const found = new Map<string, ReadonlySet<string>>();
      for (const [premise, others] of candidatePairs(claims, tools)) {
        const passage = {
          id: "claim",
          text: premise,
          collection: "another response",
          title: "",
          section: "",
        };
        const verdicts = await verifier.verify(others, [passage]);
        const entailed = others.filter((_, index) => {
          const verdict = verdicts[index]!;
          return verdict.kind === "scored" && verdict.probabilities.supported >= threshold;
        });
        found.set(premise, new Set(entailed));
      }
      return (premise, claim) => found.get(premise)?.has(claim) ?? false;
    },
  };
}

/**
 * Claims whose sentence vectors are near, in either direction alike but for numbers and names: the
 * premise must have the claim's; see {@link mayEntail}.
 */
export function cosineMatcher(
  encoder: SentenceEncoder,
  tools: ReadingTools,
  threshold: number = SAME_FROM,
): ClaimMatcher {
  return {
    name: `sentence vectors of ${encoder.name}`,
    async entailments(claims) {
      const candidates = candidatePairs(claims, tools);
      const texts = [...candidates.keys()];
      const encoded = await encoder.encode(texts);
      const vectors = new Map(texts.map((text, index) => [text, encoded[index]!.sentence]));
      return (premise, claim) =>
        (candidates.get(premise)?.includes(claim) ?? false) &&
        cosine(vectors.get(premise)!, vectors.get(claim)!) >= threshold;
    },
  };
}

/** For each distinct claim the others that its numbers and names do not keep it from entailing. */
function candidatePairs(
  claims: readonly string[],
  tools: ReadingTools,
): ReadonlyMap<string, readonly string[]> {
  const read = [...new Set(claims)].map((text) => [text, specificsOf(text, tools)] as const);
  return new Map(read.map(([premise, specifics]) => {
    const others = read.filter(([text, other]) => text !== premise && allows(specifics, other));
    return [premise, others.map(([text]) => text)];
  }));
}

/**
 * Whether nothing specific stands against the premise's saying what the claim says: it has the
 * claim's every number, date and name, no word of degree opposed to one of the claim's ("north",
 * "south"), and denies where the claim does. "In 1975" and "in 1976" have nearly the same vector; this
 * is what keeps them apart. It does not say that the premise entails the claim.
 */
export function mayEntail(premise: string, claim: string, tools: ReadingTools): boolean {
  return allows(specificsOf(premise, tools), specificsOf(claim, tools));
}

/** What tells two sentences of like meaning apart: numbers, names, words of degree, denial. */
interface Specifics {
  readonly named: readonly Word[];
  readonly degrees: readonly Word[];
  readonly denies: boolean;
}

function specificsOf(text: string, tools: ReadingTools): Specifics {
  const words = readWords(text, tools);
  return {
    named: words.filter(({ wordClass }) => wordClass === "quantity" || wordClass === "name"),
    degrees: words.filter(({ wordClass }) => wordClass === "degree"),
    denies: words.some(({ negated }) => negated),
  };
}

function allows(premise: Specifics, claim: Specifics): boolean {
  if (premise.denies !== claim.denies) return false;
  const isOpposed = ({ lemma }: Word) =>
    premise.degrees.some((other) => areExclusive(lemma, other.lemma)) &&
    !premise.degrees.some((other) => other.lemma === lemma);
  return claim.named.every((word) => premise.named.some((other) => isSameWord(word, other))) &&
    !claim.degrees.some(isOpposed);
}

/** Both matchers with one encoder between them and the shipped verifier. Throws as `loadMiniLm` does. */
export async function openMatchers(threads: number) {
  const wordnet = await readWordNet();
  const weights = readTrainedWeights(FACTUALITY_PATHS.verifierWeights);
  const encoder = await loadMiniLm({ cacheDirectory: FACTUALITY_PATHS.cache, threads });
  const tools = { wordnet, gazetteer: gazetteerOf(weights.gazetteer) };
  return {
    entailment: verifierMatcher(openTrainedVerifier(weights, { encoder, wordnet }), tools),
    sentenceVectors: cosineMatcher(encoder, tools),
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}

/** Names what the matcher by entailment depends on, without loading it: weights and threshold. */
export function entailmentSha256(): string {
  const { sha256 } = readTrainedWeights(FACTUALITY_PATHS.verifierWeights);
  const asked = { weights: sha256, threshold: ENTAILED_FROM, featuresVersion: FEATURES_VERSION };
  return sha256Hex(JSON.stringify(asked));
}

/**
 * Completes the table of matches; queries whose claims are there, told with the same settings, cost
 * nothing.
 * @param settingsSha256 Of the matcher, known without loading it.
 * @param open Asked for only where something is missing: telling matches takes half a minute.
 */
export async function matchClaims(
  responses: readonly ClassifiedResponse[],
  settingsSha256: string,
  open: () => Promise<ClaimMatcher>,
  kept: typeof CLAIM_MATCHES = CLAIM_MATCHES,
): Promise<ClaimMatcher> {
  const claims = [...Map.groupBy(responses, ({ query }) => query)].flatMap(([query, own]) => {
    // In code-unit order: what the answers' order may not change.
    const texts = [...new Set(own.flatMap(({ claims }) => claims.map(({ text }) => text)))].sort();
    const claims_sha256 = sha256Hex(JSON.stringify(texts));
    return texts.map((claim) => ({ question_id: query, claim, texts, claims_sha256 }));
  });
  const keyOf = ({ question_id, claim }: typeof claims[number]) =>
    JSON.stringify([question_id, claim]);
  let matcher: Promise<ClaimMatcher> | undefined;
  const told = new Map<string, Promise<Entails>>();
  const entailsIn = async ({ question_id, texts }: typeof claims[number]) => {
    const { entailments } = await (matcher ??= open());
    const known = told.get(question_id) ?? entailments(texts);
    told.set(question_id, known);
    return await known;
  };
  using table = kept.open();
  await askMissing({
    questions: claims,
    keyOf,
    isCurrent: (row, { claims_sha256 }) =>
      row.settings_sha256 === settingsSha256 && row.claims_sha256 === claims_sha256,
    async ask(one) {
      const { question_id, claim, texts, claims_sha256 } = one;
      const entails = await entailsIn(one);
      const entailed = texts.filter((other) => other !== claim && entails(claim, other));
      return {
        question_id,
        claim,
        entails: entailed,
        claims_sha256,
        settings_sha256: settingsSha256,
      };
    },
    table,
  });
  const current = new Set(claims.map(keyOf));
  table.finish((row) => current.has(kept.keyOf(row)));
  const found = new Map([...table.rows.values()].map((row) => [row.claim, new Set(row.entails)]));
  return {
    name: "kept matches",
    entailments: () => Promise.resolve((premise, claim) => found.get(premise)?.has(claim) ?? false),
  };
}

type Entailment = "entails" | "does not";

/** How well a matcher tells entailments; precision and recall of "entails", 95 % by resampling queries. */
export type MatcherAccuracy = Awaited<ReturnType<typeof measureMatcher>>;

/**
 * Holds a matcher against the labels, over both directions of each pair. Most of the pairs were drawn from those that a matcher joins at
 * a low threshold, so that the recall is among pairs that are alike, not among all pairs.
 */
export async function measureMatcher(
  pairs: readonly LabelledPair[],
  matcher: ClaimMatcher,
  random: RandomSource,
) {
  const entails = await matcher.entailments(pairs.flatMap(({ first, second }) => [first, second]));
  const named = (holds: boolean): Entailment => holds ? "entails" : "does not";
  const outcomes = pairs.flatMap(({ question_id, first, second, label }) =>
    ([["first entails", first, second], ["second entails", second, first]] as const).map(
      ([direction, premise, claim]) => ({
        cluster: question_id,
        truth: named(label === "same" || label === direction),
        predicted: named(entails(premise, claim)),
      }),
    )
  );
  const interval = (measure: typeof precision<Entailment>) =>
    classificationInterval(
      ["entails", "does not"],
      outcomes,
      (table) => measure(table, "entails"),
      random,
    );
  return {
    matcher: matcher.name,
    directions: outcomes.length,
    entailments: outcomes.filter(({ truth }) => truth === "entails").length,
    precision: interval(precision),
    recall: interval(recall),
  };
}
