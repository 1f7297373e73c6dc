/** Uncertainty and abstention of a model on the user's queries, from its answers alone. */
import { resolve } from "node:path";
import { addressOf, askMissing } from "../../files/asking.ts";
import { sha256OfFile } from "../../files/atomic.ts";
import { blankOr, flag, name, number, oneOf, table, text, wholeNumber } from "../../files/table.ts";
import type { RowOf, Table } from "../../files/table.ts";
import {
  isHighUncertainty,
  meanDistribution,
  uncertaintyByEntropy,
  uncertaintyByVariance,
} from "../../stats/uncertainty.ts";
import { equivalenceClasses } from "../metrics/agreement.ts";
import type { QueryUncertainty } from "../metrics/profile_metrics.ts";
import type { AbstentionOutcome } from "../metrics/rates.ts";
import { semanticEntropy } from "../../stats/uncertainty.ts";
import { dataFile } from "../paths.ts";
import { isTransient, type Unscored, type Verifier } from "../types.ts";
import { ABSTAINS_FROM, type AbstentionClassifier } from "./abstention_classifier.ts";
import { ENTAILED_FROM, verifierMatcher } from "./claim_matching.ts";
import { readUserFile, type UserAnswer, type UserQuery } from "./user_queries.ts";
import type { AnswerSink } from "./prompts.ts";

const share = (sentence: string) => blankOr(number(sentence, { min: 0, max: 1 }));
const OF_QUERY = {
  model: name("name of the model, as in the answers"),
  query_id: name("id of the query"),
  query: name("question as put to the model"),
};

/** Uncertainty per query. A missing value is empty, with its reason in the last column. */
export const USER_UNCERTAINTIES = table({
  path: dataFile("uncertainty.csv"),
  about: "uncertainty of a model about a user's queries",
  maker: "deno task factcheck uncertainty",
  columns: {
    ...OF_QUERY,
    samples: wholeNumber("number of answers", { min: 1 }),
    clusters: blankOr(
      wholeNumber(
        "number of clusters of answers with the same meaning; empty for queries with options",
      ),
    ),
    entropy: blankOr(
      number("entropy of the clusters' shares, or of the mean over options, in nats"),
    ),
    weighted_entropy: blankOr(
      number("entropy of the clusters' probabilities in nats, where the model reports them"),
    ),
    uncertainty: share("`entropy` as a share of its maximum, 0–1"),
    aleatoric: share("part of the uncertainty within the samples; for options only"),
    epistemic: share("part of the uncertainty between the samples; for options only"),
    aleatoric_variance: share("aleatoric part by variance, as a share of the maximum total"),
    epistemic_variance: share("epistemic part by variance, as a share of the maximum total"),
    answer: text("answer of the largest cluster, or the most probable option"),
    answer_share: share("share of that answer, 0–1"),
    high: blankOr(flag("True where `uncertainty` exceeds the threshold")),
    reason: text("reason for missing figures"),
    settings_sha256: text("SHA-256 of answers, verifier and threshold"),
  },
  key: ["model", "query_id"],
});
type UserUncertainty = RowOf<typeof USER_UNCERTAINTIES>;

/** Equivalence of answers, and the share (0–1) from which uncertainty is high. */
interface UncertaintyOptions extends AnswerSink<UserUncertainty> {
  /** Verifier for free-text answers; not needed for options. */
  readonly verifier?: Verifier;
  readonly threshold: number;
  /** Receives the reason for a missing row; another run asks again. */
  readonly onFailure: (query: string, why: string) => void;
}

/**
 * Measures uncertainty for each model and query with complete answers. For free text it is semantic
 * entropy; each answer is read with its question, since a short one means nothing alone. For
 * options it is the entropy of their probabilities, with its two parts (requirements 18.1–18.5).
 * @returns the number of missing rows, and the rows.
 */
