/** Wording shared by all reports of an evaluation, and the Markdown report. */
import { markdownTable } from "../../figures/table.ts";
import { proportion, shown } from "../../stats/measure.ts";
import { shownLabel } from "../decision.ts";
import { answersIn, FACTUAL_ACCURACY, VERDICT_LABELS } from "../types.ts";
import type { ClaimResult, EnsembleScore, Evaluation, Judgement } from "../types.ts";
import type { MeasuredAccuracy, Named, NotCheckable, ScoredVerdict } from "../types.ts";
import type { UnsupportedClaim } from "../types.ts";

/** Statuses of claims, in the order of the legend. */
const STATUSES = [
  ...VERDICT_LABELS,
  "disputed",
  "unverifiable",
  "unscored",
  "not checkable",
] as const;
export type ClaimStatus = typeof STATUSES[number];

/**
 * Counts claims by status. Separate from "unscored" claims are statements that cannot be checked,
 * and "unverifiable" claims without anything to compare.
 */
export function verdictCounts(
  claims: readonly ClaimResult[],
): Readonly<Record<ClaimStatus, number>> {
  const countOf = (status: ClaimStatus) => claims.filter((one) => statusOf(one) === status).length;
  const counts = STATUSES.map((status) => [status, countOf(status)]);
  return Object.fromEntries(counts) as Record<ClaimStatus, number>;
}

/** Status under which a claim is shown. */
export function statusOf(
  { claim, verdict, unverifiable }: Pick<ClaimResult, "claim" | "verdict" | "unverifiable">,
): ClaimStatus {
  if (claim.notCheckable !== undefined) return "not checkable";
  if (verdict.kind === "scored") return shownLabel(verdict);
  return unverifiable ? "unverifiable" : "unscored";
}

/** Phrase after a verdict where the source leaves the claim open and retrieval found nothing. */
export const unverifiableSuffix = ({ verdict, unverifiable }: ClaimResult) =>
  unverifiable && verdict.kind === "scored" ? ", unverifiable" : "";

/** The judges' combined score of factual accuracy; undefined without judges. */
const accuracyOf = ({ criteria }: Evaluation) =>
  criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.ensemble;

/** The same where there is a score; otherwise undefined. */
export function scoredAccuracy(evaluation: Evaluation) {
  const ensemble = accuracyOf(evaluation);
  return ensemble?.kind === "scored" ? ensemble : undefined;
}

/** Joins the non-empty parts. */
export const joinNonEmpty = (parts: readonly string[], separator: string) =>
  parts.filter((part) => part !== "").join(separator);

/** Result in two sentences: the supported share with its Wilson interval, and the judges' score. */
export function resultSentence(evaluation: Evaluation): string {
  const accuracy = accuracyOf(evaluation);
  const judges = accuracy
    ? `Factual accuracy by the judges: ${ensembleWords(accuracy)}.`
    : "No judge was asked.";
  const warned = evaluation.foreign === undefined ? "" : `${evaluation.foreign} `;
  const counts = verdictCounts(evaluation.claims);
  const checkable = evaluation.claims.length - counts["not checkable"];
  const passedOver = uncheckedSentence(evaluation);
  if (checkable === 0) {
    const none = "No checkable claim was found in the text.";
    return joinNonEmpty([`${warned}${none}`, passedOver, judges], " ");
  }
  // Failed or unverifiable claims are not known to be unsupported.
  const known = countedClaims(evaluation).length;
  const noun = checkable === 1 ? "claim" : "claims";
  if (known === 0) {
    const none = `The verifier has no verdict on the ${checkable} checkable ${noun}.`;
    return joinNonEmpty([`${warned}${none}`, passedOver, judges], " ");
  }
  const percent = ` (${shown(proportion(counts.supported, known), "whole percent")} %)`;
  const look = doubtfulClaims(evaluation).length;
  const doubts = look === 0 ? "" : `, ${look} of these with a doubt`;
  const rest = [
    `Refuted: ${counts.refuted}`,
    `not enough info: ${counts["not enough info"]}`,
  ];
  if (counts.disputed > 0) rest.push(`disputed: ${counts.disputed}`);
  if (counts.unverifiable > 0) rest.push(`unverifiable: ${counts.unverifiable}`);
  const left = checkable === known
    ? ""
    : ` ${checkable - known} more ${checkable - known === 1 ? "has" : "have"} no verdict.`;
  const verdictSentence =
    `${warned}The verifier finds ${counts.supported} of ${known} checkable ${noun} ` +
    `supported${percent}${doubts}. ${rest.join(", ")}.${left}`;
  return joinNonEmpty([verdictSentence, passedOver, judges], " ");
}

