import {
  meanDistribution,
  type Uncertainty,
  uncertaintyByEntropy,
  uncertaintyByVariance,
} from "../../../stats/uncertainty_decomposition.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import { OPTION_READOUT, optionProbabilities } from "../../uncertainty/option_probabilities.ts";
import type { ChoiceSampleRow } from "./choice_samples.ts";

/** One model's answer to one question, from all thoughts together. */
export interface QuestionUncertainty {
  readonly model: string;
  readonly questionId: string;
  /** The country: what the bootstrap resamples. */
  readonly cluster: string;
  readonly kind: string;
  readonly samples: number;
  /** Of the options, the right one first. */
  readonly meanProbabilities: readonly number[];
  /** Whether the most probable option is the right one; the first of several that are. */
  readonly right: boolean;
  /** Probability of the most probable option. */
  readonly confidence: number;
  readonly byEntropy: Uncertainty | Unavailable;
  readonly byVariance: Uncertainty | Unavailable;
  /** Mean over the thoughts that had tokens, nats; undefined where none had. */
  readonly tokenEntropy: number | undefined;
}

/** The questions that were asked as often as any other, and how many were not. */
export interface QuestionUncertainties {
  readonly questions: readonly QuestionUncertainty[];
  /** Questions of a model with fewer samples than its others, or of other settings: left out. */
  readonly incomplete: number;
}

/** Puts the thoughts about each question together, model by model in order of the table. */
export function questionUncertainties(
  rows: readonly ChoiceSampleRow[],
  readout = OPTION_READOUT,
): QuestionUncertainties {
  const byModel = Map.groupBy(rows, ({ model }) => model);
  const found = byModel.values().map((own) => ofModel(own, readout)).toArray();
  return {
    questions: found.flatMap(({ questions }) => questions),
    incomplete: found.reduce((sum, { incomplete }) => sum + incomplete, 0),
  };
}

function ofModel(
  rows: readonly ChoiceSampleRow[],
  readout: typeof OPTION_READOUT,
): QuestionUncertainties {
  const settings = rows.at(-1)!.settings_sha256;
  const groups = Map.groupBy(
    rows,
    (row) => JSON.stringify([row.settings_sha256, row.question, row.options]),
  ).values().toArray();
  const current = groups.filter((group) => group[0]!.settings_sha256 === settings);
  const most = Math.max(...current.map(({ length }) => length));
  const complete = current.filter(({ length }) => length === most);
  return {
    questions: complete.map((group) => ofQuestion(group, readout)),
    incomplete: groups.length - complete.length,
  };
}

function ofQuestion(
  rows: readonly ChoiceSampleRow[],
  readout: typeof OPTION_READOUT,
): QuestionUncertainty {
  const { model, question_id: questionId, cluster, kind } = rows[0]!;
  const samples = rows.map((row) =>
    optionProbabilities(row.options, row.logProbabilities, readout)
  );
  const meanProbabilities = meanDistribution(samples);
  const confidence = Math.max(...meanProbabilities);
  const entropies = rows.map((row) => row.token_entropy).filter((value) => value !== "");
  return {
    ...{ model, questionId, cluster, kind, samples: samples.length },
    ...{ meanProbabilities, confidence, right: meanProbabilities[0] === confidence },
    byEntropy: uncertaintyByEntropy(samples),
    byVariance: uncertaintyByVariance(samples),
    tokenEntropy: entropies.length === 0
      ? undefined
      : entropies.reduce((sum, value) => sum + value, 0) / entropies.length,
  };
}