export async function measureUncertainty(
  answers: readonly UserAnswer[],
  queries: readonly UserQuery[],
  { verifier, threshold, onFailure, ...work }: UncertaintyOptions,
) {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const used = verifier === undefined ? "" : addressOf([verifier.name, verifier.settings]);
  const keyOf = ({ model, query_id }: Pick<UserAnswer, "model" | "query_id">) =>
    JSON.stringify([model, query_id]);
  const questions = [...Map.groupBy(answers, keyOf)].map(([key, samples]) => {
    const contents = samples.map((
      row,
    ) => [row.answer, row.mean_log_probability, row.probabilities]);
    const settings_sha256 = addressOf([used, ENTAILED_FROM, threshold, contents]);
    return { key, samples, settings_sha256 };
  });
  return await askMissing({
    questions,
    keyOf: ({ key }) => key,
    isCurrent: (row, { settings_sha256 }) => row.settings_sha256 === settings_sha256,
    async ask({ samples, settings_sha256 }): Promise<UserUncertainty | undefined> {
      const { model, query_id, query, probabilities } = samples[0]!;
      const result = probabilities.length > 0
        ? optionUncertainty(samples, byId.get(query_id)!)
        : await semanticUncertainty(samples, verifier!);
      if ("failed" in result) {
        onFailure(`${model}, ${query_id}`, result.failed);
        return undefined;
      }
      const identity = { model, query_id, query, samples: samples.length, settings_sha256 };
      const { uncertainty = "" } = result;
      const high = uncertainty === "" ? "" : isHighUncertainty(uncertainty, threshold);
      return { ...identity, ...EMPTY_VALUES, ...result, uncertainty, high };
    },
    ...work,
  });
}

const sixDecimals = (value: number) => Number(value.toFixed(6));
const rounded = (value: number | undefined) => value === undefined ? "" : sixDecimals(value);

const EMPTY_VALUES: Omit<UserUncertainty, keyof typeof OF_QUERY | "samples" | "settings_sha256"> = {
  clusters: "",
  entropy: "",
  weighted_entropy: "",
  uncertainty: "",
  aleatoric: "",
  epistemic: "",
  aleatoric_variance: "",
  epistemic_variance: "",
  answer: "",
  answer_share: "",
  high: "",
  reason: "",
};

/** Result for a query, or the reason why it is still missing. */
type UncertaintyResult =
  | Partial<Omit<UserUncertainty, "uncertainty">> & { readonly uncertainty?: number }
  | { readonly failed: string };

async function semanticUncertainty(
  samples: readonly UserAnswer[],
  verifier: Verifier,
): Promise<UncertaintyResult> {
  const unscored: Unscored[] = [];
  const matcher = verifierMatcher(verifier, "none", (verdict) => unscored.push(verdict));
  const made = samples.map(({ query, answer, mean_log_probability: mean }) => {
    const meanLogProbability = mean === "" ? undefined : mean;
    return { text: `${query} ${answer}`, answer, meanLogProbability };
  });
  const entails = await matcher.entailments(made.map(({ text }) => text));
  const failed = unscored.find(({ reason }) => isTransient(reason));
  if (failed !== undefined) return { failed: failed.message };
  if (unscored.length > 0) return { reason: unscored[0]!.message };
  const meanings = equivalenceClasses(made, entails);
  const entropy = semanticEntropy(meanings);
  if (entropy.kind === "unavailable") return { reason: entropy.reason };
  const largest = meanings.toSorted((a, b) => b.length - a.length)[0]!;
  return {
    clusters: meanings.length,
    entropy: rounded(entropy.entropy),
    weighted_entropy: rounded(entropy.weighted),
    uncertainty: sixDecimals(entropy.share),
    answer: largest[0]!.answer,
    answer_share: rounded(largest.length / samples.length),
  };
}

function optionUncertainty(
  answers: readonly UserAnswer[],
  { options = [] }: UserQuery,
): UncertaintyResult {
  const samples = answers.map(({ probabilities }) => probabilities);
  const [byEntropy, byVariance] = [uncertaintyByEntropy(samples), uncertaintyByVariance(samples)];
  if (byEntropy.kind === "unavailable") return { reason: byEntropy.reason };
  const mean = meanDistribution(samples);
  const best = mean.indexOf(Math.max(...mean));
  const parts = byVariance.kind === "uncertainty" ? byVariance.normalised : undefined;
  return {
    entropy: rounded(byEntropy.raw.total),
    uncertainty: sixDecimals(byEntropy.normalised.total),
    aleatoric: rounded(byEntropy.normalised.aleatoric),
    epistemic: rounded(byEntropy.normalised.epistemic),
    aleatoric_variance: rounded(parts?.aleatoric),
    epistemic_variance: rounded(parts?.epistemic),
    answer: options[best] ?? "",
    answer_share: rounded(Math.min(1, mean[best]!)),
  };
}

/** Uncertainties for a profile; queries without a value are left out. */
export const uncertaintiesOf = (rows: readonly UserUncertainty[]) =>
  rows.flatMap(({ query_id, uncertainty: total, aleatoric, epistemic }): QueryUncertainty[] => {
    if (total === "") return [];
    const parts = aleatoric === "" || epistemic === "" ? {} : { aleatoric, epistemic };
    return [{ query: query_id, cluster: query_id, parts: { total, ...parts } }];
  });

