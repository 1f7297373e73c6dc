/** Views of notebook 41: retrieved passages, claims of a text, and cases from a knowledge base. */
import { shown } from "../../stats/measure.ts";
import type { LabelledCase } from "../../factuality/labelled_case.ts";
import { termsOf } from "../../factuality/retrieval/index.ts";
import { bestPart } from "../../factuality/retrieval/retriever.ts";
import { logistic } from "../../stats/uncertainty.ts";
import type { KnowledgeCase } from "./claims/knowledge_claims.ts";
import { type JudgedCase, measureVerdicts } from "../../factuality/own/training/measures.ts";
import { SPLITS } from "../../factuality/own/training/splits.ts";
import {
  type Claim,
  type ClaimNote,
  type Retriever,
  VERDICT_LABELS,
} from "../../factuality/types.ts";
import { headedTable } from "./tables.ts";

/** Passages shown per claim, and characters shown per passage. */
const [SHOWN, SHOWN_CHARACTERS] = [2, 90];

/** Table of the best passages for each claim. A claim without passages has a row that says so. */
export async function foundTable(retriever: Retriever, claims: readonly string[]) {
  const rows = await Array.fromAsync(claims, async (claim) => {
    const passages = await retriever.retrieve(claim);
    if (passages.length === 0) return [[claim, undefined, "nothing over the thresholds", "", ""]];
    return passages.slice(0, SHOWN).map(({ passage: { title, text }, bm25, cosine, rank }) => {
      const start = text.slice(0, SHOWN_CHARACTERS).trimEnd();
      const words = `**${title}**: ${text.length > SHOWN_CHARACTERS ? `${start} …` : text}`;
      return [rank === 1 ? claim : "", rank, words, bm25.toFixed(1), cosine?.toFixed(2)];
    });
  });
  return headedTable("claim | rank | passage | BM25 | cosine", rows.flat());
}

/** Table of a text's claims with their kinds and the splitter's notes. */
export function claimTable(claims: readonly Claim[]) {
  const rows = claims.map(({ id, text, kind, notCheckable, notes }) => {
    const checked = notCheckable === undefined ? "yes" : `no: ${notCheckable}`;
    return [id, text, kind, checked, notes.map(noteText).join("; ")];
  });
  return headedTable("claim | text | turns on | to be checked | notes", rows);
}

function noteText(note: ClaimNote) {
  if (note.kind === "lead-in supplied") return `behind “${note.words}”`;
  if (note.kind === "subject supplied") return `subject “${note.subject}” supplied`;
  const read = note.kind === "pronoun resolved" ? `read as “${note.to}”` : "left open";
  return `“${note.pronoun}” ${read}`;
}

const LABELS = VERDICT_LABELS.join(" | ");
const labels = (cases: readonly Pick<LabelledCase, "label">[]) =>
  VERDICT_LABELS.map((label) => cases.filter((one) => one.label === label).length);

/** Table of countries and cases in each split, by label. */
export function splitTable(cases: readonly Pick<KnowledgeCase, "split" | "cluster" | "label">[]) {
  const rows = SPLITS.map((split) => {
    const splitCases = cases.filter((one) => one.split === split);
    return [
      split,
      new Set(splitCases.map(({ cluster }) => cluster)).size,
      splitCases.length,
      ...labels(splitCases),
    ];
  });
  return headedTable(`split | countries | cases | ${LABELS}`, rows);
}

/** Table of cases by one property, most frequent first, and by label. */
export function tallyTable(cases: readonly KnowledgeCase[], by: "kind" | "edit" | "form") {
  const rows = [...Map.groupBy(cases, (one) => one[by])]
    .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))
    .map(([name, groupCases]) => [name, groupCases.length, ...labels(groupCases)]);
  return headedTable(`${by} | cases | ${LABELS}`, rows);
}

/** Table of claims with labels, construction, and the most similar source part. */
export function exampleTable(cases: readonly KnowledgeCase[]) {
  const rows = cases.map(({ cluster, claim, label, kind, edit, form, passages }) => {
    const terms = new Set(termsOf(claim));
    const common = (part: string) => terms.intersection(new Set(termsOf(part))).size;
    const nearest = passages.map((passage) => bestPart(passage, terms))
      .reduce((best, part) => common(part) > common(best) ? part : best);
    const madeBy = kind === edit ? kind : `${kind}, ${edit}`;
    return [cluster, claim, label, madeBy, `(${form}) ${nearest}`];
  });
  const source = "source (form), the part nearest to the claim in words";
  return headedTable(`country | claim | label | made by | ${source}`, rows);
}

/** P(supported), 0–1, from the claim's words alone. */
type ClaimOnlyModel = (claim: string) => number;

/**
 * Fits naive Bayes to the words and bigrams of claims, without their sources (McCallum & Nigam
 * 1998). Numbers count by shape. Accuracy above chance is an artefact of how cases were made.
 */
export function trainClaimOnly(cases: readonly LabelledCase[]): ClaimOnlyModel {
  const wordsOf = (isSupported: boolean) => {
    const classCases = cases.filter(({ label }) => (label === "supported") === isSupported);
    const terms = classCases.flatMap(({ claim }) => wordsAndPairs(claim));
    return { counts: Map.groupBy(terms, (term) => term), total: terms.length };
  };
  const [supported, others] = [wordsOf(true), wordsOf(false)];
  const known = new Set([...supported.counts.keys(), ...others.counts.keys()]);
  const logShare = ({ counts, total }: typeof others, term: string) =>
    Math.log(((counts.get(term)?.length ?? 0) + 1) / (total + known.size));
  return (claim) => {
    const odds = wordsAndPairs(claim).filter((term) => known.has(term))
      .reduce((sum, term) => sum + logShare(supported, term) - logShare(others, term), 0);
    return logistic(odds);
  };
}

function wordsAndPairs(claim: string): readonly string[] {
  const shaped = claim.toLowerCase().replace(/\d/gu, "0");
  const words = shaped.match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
  return [...words, ...words.slice(1).map((word, index) => `${words[index]} ${word}`)];
}

/** Predictions of the claim-only model for other cases, supported or not. */
const judgedByClaim = (model: ClaimOnlyModel, cases: readonly LabelledCase[]) =>
  cases.map(({ claim, label, cluster }): JudgedCase => {
    const supported = model(claim);
    const probabilities = { supported, refuted: 1 - supported, "not enough info": 0 };
    return { label, cluster, probabilities };
  });

/** Accuracy of the claim-only model; chance is 50 %. */
export function claimOnlyTable(model: ClaimOnlyModel, cases: readonly KnowledgeCase[]) {
  const factual = cases.filter(({ kind }) => kind !== "opinion");
  const groups: readonly (readonly [string, readonly KnowledgeCase[]])[] = [
    ["all", cases],
    ["all but opinions", factual],
    ...Map.groupBy(factual, ({ kind }) => kind),
  ];
  const rows = groups.map(([name, groupCases]) => {
    const measured = measureVerdicts(judgedByClaim(model, groupCases), "binary");
    return [
      name,
      measured.n,
      measured.clusters,
      shown(measured.interval, "percent", { reasons: true }),
    ];
  });
  const accuracy = "balanced accuracy (%), 95 % by country";
  return headedTable(`held-out cases | n | countries | ${accuracy}`, rows);
}
