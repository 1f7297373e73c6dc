/** Training of the classifier of abstention; see `abstention_classifier.ts`. */
import { sha256Hex } from "../../../files/atomic.ts";
import type { SentenceEncoder } from "../../../models/encoder/network_encoder.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import {
  fitLogisticRegression,
  fitTemperature,
} from "../../../factuality/own/training/logistic.ts";
import { standardisationOf, standardise } from "../../../factuality/own/training/logistic.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import { clusterFolds, FOLDS } from "../../../factuality/own/training/measures.ts";
import { splitCountries } from "../claims/knowledge_claims.ts";
import {
  type AnswerFeatures,
  answerFeatures,
} from "../../../factuality/own/abstention_classifier.ts";
import {
  type ClassifierContent,
  type FeatureGroup,
} from "../../../factuality/own/abstention_classifier.ts";
import {
  abstentionLogOdds,
  type LinearCoefficients,
  selectedFeatures,
} from "../../../factuality/own/abstention_classifier.ts";
import type { TrainingAnswer } from "./tables.ts";

/** Features of a labelled answer. */
export interface LabelledFeatures {
  readonly features: AnswerFeatures;
  readonly abstains: boolean;
  /** Cluster, never split between folds. */
  readonly cluster: string;
}

type Rows = readonly LabelledFeatures[];
type Setting = Pick<ClassifierContent["training"]["tried"][number], "groups" | "l2">;

const GROUP_SETS = "form/first/first form/mean form/first mean form".split("/")
  .map((names) => names.split(" ") as FeatureGroup[]);
const PENALTIES = [0.01, 0.03, 0.1, 0.3];

/** Selects feature groups and penalty by cross-validation over clusters, then fits on all rows. */
export function trainAbstention(rows: Rows, random: RandomSource) {
  const fold = clusterFolds(rows, random);
  const inFold = (k: number) => [...rows.keys()].filter((i) => fold.get(rows[i]!.cluster) === k);
  const folds = Array.from({ length: FOLDS }, (_, k) => inFold(k));
  const tried = GROUP_SETS.flatMap((groups) =>
    PENALTIES.map((l2) => {
      const scored = folds.flatMap((held) => scoredBy(rows, held, { groups, l2 }));
      return { groups, l2, scored, logLoss: logLossOf(scored) };
    })
  );
  const best = tried.reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  const temperature = fitTemperature(best.scored);
  const { weights, intercept } = classifierLine(rows, best);
  return {
    groups: best.groups,
    l2: best.l2,
    temperature,
    weights: weights.map((weight) => weight / temperature),
    intercept: intercept / temperature,
    /** Mean log loss −ln p(label) in nats on held-out rows. */
    tried: tried.map(({ groups, l2, logLoss }) => ({ groups, l2, logLoss })),
  };
}

/** Log-odds of a fold's rows by a fit on the others. */
function scoredBy(rows: Rows, held: readonly number[], setting: Setting) {
  const line = classifierLine(rows.filter((_, i) => !held.includes(i)), setting);
  const weights = weightsOf(rows);
  return held.map((i) => {
    const { features, abstains } = rows[i]!;
    const odds = abstentionLogOdds(selectedFeatures(features, setting.groups), line);
    return { logits: [0, odds] as const, label: Number(abstains), weight: weights[i]! };
  });
}

function classifierLine(rows: Rows, { groups, l2 }: Setting): LinearCoefficients {
  const values = rows.map(({ features }) => selectedFeatures(features, groups));
  const scaling = standardisationOf(values);
  const weights = weightsOf(rows);
  const training = rows.map(({ abstains }, i) => {
    const features = standardise(values[i]!, scaling);
    return { features, label: Number(abstains), weight: weights[i]! };
  });
  // The penalty is stated for two classes with one row each.
  const { coefficients, intercept } = fitLogisticRegression(training, l2 / 2);
  const scaled = coefficients.map((weight, i) => weight / scaling.scales[i]!);
  const shift = scaled.reduce((sum, weight, i) => sum + weight * scaling.means[i]!, 0);
  return { weights: scaled, intercept: intercept - shift };
}