const UNCHECKED: Readonly<Record<NotCheckable, readonly [one: string, several: string]>> = {
  question: ["question", "questions"],
  opinion: ["opinion of the writer's", "opinions of the writer's"],
  hedge: ["disclaimer", "disclaimers"],
  instruction: ["remark to the reader", "remarks to the reader"],
  fragment: ["heading or fragment", "headings or fragments"],
};

/** Number of unchecked sentences with the reasons; empty where all were checked. */
export function uncheckedSentence({ claims }: Pick<Evaluation, "claims">): string {
  const reasons = new Map<number, NotCheckable>();
  for (const { claim: { sentence, notCheckable } } of claims) {
    if (notCheckable !== undefined) reasons.set(sentence.start, notCheckable);
  }
  if (reasons.size === 0) return "";
  const kinds = [...Map.groupBy(reasons.values(), (reason) => reason)]
    .map(([reason, { length }]) => `${length} ${UNCHECKED[reason][length === 1 ? 0 : 1]}`);
  const subject = reasons.size === 1 ? "1 sentence was" : `${reasons.size} sentences were`;
  return `${subject} not checked: ${kinds.join(", ")}.`;
}

/** Claims in the denominator of the supported share: with a verdict, or unverifiable. */
export const countedClaims = ({ claims }: Evaluation) =>
  claims.filter(({ claim, verdict, unverifiable }) =>
    claim.notCheckable === undefined && (verdict.kind === "scored" || unverifiable)
  );

/** Probability of "supported" below which a supported claim is listed as doubtful. */
const DOUBTFUL_BELOW = 0.7;

/**
 * Reasons to doubt a supported claim: findings for another verdict, and a probability below 0.7.
 * Empty for other claims.
 */
export function reasonsForDoubt({ claim, verdict }: ClaimResult): readonly string[] {
  if (claim.notCheckable !== undefined || verdict.kind === "unscored") return [];
  if (verdict.label !== "supported") return [];
  const { probabilities: { supported }, findings } = verdict;
  const seen = findings.filter(({ speaksFor }) => speaksFor !== "supported")
    .map(({ words }) => words);
  return [...seen, ...supported < DOUBTFUL_BELOW ? [`probability ${percent(supported)} only`] : []];
}

/** Supported claims with a reason for doubt, least probable first. */
export const doubtfulClaims = ({ claims }: Pick<Evaluation, "claims">): readonly ClaimResult[] =>
  claims.filter((one) => reasonsForDoubt(one).length > 0)
    .toSorted((a, b) => supportOf(a) - supportOf(b));

const supportOf = ({ verdict }: ClaimResult) =>
  verdict.kind === "scored" ? verdict.probabilities.supported : 0;

/** Result of retrieval, or the reason why it was skipped. */
export const retrievalWords = ({ status, message }: ClaimResult["retrieval"]) =>
  status === "not looked up" ? message : `${status}, ${message}`;

/** Sentence on the accuracy of verdicts at this confidence; empty where it was not measured. */
function trustSentence({ trust }: Evaluation): string {
  if (trust === undefined) return "";
  const [words] = FRACTIONS.reduce((best, one) =>
    Math.abs(one[1] - trust.right) < Math.abs(best[1] - trust.right) ? one : best
  );
  return `About ${words} verdicts with this confidence are right, as measured on ${trust.sources} sets ` +
    "of labelled claims, each scored by a head fitted to the others.";
}

const FRACTIONS: readonly (readonly [string, number])[] = [
  ["1 in 2", 1 / 2],
  ["3 in 5", 3 / 5],
  ["2 in 3", 2 / 3],
  ["3 in 4", 3 / 4],
  ["4 in 5", 4 / 5],
  ["9 in 10", 9 / 10],
];