/** Outcomes of a query; `refusal` where it is unknown whether the query can be answered. */
const OUTCOMES = [
  "correct refusal",
  "false acceptance",
  "over-refusal",
  "answer",
  "refusal",
  "unknown",
] as const;

/** Outcomes, one row per answer. */
export const USER_OUTCOMES = table({
  path: dataFile("abstention.csv"),
  about: "abstentions of a model on a user's queries",
  maker: "deno task factcheck abstention",
  columns: {
    ...OF_QUERY,
    answerable: blankOr(flag("True where the query can be answered; empty if unknown")),
    sample: wholeNumber("number of the answer", { min: 1 }),
    answer: text("text of the answer on one line"),
    probability: share("probability of abstention from the classifier; 1 where the host refused"),
    outcome: oneOf(OUTCOMES, "outcome by requirements 20.3 and 20.4"),
    flagged: flag("True for a wrong outcome: false acceptance or over-refusal"),
  },
  key: ["model", "query_id", "sample"],
});
type UserOutcome = RowOf<typeof USER_OUTCOMES>;

/** Classifies every free-text answer; an empty one stays unknown. */
export async function outcomesOf(
  answers: readonly UserAnswer[],
  queries: readonly UserQuery[],
  classifier: AbstentionClassifier,
): Promise<readonly UserOutcome[]> {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const probabilities = await classifier.probabilities(
    answers.map(({ query_id, answer }) => ({ ...byId.get(query_id)!, answer })),
  );
  return answers.map(({ model, query_id, query, sample, answer, ended }, i) => {
    const { answerable } = byId.get(query_id)!;
    const probability = ended === "refusal" ? 1 : rounded(probabilities[i]);
    const outcome = queryOutcome(answerable, probability);
    return {
      model,
      query_id,
      query,
      answerable: answerable ?? "",
      sample,
      answer,
      probability,
      outcome,
      flagged: outcome === "false acceptance" || outcome === "over-refusal",
    };
  });
}

function queryOutcome(
  answerable: boolean | undefined,
  probability: number | "",
): typeof OUTCOMES[number] {
  if (probability === "") return "unknown";
  if (probability < ABSTAINS_FROM) return answerable === false ? "false acceptance" : "answer";
  if (answerable === undefined) return "refusal";
  return answerable ? "over-refusal" : "correct refusal";
}

/** Outcomes for a profile, of queries known to be answerable or not. */
export const refusalsOf = (rows: readonly UserOutcome[]) =>
  rows.flatMap(({ query_id, answerable, probability }): AbstentionOutcome[] => {
    if (answerable === "") return [];
    const abstained = probability === "" ? undefined : probability >= ABSTAINS_FROM;
    return [{ query: query_id, cluster: query_id, exists: answerable, abstained }];
  });

/**
 * Reads the tables of `factcheck uncertainty` and `factcheck abstention` for a batch's profiles.
 * Rows are matched by the system's name; a single system of batch and table matches in any case.
 * @throws {Error} naming the file that is no such table, or has no system of the batch.
 */
export function readSystemMeasures(
  paths: { readonly uncertainty?: string | undefined; readonly abstention?: string | undefined },
  systems: readonly string[],
) {
  const rowsOf = <Row extends { readonly model: string }>(
    path: string | undefined,
    table: Table<Row>,
  ) => {
    if (path === undefined) return () => [];
    const rows = readUserFile(path, () => table.at(resolve(path)).read());
    const models = [...new Set(rows.map(({ model }) => model))];
    if (systems.some((system) => models.includes(system))) {
      return (system: string) => rows.filter(({ model }) => model === system);
    }
    if (systems.length === 1 && models.length === 1) return () => rows;
    throw new RangeError(
      `Cannot profile with ${path}: it has ${models.join(", ") || "no row"}, the batch ` +
        `${systems.join(", ")}; name each system as its model is named.`,
    );
  };
  const unsure = rowsOf(paths.uncertainty, USER_UNCERTAINTIES);
  const declined = rowsOf(paths.abstention, USER_OUTCOMES);
  const settings = Object.fromEntries(
    Object.entries(paths).flatMap(([what, path]) =>
      path === undefined ? [] : [[`${what} SHA-256`, sha256OfFile(path)]]
    ),
  );
  return (system: string) => {
    const uncertainties = uncertaintiesOf(unsure(system));
    return { uncertainties, refusals: refusalsOf(declined(system)), settings };
  };
}
