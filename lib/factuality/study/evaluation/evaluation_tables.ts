import { writeNumber } from "../../../figures/measure.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { ClaimResult, Evaluation } from "../../evaluation/evaluation.ts";
import { verdictReason } from "../../evaluation/reasons.ts";
import {
  ensembleWords,
  judgementWords,
  measuredWords,
  percent,
  standing,
} from "../../report/words.ts";
import type { ExampleSentence } from "./example.ts";

/** What the verifier says of a claim, in words. */
function verdictWords({ claim, verdict }: ClaimResult): string {
  const said = standing(claim, verdict);
  if (claim.notCheckable !== undefined) return `${said}: ${claim.notCheckable}`;
  return verdict.kind === "scored"
    ? `${said}, ${percent(verdict.probabilities[verdict.label])}`
    : said;
}

function reasonWords({ claim, verdict, retrieval, unverifiable }: ClaimResult): string {
  if (claim.notCheckable !== undefined) return "";
  if (unverifiable) return retrieval.message;
  return verdict.kind === "scored" ? verdictReason(verdict) : verdict.message;
}

/** Claim by claim: what it is, the verdict, what was seen, and each judge's score. */
export function claimsTable({ claims, configuration }: Evaluation): string {
  const judges = configuration.judges.map(({ name }) => name);
  return markdownTable(
    ["claim", "kind", "verdict", "seen", ...judges],
    claims.map((result) => [
      ...[result.claim.text, result.claim.kind, verdictWords(result), reasonWords(result)],
      ...judges.map((name) => {
        const judged = result.judges.find(({ judge }) => judge === name);
        return judged === undefined ? undefined : judgementWords(judged.judgement);
      }),
    ]),
  );
}

/** Sentence by sentence: what was planted, and what the verifier says of its claims. */
export function plantedTable(
  sentences: readonly ExampleSentence[],
  evaluation: Evaluation,
): string {
  const { candidate } = evaluation.request;
  return markdownTable(
    ["sentence", "planted", "found"],
    sentences.map(({ text, planted }) => {
      const start = candidate.indexOf(text);
      const own = evaluation.claims.filter(({ claim: { sentence } }) =>
        sentence.start >= start && sentence.end <= start + text.length
      );
      return [text, planted ?? "nothing", own.map(verdictWords).join("; ")];
    }),
  );
}

/** Each criterion: every judge's score beside what was measured of it, and what they say together. */
export function criteriaTable({ criteria }: Evaluation): string {
  return markdownTable(
    ["criterion", "judge", "score", "judge's balanced accuracy", "together"],
    criteria.flatMap(({ criterion, judges, ensemble }) =>
      judges.map(({ judge, judgement, measured }, index) => [
        ...[index === 0 ? criterion : "", judge, judgementWords(judgement)],
        ...[measuredWords(measured), index === 0 ? ensembleWords(ensemble) : ""],
      ])
    ),
  );
}

/** The unified list: what is not borne out, of which kind, and who says so. */
export function unsupportedTable({ unsupported }: Evaluation): string {
  return markdownTable(
    ["claim", "kind", "detected by", "evidence", "reasons"],
    unsupported.map(({ text, kind, detectedBy, evidence, reasons }) => [
      ...[text, kind, detectedBy.join(", ")],
      evidence[0] === undefined ? undefined : `${evidence[0].passageId}: “${evidence[0].text}”`,
      reasons.join("; "),
    ]),
  );
}

/** What was looked up for each claim. */
export function retrievalTable({ claims }: Evaluation): string {
  return markdownTable(
    ["claim", "knowledge base", "best passage", "cosine", "verdict"],
    claims.map((result) => {
      const [best] = result.passages;
      return [
        ...[result.claim.text, result.retrieval.status, best?.passage.id],
        ...[best?.cosine?.toFixed(2), verdictWords(result)],
      ];
    }),
  );
}

/** What a text says against itself, and how plausible its claims are, in nats a token. */
export function consistencyTables({ consistency, claims }: Evaluation): string {
  const contradictions = consistency?.contradictions ?? [];
  const textOf = new Map(claims.map(({ claim }) => [claim.id, claim.text]));
  return [
    markdownTable(
      ["exclude one another", "probability"],
      contradictions.map(({ words, probability }) => [words, probability.toFixed(2)]),
    ),
    markdownTable(
      ["claim", "log-probability a token"],
      (consistency?.plausibility ?? []).map(({ claimId, value }) => [
        textOf.get(claimId),
        value === undefined ? undefined : writeNumber(value, "decimal"),
      ]),
    ),
  ].join("\n\n");
}