/** Sentences on the candidate's sources and on the accuracy of verdicts at this confidence. */
export const groundingSentence = (evaluation: Evaluation) =>
  joinNonEmpty([groundSentence(evaluation), trustSentence(evaluation)], " ");

function groundSentence({ mode, claims }: Evaluation): string {
  const failed = claims.find(({ retrieval }) => retrieval.status === "failed")?.retrieval.message;
  const base = failed === undefined
    ? "no knowledge base was used"
    : `the knowledge base could not be used: ${failed.replace(/\.$/, "")}`;
  const passageIds = new Set(
    claims.flatMap(({ passages }) => passages.map((one) => one.passage.id)),
  );
  const lookedUp = passageIds.size === 0
    ? "the knowledge base, which has no passage on any of its claims"
    : `${passageIds.size} ${passageIds.size === 1 ? "passage" : "passages"} of the knowledge base`;
  return {
    source: `Checked against the source text alone; ${base}.`,
    "source and retrieval": `Checked against the source text and ${lookedUp}.`,
    retrieval: `There was no source text; checked against ${lookedUp}.`,
    "zero retrieval": "Nothing external was consulted: there was no source text, and " +
      `${base}. The text was read against itself only; nothing here says that it is true.`,
  }[mode];
}

/**
 * Formats a combined score: `65.0 of 100 (mean of 2 of 3 judges; low confidence: …)`, or the reason
 * for none.
 */
export function ensembleWords(ensemble: EnsembleScore): string {
  if (ensemble.kind === "unscored") return `not scored (${ensemble.reason}: ${ensemble.message})`;
  const { score, strategy, scored, asked, lowConfidence, reasons } = ensemble;
  const doubt = lowConfidence ? `; low confidence: ${reasons.join("; ")}` : "";
  return `${score.toFixed(1)} of 100 (${strategy} of ${scored} of ${asked} judges${doubt})`;
}

/** Formats a score, or the reason for none. */
export function judgementWords(judgement: Judgement): string {
  if (judgement.kind === "unscored") return `not scored (${judgement.reason})`;
  const { draws = 1, variance = 0 } = judgement.repetition ?? {};
  const drawn = draws > 1
    ? ` (mean of ${draws} answers, variance ${oneDecimal(variance)} points²)`
    : "";
  const half = judgement.parse === "partial" ? " (incomplete answer)" : "";
  return `${oneDecimal(judgement.score)}${drawn}${half}`;
}

/** Formats a measured accuracy, `0.70 [0.62, 0.78] on 200 of factbook claims`, or its absence. */
export function measuredWords(measured: MeasuredAccuracy | undefined): string {
  if (measured === undefined) return "not measured";
  const { balancedAccuracy, low, high, n, on } = measured;
  return `${shown({ kind: "interval", estimate: balancedAccuracy, low, high })} on ${n} of ${on}`;
}

/** Changes by the splitter that make a claim stand alone, or failed attempts; empty without any. */
export const noteWords = ({ notes }: ClaimResult["claim"]) =>
  notes.map((note) => {
    if (note.kind === "lead-in supplied") return `read after "${note.words}"`;
    if (note.kind === "subject supplied") return `subject supplied: ${note.subject}`;
    const read = note.kind === "pronoun resolved"
      ? `is read as ${note.to}`
      : "could not be resolved";
    return `"${note.pronoun}" ${read}`;
  }).join("; ");

/** Formats a probability in per cent, without decimals. */
export const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Findings for the verdict, then findings for others, marked as such. */
export const findingWords = ({ label, findings }: ScoredVerdict): readonly string[] => {
  const [supporting, others] = [true, false].map((isOwn) =>
    findings.filter(({ speaksFor }) => (speaksFor === label) === isOwn).map(({ words }) => words)
  );
  return [...supporting!, ...others!.map((words) => `although ${words}`)];
};

/** Rounds to one decimal. */
export const oneDecimal = (value: number) => Math.round(10 * value) / 10;

/** Configured weight of a judge; undefined by default. */
export function weightOf({ configuration }: Evaluation, judge: string): number | undefined {
  const weight = configuration.judges.find(({ name }) => name === judge)?.settings["weight"];
  return typeof weight === "number" ? weight : undefined;
}

