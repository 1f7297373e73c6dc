/** What all reports of an evaluation say in the same words. */

import {
  type ClaimResult,
  type EnsembleScore,
  type Evaluation,
  FACTUAL_ACCURACY,
  type Judgement,
  type MeasuredAccuracy,
  type Unscored,
  type UnsupportedClaim,
  VERDICT_LABELS,
  type VerdictLabel,
} from "../types.ts";

/** How many claims there are of each verdict. */
export type VerdictCounts = Readonly<Record<VerdictLabel | "unscored" | "not checkable", number>>;

/** Counts the claims of an evaluation; a statement that cannot be checked is not "unscored". */
export function verdictCounts(claims: readonly ClaimResult[]): VerdictCounts {
  const counts = {
    supported: 0,
    refuted: 0,
    "not enough info": 0,
    unscored: 0,
    "not checkable": 0,
  };
  for (const result of claims) counts[statusOf(result)]++;
  return counts;
}

/** What a claim is shown as. */
export function statusOf(
  { claim, verdict }: Pick<ClaimResult, "claim" | "verdict">,
): keyof VerdictCounts {
  if (claim.notCheckable !== undefined) return "not checkable";
  return verdict.kind === "scored" ? verdict.label : "unscored";
}

/** The result in two sentences: what the judges say together, and what the verifier says. */
export function resultSentence({ criteria, claims }: Evaluation): string {
  const accuracy = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY);
  const judges = accuracy === undefined
    ? "No judge was asked."
    : `Factual accuracy: ${ensembleWords(accuracy.ensemble)}.`;
  const counts = verdictCounts(claims);
  const checkable = claims.length - counts["not checkable"];
  if (checkable === 0) return `${judges} No claim that can be checked was found in the text.`;
  const parts = VERDICT_LABELS.map((label) => `${counts[label]} ${label}`);
  if (counts.unscored > 0) parts.push(`${counts.unscored} not scored`);
  const noun = checkable === 1 ? "claim" : "claims";
  return `${judges} The verifier on ${checkable} ${noun} that can be checked: ${parts.join(", ")}.`;
}

/** What the candidate was checked against, in a sentence. */
export function groundingSentence({ mode, claims }: Evaluation): string {
  const failed = claims.find(({ retrieval }) => retrieval.status === "failed")?.retrieval.message;
  const base = failed === undefined
    ? "no knowledge base was used"
    : `the knowledge base could not be used: ${failed.replace(/\.$/, "")}`;
  const found = new Set(claims.flatMap(({ passages }) => passages.map((one) => one.passage.id)));
  const lookedUp = found.size === 0
    ? "the knowledge base, which has no passage on any of its claims"
    : `${found.size} ${found.size === 1 ? "passage" : "passages"} of the knowledge base`;
  switch (mode) {
    case "source":
      return `Checked against the source text alone; ${base}.`;
    case "source and retrieval":
      return `Checked against the source text and ${lookedUp}.`;
    case "retrieval":
      return `There was no source text; checked against ${lookedUp}.`;
    case "zero retrieval":
      return `Nothing external was consulted: there was no source text, and ${base}. ` +
        "The text was read against itself only; nothing here says that it is true.";
  }
}

/** `65.0 of 100 (mean of 2 of 3 judges; low confidence: …)`, or why there is no score. */
export function ensembleWords(ensemble: EnsembleScore): string {
  if (ensemble.kind === "unscored") return `not scored (${ensemble.reason}: ${ensemble.message})`;
  const { score, strategy, scored, asked, lowConfidence, reasons } = ensemble;
  const doubt = lowConfidence ? `; low confidence: ${reasons.join("; ")}` : "";
  return `${score.toFixed(1)} of 100 (${strategy} of ${scored} of ${asked} judges${doubt})`;
}

/** A score, or why there is none. */
export function judgementWords(judgement: Judgement): string {
  return judgement.kind === "scored"
    ? `${tenths(judgement.score)}`
    : `not scored (${judgement.reason})`;
}

/** `0.70 [0.62, 0.78] on 200 of factbook claims`, or that nobody has measured it. */
export function measuredWords(measured: MeasuredAccuracy | undefined): string {
  if (measured === undefined) return "not measured";
  const { balancedAccuracy, low, high, n, on } = measured;
  const [middle, from, to] = [balancedAccuracy, low, high].map((value) => value.toFixed(2));
  return `${middle} [${from}, ${to}] on ${n} of ${on}`;
}

/** What the splitter did to make a claim stand alone, or could not do; empty where nothing. */
export function noteWords({ notes }: ClaimResult["claim"]): string {
  return notes.map((note) => {
    switch (note.kind) {
      case "pronoun resolved":
        return `"${note.pronoun}" is taken for ${note.to}`;
      case "pronoun unresolved":
        return `"${note.pronoun}" could not be resolved`;
      case "subject supplied":
        return `the subject ${note.subject} is supplied`;
    }
  }).join("; ");
}

/** A probability in per cent, without decimals. */
export const percent = (share: number) => `${Math.round(100 * share)} %`;

/** A number with one decimal at most. */
export const tenths = (value: number) => Math.round(10 * value) / 10;

/** The weight that the configuration gave a judge; undefined where nobody says. */
export function weightOf({ configuration }: Evaluation, judge: string): number | undefined {
  const weight = configuration.judges.find(({ name }) => name === judge)?.settings["weight"];
  return typeof weight === "number" ? weight : undefined;
}

