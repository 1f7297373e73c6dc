/** Answers of components to labelled claims: the table, and measured accuracy. */
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { addressOf, type Settings } from "../../files/asking.ts";
import { blankOr, name, number, oneOf, type RowOf, table, text } from "../../files/table.ts";
import { isAccepted } from "../decision.ts";
import { balancedAccuracyInterval } from "../metrics/classification.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { type MeasuredAccuracy, type Named, UNSCORED_REASONS } from "../types.ts";

/** Settings that could change an answer. */
export type ComponentSettings = Settings;

/** Describes a table of answers. The parameter has the descriptions that differ between tables. */
export function answersTable(described: {
  readonly path: string;
  readonly about: string;
  readonly licence?: string;
  readonly maker: string;
  readonly sentences: Readonly<
    Record<"set" | "case_id" | "label" | "component" | "status" | "milliseconds", string>
  >;
}) {
  const { sentences, ...rest } = described;
  return table({
    ...rest,
    columns: {
      set: text(sentences.set),
      case_id: text(sentences.case_id),
      case_sha256: text("SHA-256 of claim and source"),
      cluster: text("code of the country; intervals cluster by it"),
      claim_kind: text("type of claim: factual, temporal or numerical"),
      label: text(sentences.label),
      component: name(sentences.component),
      status: oneOf(["scored", ...UNSCORED_REASONS], sentences.status),
      supported: blankOr(number(
        "probability that the claim is supported, 0–1; empty if there is none",
        { min: 0, max: 1 },
      )),
      reason: text("reason given by the component"),
      milliseconds: number(sentences.milliseconds, { min: 0 }),
      settings_sha256: text("SHA-256 of the component's settings"),
    },
    key: ["set", "case_id", "component"],
    check({ status, supported }) {
      if ((status === "scored") === (supported !== "")) return;
      throw new SyntaxError("status and supported contradict one another");
    },
  });
}

export const COMPONENT_ANSWERS = answersTable({
  path: FACTUALITY_PATHS.componentAnswers,
  about: "`deno task study compare`: answers of every component on the same held-out claims",
  licence: "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose",
  maker: "deno task study compare",
  sentences: {
    set: "set of claims made from the factbook",
    case_id: "id of the claim in `knowledge_cases.csv`",
    label: "label by construction",
    component: "verifier, baseline, judge or ensemble that answers",
    status: "scored, or the reason why not",
    milliseconds: "time of this answer in milliseconds, on the machine that made the file",
  },
});

/** One component's answer to one case. */
export type AnswerRow = RowOf<typeof COMPONENT_ANSWERS>;

/** Reads the study's answers, and those stored by `factcheck compare`. */
export function storedAnswers(): readonly AnswerRow[] {
  const userTables = globSync(join(FACTUALITY_PATHS.cache, "compare/**/answers/*.csv"));
  return [COMPONENT_ANSWERS.path, ...userTables]
    .flatMap((path) => COMPONENT_ANSWERS.at(resolve(path)).readSoFar().rows);
}

/** Looks up the accuracy of a component by its settings; undefined without answers. */
export function measuredByAnswers(rows: readonly AnswerRow[]) {
  // A batch looks up the same verifier for each of its texts.
  const known = new Map<string, MeasuredAccuracy | undefined>();
  const measured = (sha256: string): MeasuredAccuracy | undefined => {
    const answers = rows.filter((row) => row.settings_sha256 === sha256 && row.supported !== "");
    const claims = answers.map(({ cluster, label, supported }) => (
      { cluster, isSupported: label === "supported", isAccepted: isAccepted(Number(supported)) }
    ));
    const accuracy = balancedAccuracyInterval(claims);
    if (accuracy.kind !== "interval") return undefined;
    const { estimate, low, high } = accuracy;
    const on = [...new Set(answers.map(({ set }) => set))].join(", ");
    return { balancedAccuracy: estimate, low, high, n: claims.length, on };
  };
  return ({ settings }: Named) => {
    return known.getOrInsertComputed(addressOf(settings), measured);
  };
}