/** Number of claim pairs compared; empty where all were, or where unknown. */
export function comparedSentence({ consistency }: Evaluation): string {
  const { pairs, of } = consistency?.compared ?? { pairs: 0, of: 0 };
  if (pairs === of) return "";
  return `Only the ${pairs} most similar of ${of} pairs of similar claims were compared.`;
}

/** Plausibility of each claim under a small language model; empty without one. */
export function plausibilitySentence({ consistency }: Evaluation): string {
  const known = (consistency?.plausibility ?? []).flatMap(({ claimId, value }) =>
    value === undefined ? [] : [`${claimId} ${value.toFixed(2)}`]
  );
  return known.length === 0 ? "" : `Log-probability per token, in nats: ${known.join(", ")}.`;
}

/** Missing scores; `what` names them, for example `claim c2` or `style by x`. */
export function missingScores({ claims, criteria }: Evaluation) {
  const judged = (subject: string, judges: ClaimResult["judges"]) =>
    judges.map(({ judge, judgement }) => ({ ...judgement, what: `${subject} by ${judge}` }));
  const answers = [
    ...claims.flatMap(({ claim: { id }, verdict, judges }) => [
      { ...verdict, what: `claim ${id}` },
      ...judged(`claim ${id}`, judges),
    ]),
    ...criteria.flatMap(({ criterion, judges }) => judged(criterion, judges)),
  ];
  return answers.filter((answer) => answer.kind === "unscored");
}

/**
 * Groups the unified list by kind. The judges' own charges come last, since their reliability is
 * stated with their scores.
 */
export function unsupportedGroups({ unsupported, claims }: Evaluation) {
  const vain = new Set(
    claims.filter((one) => statusOf(one) === "unverifiable").map(({ claim }) => claim.id),
  );
  const titleOf = (entry: UnsupportedClaim) => {
    if (isJudgesOnly(entry)) return "Doubted by judges only";
    // It is unsupported, which does not make it wrong.
    if (entry.kind === "unsupported claim" && vain.has(entry.claimId)) return "Unverifiable claim";
    return `${entry.kind[0]!.toUpperCase()}${entry.kind.slice(1)}`;
  };
  const ordered = unsupported.toSorted((a, b) => Number(isJudgesOnly(a)) - Number(isJudgesOnly(b)));
  return [...Map.groupBy(ordered, titleOf)].map(([title, entries]) => ({ title, entries }));
}

/** Tests that only judges hold something against it, neither the verifier nor the text. */
export const isJudgesOnly = ({ detectedBy, kind }: UnsupportedClaim) =>
  kind !== "internal contradiction" && !detectedBy.includes("verifier");

/** Components, settings, hashes and time of an evaluation, one line each. */
export function provenanceLines(evaluation: Evaluation): readonly string[] {
  const { configuration, startedAt, milliseconds, droppedClaims, schemaVersion } = evaluation;
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = configuration;
  const { touchstone, criteria: judged, parameters } = configuration;
  const components = [
    { role: "splitter", ...splitter },
    ...retriever ? [{ role: "retriever", ...retriever }] : [],
    { role: "verifier", ...verifier },
    ...judges.map((judge) => ({ role: "judge", ...judge })),
  ];
  // Weights and prompts behind verdicts and judgements, each once.
  const hashes = answersIn(evaluation).flatMap(({ provenance }) => {
    const { producedBy, modelSha256, promptSha256 } = provenance;
    return [
      modelSha256 === undefined ? [] : `weights of ${producedBy}: SHA-256 ${modelSha256}`,
      promptSha256 === undefined ? [] : `a prompt of ${producedBy}: SHA-256 ${promptSha256}`,
    ].flat();
  });
  const seconds = Object.entries(milliseconds)
    .map(([stage, value]) => `${stage} ${(value / 1000).toFixed(2)} s`).join(", ");
  return [
    ...components.map(({ role, name, settings }) => {
      return `${role} ${name}: ${settingWords(settings) || "no settings"}`;
    }),
    ...[...new Set(hashes)].sort(),
    `aggregation: ${aggregation}`,
    `prompts: SHA-256 ${promptsSha256}`,
    ...judged.length === 0 ? [] : [`criteria: ${judged.join(", ")}`],
    `parameters: ${settingWords(parameters)}`,
    ...droppedClaims.map(({ text, reason }) => `dropped "${text}": ${reason}`),
    `started ${startedAt}; ${seconds}`,
    `Touchstone ${touchstone}, schema version ${schemaVersion}`,
  ];
}

