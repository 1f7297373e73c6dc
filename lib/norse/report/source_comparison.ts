import { markdownTable } from "../../figures/markdown_table.ts";
import type { CertifiedPair } from "../../pairs/certify.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { IntervalSettings } from "../../pairs/resampled_sums.ts";
import type { Response } from "../../pairs/responses.ts";
import { decimalWithInterval } from "../../pairs/statistic_lookup.ts";
import { readAnswers } from "../evaluation/answers.ts";
import type { Generation } from "../proposals/generate.ts";
import { PROPOSER } from "../proposals/settings.ts";
import type { Verdict } from "../proposals/verify.ts";
import { type PanelTitle, readStudyPanels } from "../study_panels.ts";
import { BOOTSTRAP_SEED, RESAMPLES } from "../study.ts";
import { difficultyTable, ownAdvantage } from "./source_comparison_difficulty.ts";
import { diversityTable, originOf } from "./source_comparison_diversity.ts";
import { lackingWords, validityTable } from "./source_comparison_validity.ts";
import { reasonTable } from "./tables.ts";

/** What rule-made and proposed pairs are compared on. */
export interface SourceComparison {
  /** One an answer of the proposing model; none where it was not asked. */
  readonly verdicts: readonly Verdict[];
  /** What the rules find by themselves. */
  readonly found: readonly Pick<CertifiedPair, "certificate">[];
  readonly items: readonly DatasetItem[];
  readonly responses: readonly Response[];
  readonly proposer: string;
  /** The proposer's panel. */
  readonly models: readonly string[];
  /** Models of other panels, whose accuracy is shown beside. */
  readonly others: readonly string[];
  readonly settings: IntervalSettings;
}

/** The comparison for a data set just made, with the answers on record. */
export function sourceComparison(generation: Generation): SourceComparison {
  const { verdicts, found: { certified: found }, dataset: { items } } = generation;
  const models = (title: PanelTitle) =>
    readStudyPanels().filter((panel) => panel.title === title)
      .flatMap(({ panel }) => panel.models)
      .filter(({ roles }) => roles.includes("chat")).map(({ id }) => id);
  return {
    ...{ verdicts, found, items, responses: readAnswers().responses, proposer: PROPOSER },
    ...{ models: models("hosted"), others: models("local") },
    settings: { seed: BOOTSTRAP_SEED, resamples: RESAMPLES },
  };
}

/** Words shown of those the tables lack. */
const MOST_WORDS = 25;

/** How many proposals the rules confirm, why they refuse the others, and how diverse they are. */
export function validitySection({ verdicts, found, proposer }: SourceComparison): string {
  if (verdicts.length === 0) {
    return `No proposal is on record: ${proposer} was not asked, or asked with other prompts. ` +
      "With a key in `.env`, `deno task generate` asks it.";
  }
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

/** Difficulty of both kinds of pairs of a data set, and whether the proposer favours its own. */
export function comparisonSection(input: SourceComparison): string {
  const origins = new Set(input.items.map(originOf));
  if (origins.size < 2) {
    const [only] = origins;
    const made = only === "proposed" ? `were proposed by ${input.proposer}` : "come from the rules";
    return `All ${input.items.length} pairs ${made}, so there is nothing to compare: ` +
      "`deno task generate --source both` makes a data set of both kinds.";
  }
  const advantage = ownAdvantage(input);
  const favour = advantage.kind === "unavailable"
    ? `Whether ${input.proposer} favours its own pairs is unavailable: ${advantage.reason}.`
    : `Advantage of ${input.proposer} on its own pairs over the other models: ` +
      `${decimalWithInterval(advantage)} (difference in differences; 0 = no favour).`;
  const difficulty = difficultyTable({ ...input, models: [...input.models, ...input.others] });
  return [difficulty, favour].join("\n\n");
}
