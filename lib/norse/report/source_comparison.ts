import { markdownTable } from "../../figures/markdown_table.ts";
import type { CertifiedPair } from "../../pairs/certify.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { IntervalSettings } from "../../pairs/resampled_sums.ts";
import type { Response } from "../../pairs/responses.ts";
import type { Phenomenon } from "../candidate.ts";
import { answersToOthers, readAnswers } from "../../pairs/panels/answers.ts";
import type { Generation } from "../proposals/generate.ts";
import { PROPOSER } from "../proposals/settings.ts";
import type { Verdict } from "../proposals/verify.ts";
import {
  type CompletePanel,
  completePanels,
  countedResponses,
  studyPanels,
} from "../../pairs/panels/study_panels.ts";
import { BOOTSTRAP_SEED, NORSE_STUDY, RESAMPLES } from "../study.ts";
import { advantageSentence } from "./source_comparison_advantage.ts";
import { difficultyTable } from "./source_comparison_difficulty.ts";
import { diversityTable, originOf } from "./source_comparison_diversity.ts";
import { lackingWords, validityTable } from "./source_comparison_validity.ts";
import { reasonTable } from "../../pairs/report/tables.ts";

/** What rule-made and proposed pairs are compared on. */
export interface SourceComparison {
  /** Answers of proposing models on record, whatever they were asked. */
  readonly onRecord: number;
  /** One an answer of the proposing model; none where it was not asked. */
  readonly verdicts: readonly Verdict[];
  /** What the rules find by themselves. */
  readonly found: readonly Pick<CertifiedPair, "certificate">[];
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly proposer: string;
  /** The panels that are complete for these pairs; none where the answers are about others. */
  readonly panels: readonly CompletePanel[];
  /** Their answers, of those to the questions that count. */
  readonly responses: readonly Response[];
  /** Why no answer can be used, where none can. */
  readonly unusable?: string;
  readonly settings: IntervalSettings;
}

/** The comparison for a data set just made, with the answers on record about its pairs. */
export function sourceComparison(generation: Generation): SourceComparison {
  const { onRecord, verdicts, found: { certified: found }, dataset: { items } } = generation;
  return {
    ...{ onRecord, verdicts, found, items, proposer: PROPOSER },
    ...answersTo(items),
    settings: { seed: BOOTSTRAP_SEED, resamples: RESAMPLES },
  };
}

/** New pairs are made before models are asked about them: then there are no answers, and why. */
function answersTo(
  items: SourceComparison["items"],
): Pick<SourceComparison, "panels" | "responses" | "unusable"> {
  const pairs = items.map(({ pair }) => pair);
  const unusable = answersToOthers(NORSE_STUDY, pairs);
  if (unusable !== undefined) return { panels: [], responses: [], unusable };
  const { responses } = readAnswers(NORSE_STUDY.files);
  const complete = studyPanels(NORSE_STUDY, pairs, responses)
    .filter(({ standing }) => standing.kind === "complete");
  if (complete.length === 0) {
    return { panels: [], responses: [], unusable: "no panel has answered all of these pairs" };
  }
  const panels = completePanels(NORSE_STUDY, complete);
  return { panels, responses: countedResponses(responses, panels) };
}

/** Words shown of those the tables lack. */
const MOST_WORDS = 25;

/** How many proposals the rules confirm, why they refuse the others, and how diverse they are. */
export function validitySection(input: SourceComparison): string {
  const { verdicts, found } = input;
  if (verdicts.length === 0) return nothingProposed(input);
  const refused = verdicts.flatMap((verdict) =>
    verdict.kind === "rejected" ? [verdict.rejection] : []
  );
  const lacking = lackingWords(verdicts).slice(0, MOST_WORDS);
  const words = lacking.length === 0
    ? "No proposal names a word that the tables lack."
    : markdownTable(["proposal", "what the tables lack", "times"], lacking);
  const diversity = diversityTable([
    { name: "found by the rules", certificates: found.map(({ certificate }) => certificate) },
    {
      name: "proposed and confirmed",
      certificates: verdicts.flatMap((verdict) =>
        verdict.kind === "confirmed" ? [verdict.certified.certificate] : []
      ),
    },
  ]);
  return [validityTable(verdicts), diversity, reasonTable(refused), words].join("\n\n");
}

function nothingProposed({ onRecord, proposer }: SourceComparison): string {
  const known = onRecord === 0
    ? "No model was asked for proposals yet."
    : `None of the ${onRecord} answers on record is one of ${proposer} to the prompts as they are.`;
  return `${known} With a key in \`.env\`, \`deno task generate\` asks ${proposer}.`;
}

/** Difficulty of both kinds of pairs of a data set, and the proposer's advantage on its own. */
export function comparisonSection(input: SourceComparison): string {
  const origins = new Set(input.items.map(originOf));
  if (origins.size < 2) {
    const [only] = origins;
    const made = only === "proposed" ? `were proposed by ${input.proposer}` : "come from the rules";
    return `All ${input.items.length} pairs ${made}, so there is nothing to compare: ` +
      "`deno task generate --source both` makes a data set of both kinds.";
  }
  if (input.unusable !== undefined) return `Nothing to compare them by yet: ${input.unusable}`;
  return [difficultyTable(input), advantageSentence(input)].join("\n\n");
}
