import fc from "fast-check";
import { type CertifiedPair, certify, type Proposal } from "../certify.ts";
import type { DatasetItem } from "../dataset.ts";
import type { MinimalPair } from "../pair.ts";

/** Phenomena of the Old Norse study, so that tests can check column names and ids. */
export const PHENOMENA = ["QUIRKY_CASE", "ADJECTIVE", "UMLAUT", "MIDDLE_VOICE"] as const;
export type Phenomenon = (typeof PHENOMENA)[number];

/** Endings in made sentences, from which the table of docs/reliability.md is computed. */
const ENDINGS = ["", "", "a", "i", "um", "ar", "ir", "u", "inn", "sk"];

/** Generator of words in Old Norse letters. */
export const word = fc.stringMatching(/^[a-zþðáéíóúýæœøǫ]{1,8}$/);

/** Generator of sentences with 3 to 8 words, some commas and an initial capital. */
export const sentence = fc.array(fc.tuple(word, fc.constantFrom("", "", "", ",")), {
  minLength: 3,
  maxLength: 8,
}).map((tokens) => tokens.map(([token, comma]) => token + comma).join(" "))
  .map((text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/,$/, "") + ".");

/** A proposal with every field filled. */
export const LIKA: Proposal<Phenomenon> = {
  phenomenon: "QUIRKY_CASE",
  source: { text: "Völsunga saga", chapter: 8, sentence: 12 },
  grammatical: "Hánum líkaði þat.",
  ungrammatical: "Hann líkaði þat.",
  target: "Hánum",
  errorType: "dative_to_nominative",
  rule: "QC_VERB_LIKA",
  lemma: "líka",
  construction: "impersonal_verb",
  cellFrom: "dat.sg",
  cellTo: "nom.sg",
  checks: ["líka takes a dative subject"],
  marks: [],
  explanation: 'líka takes its subject in the dative, "hánum".',
  sourceSpelling: "Honum líkaði þat.",
  proposedBy: "rules",
  promptSha256: "",
  tier: 1,
};

/** Generator of complete proposals in which exactly one token differs. */
export const proposal: fc.Arbitrary<Proposal<Phenomenon>> = fc.record({
  text: sentence,
  at: fc.nat(),
  other: word,
  phenomenon: fc.constantFrom(...PHENOMENA),
  // Few places, so that many candidates share one.
  saga: fc.constantFrom("Ragnars saga", "Völsunga saga"),
  chapter: fc.integer({ min: 1, max: 3 }),
  sentence: fc.integer({ min: 9, max: 11 }),
  lemma: fc.constantFrom("líka", "þykkja", "dreyma", "maðr", "mikill", "berja"),
  construction: fc.constantFrom("impersonal_verb", "passive", "copular_phrase"),
  marks: fc.constantFrom([], [], ["verb_person_clash"]),
  tier: fc.constantFrom(1 as const, 2 as const, 3 as const),
}).map(({ text, at, other, saga, chapter, sentence: position, ...rest }) => {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)];
  const { 0: target, index } = words[at % words.length]!;
  const form = other === target.toLowerCase() ? `${other}a` : other;
  const variant = index === 0 ? form.charAt(0).toUpperCase() + form.slice(1) : form;
  const ungrammatical = text.slice(0, index) + variant + text.slice(index + target.length);
  const source = { text: saga, chapter, sentence: position };
  return { ...LIKA, ...rest, source, grammatical: text, ungrammatical, target };
});

/** Returns a certified proposal. Throws if the generator made an invalid one. */
export function certified(made: Proposal<Phenomenon>): CertifiedPair<Phenomenon> {
  const verdict = certify(made, new Set<string>());
  if (verdict.kind === "certified") return verdict;
  throw new Error(`${verdict.rejection.reason}: ${verdict.rejection.detail}`);
}

/** Generator of certified candidates, many of which share a sentence or token. */
export const candidates = fc.array(proposal.map(certified), { maxLength: 60 });

/** Returns n pairs with certificates, one third with the lemma `líka`. Deterministic. */
export function madeItems(n: number): readonly DatasetItem<Phenomenon>[] {
  return Array.from({ length: n }, (_, i) => {
    const phenomenon = PHENOMENA[i % PHENOMENA.length]!;
    const id = `ON_${phenomenon}_${String(Math.floor(i / PHENOMENA.length) + 1).padStart(3, "0")}`;
    const { pair, certificate } = certified({
      ...LIKA,
      phenomenon,
      source: { text: "Völsunga saga", chapter: 1 + i % 42, sentence: 1 + i },
      grammatical: `Hánum líkaði þat ${ENDINGS[i % 10]}b${i}.`,
      ungrammatical: `Hann líkaði þat ${ENDINGS[i % 10]}b${i}.`,
      lemma: i % 3 === 0 ? "líka" : `lemma${i % 7}`,
    });
    return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
  });
}

/** The pairs of {@link madeItems}. */
export function madePairs(n: number): readonly MinimalPair<Phenomenon>[] {
  return madeItems(n).map(({ pair }) => pair);
}
