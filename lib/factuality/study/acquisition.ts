/** What notebook 41 shows: passages that are found, claims of a text, cases made of a knowledge base. */
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { writtenMeasure } from "../../figures/theme.ts";
import type { FactbookField } from "../retrieval/factbook.ts";
import { type CoverageRow, measureOf } from "./tables.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import { termsOf } from "../retrieval/index.ts";
import { bestPart } from "../retrieval/retriever.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import type { KnowledgeCase } from "../training/knowledge_claims.ts";
import { type JudgedCase, type MeasuredVerdicts, measureVerdicts } from "../training/measures.ts";
import { SPLITS } from "../training/splits.ts";
import { type Claim, type ClaimNote, type Retriever, VERDICT_LABELS } from "../types.ts";

/** Passages shown a claim, and characters shown a passage. */
const SHOWN = 2;
const SHOWN_CHARACTERS = 90;

/** The best passages for each claim; a claim that finds nothing has a row that says so. */
export async function foundTable(retriever: Retriever, claims: readonly string[]): Promise<string> {
  const rows: (readonly TableCell[])[] = [];
  for (const claim of claims) {
    const found = await retriever.retrieve(claim);
    if (found.length === 0) rows.push([claim, undefined, "nothing over the thresholds", "", ""]);
    for (const { passage: { title, text }, bm25, cosine, rank } of found.slice(0, SHOWN)) {
      const cut = text.length > SHOWN_CHARACTERS
        ? `${text.slice(0, SHOWN_CHARACTERS).trimEnd()} …`
        : text;
      const named = rank === 1 ? claim : "";
      rows.push([named, rank, `**${title}**: ${cut}`, bm25.toFixed(1), cosine?.toFixed(2)]);
    }
  }
  return markdownTable(["claim", "rank", "passage", "BM25", "cosine"], rows);
}

/** The claims of a text, what they turn on, and what the splitter did to make them stand alone. */
export function claimTable(claims: readonly Claim[]): string {
  return markdownTable(
    ["claim", "text", "turns on", "to be checked", "notes"],
    claims.map(({ id, text, kind, notCheckable, notes }) => [
      id,
      text,
      kind,
      notCheckable === undefined ? "yes" : `no: ${notCheckable}`,
      notes.map(noteText).join("; "),
    ]),
  );
}

function noteText(note: ClaimNote): string {
  switch (note.kind) {
    case "pronoun resolved":
      return `“${note.pronoun}” read as “${note.to}”`;
    case "pronoun unresolved":
      return `“${note.pronoun}” left open`;
    case "subject supplied":
      return `subject “${note.subject}” supplied`;
  }
}

/** Countries and cases of each split, by label. */
export function splitTable(
  cases: readonly Pick<KnowledgeCase, "split" | "cluster" | "label">[],
): string {
  return markdownTable(
    ["split", "countries", "cases", ...VERDICT_LABELS],
    SPLITS.map((split) => {
      const own = cases.filter((one) => one.split === split);
      return [split, new Set(own.map(({ cluster }) => cluster)).size, own.length, ...labels(own)];
    }),
  );
}

/** Cases by one of their properties, the most frequent first, and by label. */
export function tallyTable(cases: readonly KnowledgeCase[], by: "kind" | "edit" | "form"): string {
  const groups = [...Map.groupBy(cases, (one) => one[by])]
    .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  return markdownTable(
    [by, "cases", ...VERDICT_LABELS],
    groups.map(([name, own]) => [name, own.length, ...labels(own)]),
  );
}

function labels(cases: readonly Pick<LabelledCase, "label">[]): readonly number[] {
  return VERDICT_LABELS.map((label) => cases.filter((one) => one.label === label).length);
}

/** Claims with their label, how they were made, and the part of the source nearest in words. */
export function exampleTable(cases: readonly KnowledgeCase[]): string {
  return markdownTable(
    ["country", "claim", "label", "made by"]
      .concat("source (form), the part nearest to the claim in words"),
    cases.map(({ cluster, claim, label, kind, edit, form, passages }) => {
      const terms = new Set(termsOf(claim));
      const common = (part: string) => new Set(termsOf(part).filter((it) => terms.has(it))).size;
      const nearest = passages.map((passage) => bestPart(passage, terms))
        .reduce((best, part) => common(part) > common(best) ? part : best);
      const madeBy = kind === edit ? kind : `${kind}, ${edit}`;
      return [cluster, claim, label, madeBy, `(${form}) ${nearest}`];
    }),
  );
}

