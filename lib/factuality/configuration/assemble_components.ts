import type { LanguageModel } from "../../models/model.ts";
import type { StructuredModel } from "../../models/structured_model.ts";
import type { ClaimSplitter } from "../claims/claim.ts";
import { languageModelSplitter } from "../claims/language_model_splitter.ts";
import { ruleSplitter } from "../claims/rule_splitter.ts";
import { CLAIM_TEMPLATE, type EvaluationComponents } from "../evaluation/components.ts";
import { criteriaInOrder } from "../evaluation/judge_tasks.ts";
import type { Judge } from "../judges/judgement.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { OpenJudge } from "./open_judge.ts";
import type { Opening } from "./opening.ts";
import {
  type ComponentMakers,
  type Problems,
  readyJudges,
  readyRetriever,
  readyVerifier,
} from "./ready_components.ts";
import { timeLimitedModel } from "./time_limited_model.ts";

/** Something that an evaluation cannot do without failed; everything that failed is told. */
export class ComponentsError extends Error {
  override readonly name = "ComponentsError";

  constructor(file: string, readonly problems: readonly string[]) {
    super(`Cannot open what ${file} names:\n${problems.map((each) => `- ${each}`).join("\n")}`);
  }
}

/** Claims that the verifier is given at once. */
const BATCH_SIZE = 16;
/** Two directions of so many pairs take some seconds; a long text has thousands. */
const MOST_PAIRS = 200;

/** The template by which a language model takes a text apart. */
const SPLITTING_TEMPLATE = "claim_splitting";

function splitterOf(
  { configuration: { splitter, judges: entries }, prompts }: Opening,
  judges: readonly OpenJudge[],
  problems: Problems,
): ClaimSplitter {
  if (splitter.kind === "rules") return ruleSplitter();
  const model = judges.find(({ judge }) => judge.name === splitter.judge)?.writes;
  const template = prompts.templates.find(({ name }) => name === SPLITTING_TEMPLATE);
  const entry = entries.find(({ id }) => id === splitter.judge);
  if (model && template && entry) {
    return languageModelSplitter(timeLimitedModel(model, entry.timeoutSeconds), template);
  }
  if (model === undefined) {
    problems.required.push(
      `Splitter (language-model): ${splitter.judge} is not there, or does not write; name a judge ` +
        "with readout: generation, or write kind: rules",
    );
  }
  return ruleSplitter();
}

/** Where no judge was found better than chance, a weighted average would have nothing to weigh. */
function withSomeWeight(judges: readonly Judge[], problems: Problems): readonly Judge[] {
  if (judges.length === 0 || judges.some(({ weight }) => weight > 0)) return judges;
  problems.optional.push(
    "No judge has been measured to be better than chance: each weighs the same.",
  );
  return judges.map((judge) => ({ ...judge, weight: 1 }));
}

/** Every prompt that will be asked for must be in the file: it is told now and not in the midst of work. */
function checkPrompts({ configuration, prompts }: Opening, problems: Problems): void {
  const { criteria, judgeClaims, splitter } = configuration;
  const wanted = [
    ...criteriaInOrder(criteria),
    ...judgeClaims ? [CLAIM_TEMPLATE] : [],
    ...splitter.kind === "language-model" ? [SPLITTING_TEMPLATE] : [],
  ];
  const there = prompts.templates.map(({ name }) => name);
  for (const name of wanted.filter((one) => !there.includes(one))) {
    problems.required.push(
      `Prompt ${name}: the prompts file has ${there.join(", ")}; add an entry, or leave it out`,
    );
  }
}

/** The components, and what else their models can do. */
export interface AssembledComponents extends EvaluationComponents {
  readonly prompts: PromptTemplates;
  /** Judges that write: they compare texts and look for bias, too. */
  readonly writers: readonly StructuredModel[];
}

function together(
  opening: Opening,
  verifier: Verifier,
  judges: readonly OpenJudge[],
  languageModel: LanguageModel | undefined,
) {
  const { aggregation, judgeClaims, criteria } = opening.configuration;
  return {
    ...{ verifier, judgeClaims, criteria, prompts: opening.prompts },
    aggregation: aggregation.strategy,
    lowConfidenceVariance: aggregation.lowConfidenceVariance,
    promptsSha256: opening.prompts.sha256,
    consistency: { verifier, languageModel, mostPairs: MOST_PAIRS, alsoWithSources: false },
    batchSize: BATCH_SIZE,
    writers: judges.flatMap(({ writes }) => writes ?? []),
  };
}

/**
 * Opens what the configuration names, each checked ready, and goes on after a failure so that all are
 * told at once.
 *
 * @param file Named in errors.
 * @throws {ComponentsError} where something that is required failed.
 */
export async function assembleComponents(
  opening: Opening,
  makers: ComponentMakers,
  file: string,
): Promise<AssembledComponents> {
  const problems: Problems = { required: [], optional: [...opening.problems] };
  checkPrompts(opening, problems);
  const verifier = await readyVerifier(opening, makers, problems);
  const { retriever, problem: retrieverProblem } = await readyRetriever(opening, makers, problems);
  const judges = await readyJudges(opening, makers, problems);
  const splitter = splitterOf(opening, judges, problems);
  if (verifier === undefined || problems.required.length > 0) {
    throw new ComponentsError(file, [...problems.required, ...problems.optional]);
  }
  const languageModel = judges.find(({ likelihood }) => likelihood !== undefined)?.likelihood;
  return {
    ...together(opening, verifier, judges, languageModel),
    ...{ splitter, retriever, retrieverProblem },
    judges: withSomeWeight(judges.map(({ judge }) => judge), problems),
    problems: problems.optional,
    clearCaches: opening.clearCaches,
  };
}