const settingWords = (settings: Named["settings"]) =>
  Object.entries(settings).map(([key, value]) => `${key} ${value}`).join(", ");

/** Formats an evaluation as GitHub Markdown; empty sections are omitted. */
export function evaluationMarkdown(evaluation: Evaluation): string {
  const { request, disagreements, problems } = evaluation;
  const disputes = disagreements.map(({ claimId, words }) =>
    `${claimId}: ${escapedMarkdown(words)}`
  );
  const gaps = missingScores(evaluation).map(({ what, reason, message, partialText = "" }) => {
    const partial = partialText && ` Text received: "${escapedMarkdown(partialText)}"`;
    return `${escapedMarkdown(what)}: ${reason}. ${escapedMarkdown(message)}${partial}`;
  });
  const section = (title: string, content: string) => content && `## ${title}\n\n${content}`;
  const sections = [
    `# Factuality evaluation: ${escapedMarkdown(request.id)}`,
    `${escapedMarkdown(resultSentence(evaluation))} ${
      escapedMarkdown(groundingSentence(evaluation))
    }`,
    section("Scores", scores(evaluation)),
    section("Claims", claims(evaluation)),
    section("Unsupported", unsupportedSection(evaluation)),
    section("Supported with doubts", doubtfulClaimsSection(evaluation)),
    section("Verifier and judges disagree", bullets(disputes)),
    section("The text by itself", consistency(evaluation)),
    section("Reasoning of the judges", reasoning(evaluation)),
    section("Passages that were used", passages(evaluation)),
    section("What was not scored", bullets(gaps)),
    section("Problems", bullets(problems.map(escapedMarkdown))),
    section("How it was made", bullets(provenanceLines(evaluation).map(escapedMarkdown))),
  ];
  return `${joinNonEmpty(sections, "\n\n")}\n`;
}

/** Escapes foreign text for one line of Markdown. */
export function escapedMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").trim()
    .replace(/\p{Cc}/gu, "\ufffd")
    // Bidirectional marks, which would reverse the text after them.
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "").toWellFormed()
    .replace(/[\\`*_{}[\]#~$!]/g, "\\$&")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;");
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

function scores(evaluation: Evaluation): string {
  const rows = evaluation.criteria.flatMap(({ criterion, judges, ensemble }) => {
    const name = escapedMarkdown(criterion);
    const all = () => {
      if (ensemble.kind === "unscored") return ["not scored", escapedMarkdown(ensemble.message)];
      const { score, variance, range, reasons } = ensemble;
      const spread = variance === undefined
        ? ""
        : `variance ${oneDecimal(variance)}, range ${oneDecimal(range)}`;
      const doubts = reasons.map((reason) => `low confidence: ${escapedMarkdown(reason)}`);
      return [`**${oneDecimal(score)}**`, joinNonEmpty([spread, ...doubts], "; ")];
    };
    const rows = judges.map(({ judge, judgement, measured, milliseconds }) => {
      const cells = [judgementWords(judgement), escapedMarkdown(measuredWords(measured))];
      const seconds = (milliseconds / 1000).toFixed(2);
      return [name, escapedMarkdown(judge), ...cells, weightOf(evaluation, judge), seconds];
    });
    return [...rows, [name, "**together**", ...all(), undefined, undefined]];
  });
  if (rows.length === 0) return "";
  const columns = ["criterion", "judge", "score", "measured balanced accuracy", "weight", "s"];
  return markdownTable(columns, rows);
}

export function claims({ claims }: Evaluation): string {
  if (claims.length === 0) return "";
  const columns = ["id", "claim", "kind", "verdict", ...VERDICT_LABELS, "evidence", "judges"];
  const rows = claims.map((result) => {
    const { claim, verdict, judges } = result;
    const text = escapedMarkdown(joinNonEmpty([claim.text, noteWords(claim)], " — "));
    const status = statusOf(result) + unverifiableSuffix(result);
    const shares = VERDICT_LABELS.map((label) =>
      verdict.kind === "scored" ? percent(verdict.probabilities[label]) : undefined
    );
    const judgements = judges.map((one) =>
      `${escapedMarkdown(one.judge)} ${judgementWords(one.judgement)}`
    );
    return [
      claim.id,
      text,
      claim.kind,
      status,
      ...shares,
      evidence(verdict),
      judgements.join(", "),
    ];
  });
  return markdownTable(columns, rows);
}

function evidence(verdict: ClaimResult["verdict"]): string {
  if (verdict.kind === "unscored") return escapedMarkdown(verdict.message);
  const [best] = verdict.evidence;
  const quote = best === undefined
    ? ""
    : `"${escapedMarkdown(best.text)}" (${escapedMarkdown(best.collection)} ${
      escapedMarkdown(best.passageId)
    }, ` +
      `${best.span.start}–${best.span.end})`;
  return joinNonEmpty([quote, ...findingWords(verdict).map(escapedMarkdown)], "; ");
}

export function unsupportedSection(evaluation: Evaluation): string {
  const line = ({ claimId, text, detectedBy, reasons, evidence: [best] }: UnsupportedClaim) => {
    const name = claimId === "" ? "" : `${claimId}: `;
    const by = detectedBy.map(escapedMarkdown).join(", ");
    const quoted = best === undefined ? "" : ` Evidence: "${escapedMarkdown(best.text)}"`;
    return `${name}"${escapedMarkdown(text)}", detected by ${by}. ${
      reasons.map(escapedMarkdown).join("; ")
    }.${quoted}`;
  };
  return unsupportedGroups(evaluation).map(({ title, entries }) =>
    `### ${title} (${entries.length})\n\n${bullets(entries.map(line))}`
  ).join("\n\n");
}