/** What a small language model makes of each claim; empty where none was asked. */
export function plausibilitySentence({ consistency }: Evaluation): string {
  const known = (consistency?.plausibility ?? []).flatMap(({ claimId, value }) =>
    value === undefined ? [] : [`${claimId} ${value.toFixed(2)}`]
  );
  return known.length === 0 ? "" : `Log-probability a token, in nats: ${known.join(", ")}.`;
}

/** Something that has no score, and why; `what` is `claim c2` or `style by x`. */
type Gap = Pick<Unscored, "reason" | "message" | "partialText"> & { readonly what: string };

/** Everything that was to be scored and was not, in the order of the report. */
export function gapsOf({ claims, criteria }: Evaluation): readonly Gap[] {
  const answers = [
    ...claims.flatMap(({ claim: { id }, verdict, judges }) => [
      { what: `claim ${id}`, answer: verdict },
      ...judges.map(({ judge, judgement }) => ({
        what: `claim ${id} by ${judge}`,
        answer: judgement,
      })),
    ]),
    ...criteria.flatMap(({ criterion, judges }) =>
      judges.map(({ judge, judgement }) => ({
        what: `${criterion} by ${judge}`,
        answer: judgement,
      }))
    ),
  ];
  return answers.flatMap(({ what, answer }) =>
    answer.kind === "unscored" ? { ...answer, what } : []
  );
}

/** The unified list by kind, the judges' own charges last: how far these are to be trusted stands beside their scores. */
export function unsupportedGroups({ unsupported }: Evaluation): readonly {
  readonly title: string;
  readonly entries: readonly UnsupportedClaim[];
}[] {
  const alone = unsupported.filter(isJudgesOnly);
  const others = unsupported.filter((entry) => !isJudgesOnly(entry));
  const kinds = [...Map.groupBy(others, ({ kind }) => kind)].map(([kind, entries]) => ({
    title: `${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    entries,
  }));
  return alone.length === 0
    ? kinds
    : [...kinds, { title: "Doubted by judges only", entries: alone }];
}

/** Whether neither the verifier nor the text itself speaks against it. */
export function isJudgesOnly({ detectedBy, kind }: UnsupportedClaim): boolean {
  return kind !== "internal contradiction" && !detectedBy.includes("verifier");
}

/** What made an evaluation, with every setting and hash, and when: a line a thing. */
export function provenanceLines(evaluation: Evaluation): readonly string[] {
  const { configuration, startedAt, milliseconds, droppedClaims, schemaVersion } = evaluation;
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = configuration;
  const components = [
    { role: "splitter", ...splitter },
    ...retriever ? [{ role: "retriever", ...retriever }] : [],
    { role: "verifier", ...verifier },
    ...judges.map((judge) => ({ role: "judge", ...judge })),
  ];
  const seconds = Object.entries(milliseconds)
    .map(([stage, value]) => `${stage} ${(value / 1000).toFixed(2)} s`).join(", ");
  return [
    ...components.map(({ role, name, settings }) => {
      const parts = Object.entries(settings).map(([key, value]) => `${key} ${value}`);
      return `${role} ${name}: ${parts.length === 0 ? "no settings" : parts.join(", ")}`;
    }),
    ...hashLines(evaluation),
    `aggregation: ${aggregation}`,
    `prompts: SHA-256 ${promptsSha256}`,
    ...droppedClaims.map(({ text, reason }) => `dropped "${text}": ${reason}`),
    `started ${startedAt}; ${seconds}`,
    `schema version ${schemaVersion}`,
  ];
}

/** The weights and prompts behind verdicts and judgements, by their SHA-256, each once. */
function hashLines({ claims, criteria }: Evaluation): readonly string[] {
  const made = [
    ...claims.map(({ verdict }) => verdict),
    ...[...criteria, ...claims].flatMap(({ judges }) => judges.map(({ judgement }) => judgement)),
  ];
  const lines = made.flatMap(({ provenance: { producedBy, modelSha256, promptSha256 } }) => [
    ...modelSha256 === undefined ? [] : [`weights of ${producedBy}: SHA-256 ${modelSha256}`],
    ...promptSha256 === undefined ? [] : [`a prompt of ${producedBy}: SHA-256 ${promptSha256}`],
  ]);
  return [...new Set(lines)].sort();
}

/** Others' words as text of a page or value of an attribute, never as markup. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;")
    // What HTML does not allow at all, lone halves of characters among it.
    .replace(/(?![\t\n\r])\p{Cc}/gu, "\ufffd").toWellFormed();
}

/** A section with a heading; nothing where it would be empty. */
export function titled(title: string, content: string, id = ""): string {
  if (content === "") return "";
  const attribute = id === "" ? "" : ` id="${id}"`;
  return `<section${attribute}>\n<h2>${title}</h2>\n${content}\n</section>`;
}

/** A list; nothing without items. The items are markup. */
export function list(items: readonly string[]): string {
  return items.length === 0
    ? ""
    : `<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;
}

/** A table in a box that scrolls by itself. Cells are markup; the first of a row is its heading. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join("");
  const body = rows.map(([first, ...cells]) =>
    `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
  ).join("\n");
  return `<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>\n` +
    `<caption>${caption}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n` +
    "</table></div>";
}

/**
 * The style sheet of reports. Every text colour has at least 4.5 : 1 on its ground, light and dark;
 * verdicts differ by line and sign as well as by colour (Okabe and Ito's, which differ in every
 * common colour blindness).
 */
export const PAGE_STYLE = Deno.readTextFileSync(new URL("./page.css", import.meta.url));
