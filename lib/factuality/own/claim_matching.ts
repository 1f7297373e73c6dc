/** Which claims of one text say what claims of another say: by entailment, or by sentence vectors. */
import { askMissing } from "../../files/ask_missing.ts";
import { sha256Hex } from "../../files/atomic.ts";
import { loadMiniLm } from "../../models/encoder/minilm.ts";
import { cosine, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { RandomSource } from "../../stats/random.ts";
import { settingsSha256 } from "../evaluate/ask_components.ts";
import { FEATURES_VERSION } from "../features/features.ts";
import { areExclusive, type Gazetteer, gazetteerOf, isSameWord } from "../features/words.ts";
import { readWords, type Word } from "../features/words.ts";
import { precision, recall } from "../metrics/classification.ts";
import type { ClaimMatcher, Entails } from "../metrics/consensus.ts";
import { classificationInterval } from "../metrics/intervals.ts";
import type { ClassifiedResponse } from "../metrics/rates.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { sourcePassage, type Unscored, type Verifier } from "../types.ts";
import { openTrainedVerifier, readTrainedWeights } from "../verifiers/head.ts";
import { CLAIM_MATCHES, type LabelledPair } from "../../studies/factuality/generation/tables.ts";

/**
 * P(supported) from which a claim, read as a source, entails another. Chosen on the development
 * part of the labelled pairs: from 0.5 on 31 of 52 entailments are none, from 0.7 on 7 of 28, none
 * lost.
 */
export const ENTAILED_FROM = 0.7;

/**
 * Cosine of sentence vectors from which two claims say the same, chosen on the same pairs. Sentences
 * about one country share much of their vector whatever they say of it, so it is high.
 */
const SAME_FROM = 0.95;

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
    const found = new Map<string, ReadonlySet<string>>();
    for (const [premise, others] of candidatePairs(claims, gazetteer)) {
      const passage = { ...sourcePassage(premise), id: "claim", collection: "another response" };
      const verdicts = await verifier.verify(others, [passage]);
      const entailed = others.filter((_, index) => {
        const verdict = verdicts[index]!;
        if (verdict.kind === "unscored") onUnscored(verdict);
        return verdict.kind === "scored" && verdict.probabilities.supported >= ENTAILED_FROM;
      });
      found.set(premise, new Set(entailed));
    }
    return (premise, claim) => found.get(premise)?.has(claim) ?? false;
  },
});

/** Claims whose vectors are near and whose numbers and names agree; see {@link mayEntail}. */
const cosineMatcher = (encoder: SentenceEncoder, gazetteer: Gazetteer): ClaimMatcher => ({
  name: `sentence vectors of ${encoder.name}`,
  async entailments(claims) {
    const candidates = candidatePairs(claims, gazetteer);
    const texts = [...candidates.keys()];
    const encoded = await encoder.encode(texts);
    const vectors = new Map(texts.map((text, index) => [text, encoded[index]!]));
    return (premise, claim) =>
      (candidates.get(premise)?.includes(claim) ?? false) &&
      cosine(vectors.get(premise)!, vectors.get(claim)!) >= SAME_FROM;
  },
});

/** For each distinct claim the others that its numbers and names do not keep it from entailing. */
function candidatePairs(claims: readonly string[], gazetteer: Gazetteer | "none") {
  const read = [...new Set(claims)]
    .map((text) => [text, gazetteer === "none" ? [] : readWords(text, gazetteer)] as const);
  return new Map(read.map(([premise, words]) => {
    const others = read.filter(([text, other]) => text !== premise && allows(words, other));
    return [premise, others.map(([text]) => text)];
  }));
}

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

/** Both matchers: the verifier that ships, and MiniLM. Throws as opening either does. */
export async function openMatchers(threads: number) {
  const opening = { cacheDirectory: FACTUALITY_PATHS.cache, threads };
  await using opened = new AsyncDisposableStack();
  const verifier = opened.use(await openTrainedVerifier(opening));
  const encoder = opened.use(await loadMiniLm(opening));
  const gazetteer = gazetteerOf(readTrainedWeights().gazetteer);
  const resources = opened.move();
  return {
    entailment: verifierMatcher(verifier, gazetteer),
    sentenceVectors: cosineMatcher(encoder, gazetteer),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** What entailment depends on, without loading it: weights or settings, and threshold. */
export function entailmentSha256(by?: Verifier["settings"]): string {
  const { sha256 } = readTrainedWeights();
  const isShipped = by === undefined || by["headSha256"] === sha256;
  const who = isShipped ? { weights: sha256 } : { by: settingsSha256(by) };
  const asked = { ...who, threshold: ENTAILED_FROM, featuresVersion: FEATURES_VERSION };
  return sha256Hex(JSON.stringify(asked));
}

/** Completes the table of matches; the matcher is opened only where something is missing. */
export async function matchClaims(
  responses: readonly ClassifiedResponse[],
  settings_sha256: string,
  open: () => Promise<ClaimMatcher>,
  kept: Pick<typeof CLAIM_MATCHES, "open" | "keyOf"> = CLAIM_MATCHES,
  { signal, onProgress }: Pick<Parameters<typeof askMissing>[0], "signal" | "onProgress"> = {},
): Promise<ClaimMatcher> {
  let matcher: Promise<ClaimMatcher> | undefined;
  const claims = [...Map.groupBy(responses, ({ query }) => query)].flatMap(([question_id, own]) => {
    // In code-unit order: what the answers' order may not change.
    const texts = [...new Set(own.flatMap(({ claims }) => claims.map(({ text }) => text)))].sort();
    const claims_sha256 = sha256Hex(JSON.stringify(texts));
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

const ENTAILMENT = ["entails", "does not"] as const;
type Entailment = typeof ENTAILMENT[number];

/**
 * Holds a matcher against the labels, over both directions of each pair. Most pairs are alike, for
 * they were drawn from those that a matcher joins at a low threshold: so is the recall.
 */
export async function measureMatcher(
  pairs: readonly LabelledPair[],
  matcher: ClaimMatcher,
  random: RandomSource,
) {
  const entails = await matcher.entailments(pairs.flatMap(({ first, second }) => [first, second]));
  const named = (holds: boolean): Entailment => holds ? "entails" : "does not";
  const outcomes = pairs.flatMap(({ question_id: cluster, first, second, label }) =>
    ([["first entails", first, second], ["second entails", second, first]] as const)
      .map(([name, premise, claim]) => {
        const truth = named(label === "same" || label === name);
        return { cluster, truth, predicted: named(entails(premise, claim)) };
      })
  );
  const [found, all] = [precision<Entailment>, recall<Entailment>].map((measure) =>
    classificationInterval(ENTAILMENT, outcomes, (table) => measure(table, "entails"), random)
  );
  return {
    matcher: matcher.name,
    directions: outcomes.length,
    entailments: outcomes.filter(({ truth }) => truth === "entails").length,
    precision: found!,
    recall: all!,
  };
}