/** Lists doubted claims with reasons and evidence. */
export const doubtfulClaimsSection = (evaluation: Evaluation): string =>
  bullets(
    doubtfulClaims(evaluation).map((one) => {
      const [best] = one.verdict.kind === "scored" ? one.verdict.evidence : [];
      const quoted = best === undefined ? "" : ` Evidence: "${escapedMarkdown(best.text)}"`;
      const { id, text } = one.claim;
      return `${id}: "${escapedMarkdown(text)}" ${
        reasonsForDoubt(one).map(escapedMarkdown).join("; ")
      }.${quoted}`;
    }),
  );

function consistency(evaluation: Evaluation): string {
  if (evaluation.consistency === undefined) return "";
  const contradictions = evaluation.consistency.contradictions
    .map(({ words, probability }) => `${escapedMarkdown(words)} (${percent(probability)})`);
  const none = "No two claims were found to exclude one another.";
  const sentences = [comparedSentence(evaluation), plausibilitySentence(evaluation)];
  return joinNonEmpty([bullets(contradictions) || none, ...sentences], "\n\n");
}

function reasoning({ criteria }: Evaluation): string {
  const lines = criteria.flatMap(({ criterion, judges }) =>
    judges.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored") return [];
      const flags = judgement.flagged
        .map(({ phrase, reason }) => `"${escapedMarkdown(phrase)}": ${escapedMarkdown(reason)}`);
      const words = joinNonEmpty([escapedMarkdown(judgement.reasoning), ...flags], "; ");
      return words === ""
        ? []
        : [`${escapedMarkdown(judge)}, ${escapedMarkdown(criterion)}: ${words}`];
    })
  );
  return bullets(lines);
}

function passages({ claims, configuration }: Evaluation): string {
  if (configuration.retriever === undefined) return "";
  const lines = claims.flatMap(({ claim, passages, retrieval }) =>
    passages.length === 0
      ? [`${claim.id}: ${escapedMarkdown(retrievalWords(retrieval))}`]
      : passages.map(({ passage, rank, bm25, cosine }) => {
        const { collection, title, section, id } = passage;
        const from = joinNonEmpty([collection, title, section].map(escapedMarkdown), ", ");
        const near = cosine === undefined ? "" : `, cosine ${cosine.toFixed(2)}`;
        return `${claim.id}, rank ${rank}: ${from} (${escapedMarkdown(id)}; BM25 ${
          bm25.toFixed(2)
        }${near})`;
      })
  );
  return bullets(lines);
}