/** The probability, 0–1, that a claim is supported, from the claim's words alone. */
type ClaimOnlyModel = (claim: string) => number;

/**
 * Naive Bayes over the words and pairs of words of claims, never their sources (McCallum & Nigam
 * 1998, multinomial, add-one smoothing, either side as likely before). Numbers count by their shape,
 * so that one badly made shows. What it finds above chance is an artefact of how cases were made.
 */
export function trainClaimOnly(cases: readonly LabelledCase[]): ClaimOnlyModel {
  const supported = countWords(cases.filter(({ label }) => label === "supported"));
  const others = countWords(cases.filter(({ label }) => label !== "supported"));
  const known = new Set([...supported.counts.keys(), ...others.counts.keys()]);
  const logShare = ({ counts, total }: ReturnType<typeof countWords>, term: string) =>
    Math.log(((counts.get(term) ?? 0) + 1) / (total + known.size));
  return (claim) => {
    const odds = wordsAndPairs(claim).filter((term) => known.has(term))
      .reduce((sum, term) => sum + logShare(supported, term) - logShare(others, term), 0);
    return 1 / (1 + Math.exp(-odds));
  };
}

function countWords(cases: readonly LabelledCase[]) {
  const terms = cases.flatMap(({ claim }) => wordsAndPairs(claim));
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, total: terms.length };
}

function wordsAndPairs(claim: string): readonly string[] {
  const words = claim.toLowerCase().replace(/\d/gu, "0").match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ??
    [];
  return [...words, ...words.slice(1).map((word, index) => `${words[index]} ${word}`)];
}

/** What the model makes of other cases, read as supported or not; intervals resample clusters. */
export function measureClaimOnly(
  model: ClaimOnlyModel,
  cases: readonly LabelledCase[],
  random: RandomSource,
): MeasuredVerdicts {
  const judged = cases.map(({ claim, label, cluster }): JudgedCase => {
    const supported = model(claim);
    const probabilities = { supported, "refuted": 1 - supported, "not enough info": 0 };
    return { label, cluster, probabilities };
  });
  return measureVerdicts(judged, "binary", random);
}

/** How well supported claims are told from the others without any source; 50 % is chance. */
export function claimOnlyTable(model: ClaimOnlyModel, cases: readonly KnowledgeCase[]): string {
  const factual = cases.filter(({ kind }) => kind !== "opinion");
  const groups: readonly (readonly [string, readonly KnowledgeCase[]])[] = [
    ["all", cases],
    ["all but opinions", factual],
    ...Map.groupBy(factual, ({ kind }) => kind),
  ];
  const percent = (share: MeasuredVerdicts["low"]) =>
    typeof share === "number" ? (100 * share).toFixed(1) : `– (${share.reason})`;
  return markdownTable(
    ["held-out cases", "n", "countries", "balanced accuracy (%), 95 % by country"],
    groups.map(([name, own]) => {
      const found = measureClaimOnly(model, own, randomSource(`claim only/${name}`));
      const { n, clusters, balancedAccuracy, low, high } = found;
      return [
        name,
        n,
        clusters,
        `${percent(balancedAccuracy)} [${percent(low)}, ${percent(high)}]`,
      ];
    }),
  );
}

/** What the knowledge base holds, section by section, in the book's own order. */
export function sectionTable(fields: readonly FactbookField[]): string {
  return markdownTable(
    ["section", "different fields", "statements", "countries and territories"],
    [...Map.groupBy(fields, ({ section }) => section)].map(([section, own]) => [
      section,
      new Set(own.map(({ field }) => field)).size,
      own.length,
      new Set(own.map(({ country }) => country)).size,
    ]),
  );
}

/** A splitter's claims against people's facts, over the responses of one model or of all. */
export function coverageTable(rows: readonly CoverageRow[]): string {
  return markdownTable(
    ["taken apart by", "responses of", "claims a response", "facts a response"]
      .concat([
        "facts that a claim has the words of (%)",
        "claims that a fact has the words of (%)",
      ]),
    rows.map((row) => [
      row.splitter,
      `${row.model} (n = ${row.responses})`,
      (row.claims / row.responses).toFixed(1),
      (row.facts / row.responses).toFixed(1),
      writtenMeasure(
        measureOf(row.facts_covered, row.facts_covered_low, row.facts_covered_high),
        "percent",
      ),
      writtenMeasure(
        measureOf(row.claims_covered, row.claims_covered_low, row.claims_covered_high),
        "percent",
      ),
    ]),
  );
}
