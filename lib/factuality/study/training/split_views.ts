import { markdownTable } from "../../../figures/markdown_table.ts";
import { type Split, SPLITS } from "../../training/country_split.ts";
import { wordsOf } from "../../training/heads/held_out_claims.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { VERDICT_LABELS } from "../../verdicts/verdict.ts";

type Cases = readonly Pick<KnowledgeCase, "split" | "cluster" | "claim" | "label">[];

const ofSplit = (cases: Cases, split: Split) => cases.filter((one) => one.split === split);
const countriesOf = (cases: Cases) => new Set(cases.map(({ cluster }) => cluster));
const claimsOf = (cases: Cases) => new Set(cases.map(({ claim }) => wordsOf(claim)));

/** Countries and claims of each split by label. */
export function splitTable(cases: Cases): string {
  return markdownTable(
    ["split", "countries", "claims", ...VERDICT_LABELS],
    SPLITS.map((split) => {
      const own = ofSplit(cases, split);
      const labels = VERDICT_LABELS.map((name) => own.filter(({ label }) => label === name).length);
      return [split, countriesOf(own).size, own.length, ...labels];
    }),
  );
}

/** What two splits have in common: countries, and claims in the same words. */
export function sharedTable(cases: Cases): string {
  const pairs = SPLITS.flatMap((one, i) => SPLITS.slice(i + 1).map((other) => [one, other]));
  return markdownTable(
    ["splits", "countries in both", "claims in both"],
    pairs.map(([one, other]) => {
      const [first, second] = [ofSplit(cases, one!), ofSplit(cases, other!)];
      return [
        `${one}, ${other}`,
        countriesOf(first).intersection(countriesOf(second)).size,
        claimsOf(first).intersection(claimsOf(second)).size,
      ];
    }),
  );
}

/** One statement's cases side by side: the claim, what the source says of it, and the label. */
export function variantsTable(
  cases: readonly Pick<KnowledgeCase, "edit" | "label" | "claim" | "passages">[],
): string {
  return markdownTable(
    ["claim", "nearest sentence of its source", "label", "what was changed"],
    cases.map(({ claim, label, edit, passages }) => [
      ...[claim, nearestSentence(claim, passages.map(({ text }) => text)), label, edit],
    ]),
  );
}

const wordsIn = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** The sentence with the greatest share of words in common with the claim. */
function nearestSentence(claim: string, texts: readonly string[]): string {
  const words = wordsIn(claim);
  const share = (sentence: string) => {
    const own = wordsIn(sentence);
    return own.intersection(words).size / own.union(words).size;
  };
  return texts.flatMap((text) => text.split(/(?<=[.!?])\s+/u))
    .reduce((best, one) => share(one) > share(best) ? one : best, "");
}