/** Row weights that give both classes half of the total. */
function weightsOf(rows: Rows): readonly number[] {
  const yes = rows.filter(({ abstains }) => abstains).length;
  const no = rows.length - yes;
  if (yes === 0 || no === 0) throw new RangeError("Cannot train: all answers have one label.");
  return rows.map(({ abstains }) => rows.length / (2 * (abstains ? yes : no)));
}

function logLossOf(scored: ReturnType<typeof scoredBy>): number {
  const total = scored.reduce((sum, { weight }) => sum + weight, 0);
  return scored.reduce((sum, { logits: [, odds], label, weight }) => {
    return sum + weight * Math.log1p(Math.exp(label === 1 ? -odds : odds)) / total;
  }, 0);
}

const SEED = "abstention/classifier";

/**
 * Fits the classifier to written answers, statements about training countries, and labelled
 * answers.
 */
export async function trainClassifier(
  written: readonly TrainingAnswer[],
  fields: readonly FactbookField[],
  real: readonly TrainingAnswer[],
  encoder: SentenceEncoder,
): Promise<ClassifierContent> {
  const split = splitCountries(fields.map(({ country }) => country), KNOWLEDGE_SEED);
  const stated = factbookAnswers(fields.filter(({ country }) => split.get(country) === "train"));
  const answers = [...written, ...stated, ...real];
  const features = await answerFeatures(answers, encoder);
  const rows = answers.flatMap(({ label, name }, i): LabelledFeatures[] => {
    const labelled = { abstains: label === "abstains", cluster: name.toLowerCase() };
    return features[i] === undefined ? [] : [{ ...labelled, features: features[i] }];
  });
  const trained = trainAbstention(rows, randomSource(SEED));
  const abstains = rows.filter((row) => row.abstains).length;
  const read = answers.map(({ label, name, question, answer }) => [label, name, question, answer]);
  return {
    schemaVersion: 1,
    groups: trained.groups,
    // Six digits are more than enough for any label, and halve the file.
    weights: trained.weights.map((weight) => Number(weight.toPrecision(6))),
    intercept: trained.intercept,
    encoderSha256: String(encoder.settings.weightsSha256),
    training: {
      seed: SEED,
      l2: trained.l2,
      temperature: trained.temperature,
      abstains,
      answers: rows.length - abstains,
      factbook: stated.length,
      real: real.length,
      dataSha256: sha256Hex(JSON.stringify(read)),
      tried: trained.tried,
    },
  };
}

/** Number of factbook statements, half that of the written answers, which should dominate. */
const FACTBOOK_ANSWERS = 120;
/** Minimum and maximum length of an answer in characters. */
const [SHORTEST, LONGEST] = [40, 240];
const DENYING = /\b(?:no|not|none|unknown|never|cannot|without)\b/iu;

/** Statements of the factbook, none an abstention. Half of them contain a negation. */
function factbookAnswers(fields: readonly FactbookField[]): readonly TrainingAnswer[] {
  const random = randomSource(`${SEED}/factbook`);
  // Notes repeat across countries.
  const long = [...new Map(fields.map((one) => [one.text, one])).values()].filter(({ text }) =>
    text.length >= SHORTEST && text.length <= LONGEST && /[a-z]{3}.*\s.*[a-z]{3}/u.test(text)
  );
  const drawn = [true, false].flatMap((denies) =>
    random.sample(long.filter(({ text }) => DENYING.test(text) === denies), FACTBOOK_ANSWERS / 2)
  );
  return drawn.map(({ country, field, text }) => ({
    label: "answers",
    style: "factbook",
    name: country,
    question: `What is there to say about ${country}: ${field.toLowerCase()}?`,
    answer: text,
  }));
}
