import { readTextIfThere, shownPath } from "../../files/atomic.ts";
import { loadMiniLm } from "../../models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type {
  DrawnModel,
  LanguageModel,
  NextWordModel,
  StructuredModel,
} from "../../models/model.ts";
import type { Generation } from "../../models/panel.ts";
import { SPLITTING_TEMPLATE } from "../claims/model_splitter.ts";
import { errorWords, type OpeningContext } from "../component.ts";
import { readJudgeCalibration } from "../judges/ensemble.ts";
import { timeLimitedModel } from "../judges/generating_judge.ts";
import { loadMessage } from "../judges/gguf.ts";
import { isTrustedEntry, type OpenJudge } from "../judges/judge.ts";
import { type PromptTemplates, readPromptTemplates } from "../judges/prompts.ts";
import { type AggregationStrategy, CLAIM_TEMPLATE, criteriaInOrder } from "../types.ts";
import { FACTUAL_ACCURACY, isTransient, sourcePassage, VERDICT_LABELS } from "../types.ts";
import type { ClaimSplitter, Judge, Retriever, Verifier } from "../types.ts";
import {
  componentOfKind,
  type EvaluationComponentsConfiguration,
  type JudgeEntry,
  JUDGES,
  KNOWLEDGE_BASES,
  readConfiguration,
  type RetrievalEntry,
  SPLITTERS,
  type VerifierEntry,
  VERIFIERS,
} from "./configuration.ts";

/** Components of an evaluation. */
export interface EvaluationComponents {
  readonly splitter: ClaimSplitter;
  /** Undefined where no knowledge base is configured, or it could not be opened. */
  readonly retriever: Retriever | undefined;
  /** Reason in one sentence why a configured knowledge base could not be opened. */
  readonly retrieverProblem: string | undefined;
  readonly verifier: Verifier;
  /** Judges in the order of the configuration; may be empty. */
  readonly judges: readonly Judge[];
  /** Reasons why configured judges are unavailable; without them an evaluation is incomplete. */
  readonly absentJudges?: readonly string[];
  /** Judges including those that did not answer, which identify a configuration. */
  readonly configuredJudges?: readonly Judge[];
  /** True to judge each claim too, at the cost of one call per claim. */
  readonly judgeClaims: boolean;
  readonly aggregation: AggregationStrategy;
  /**
   * Variance of the judges' scores (points²) above which confidence is low; 20 by the
   * specification.
   */
  readonly lowConfidenceVariance: number;
  /** Names of judged criteria; `factual_accuracy` is always first. */
  readonly criteria: readonly string[];
  /** SHA-256 of the prompts file. */
  readonly promptsSha256: string;
  /** Components of internal consistency; undefined where it is switched off. */
  readonly consistency: ConsistencyComponents | undefined;
  /** Optional components that failed to load, in sentences repeated by every report. */
  readonly problems: readonly string[];
  /** Number of claims verified at once, ≥ 1. Halved when memory is insufficient. */
  readonly batchSize: number;
  /** Maximum number of claims checked per text, sampled at random. All by default. */
  readonly mostClaims?: number;
  /** Time limits in seconds per claim. After it a claim is unscored, and retried later. */
  readonly timeLimits?: Readonly<Partial<Record<"verifier" | "retriever", number>>>;
  /**
   * Queues the work of verifier and knowledge base across texts. Time limits do not run meanwhile.
   */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Frees caches when memory is insufficient. */
  readonly clearCaches?: () => void | Promise<void>;
}

/** Components of internal consistency. */
interface ConsistencyComponents {
  /** Language model for log-probabilities; without it plausibility is unknown. */
  readonly languageModel: LanguageModel | undefined;
  /** Maximum number of claim pairs compared, ≥ 0. A long text has too many. */
  readonly mostPairs: number;
  /** Maximum number of claim pairs for a text with sources, which settle most claims. */
  readonly mostPairsBeside: number;
}

export interface OpenComponentsOptions {
  /** Git-ignored folder for packages, models and indexes. About 2.5 GB for the default file. */
  readonly cacheDirectory: string;
  /** Path of the file with API keys; `.env` by default. */
  readonly env?: string;
  /** Number of threads, overriding the file's. */
  readonly threads?: number;
  /** One-line verifier, overriding the file's; see `parseVerifierName()`. */
  readonly verifier?: string;
  /** False to leave the configured knowledge base closed. */
  readonly knowledge?: boolean;
  /** False to open no judge except the one that splits claims. */
  readonly judges?: boolean;
  /** True to leave out judges without measured accuracy above chance; `judgesLeft` lists them. */
  readonly trustedJudges?: boolean;
  /**
   * True to keep vectors on disk and encode in parallel: faster, but cosines vary by 2e-4. Not for
   * studies.
   */
  readonly keepVectors?: boolean;
  /**
   * Receives an entry's id or kind and its progress. A message that `stays` is permanent, for
   * example a licence.
   */
  readonly onProgress?: (
    progress: { readonly component: string; readonly words: string; readonly stays: boolean },
  ) => void;
}

/**
 * Opened components with their language models. Generative models also compare texts and detect
 * bias.
 */
interface ReadyComponents extends EvaluationComponents {
  readonly prompts: PromptTemplates;
  readonly writers: readonly StructuredModel[];
  /** Language models scored by next-token probabilities, which also compare texts. */
  readonly readers: readonly NextWordModel[];
  /**
   * Ids of configured judges that are not asked: their accuracy is not measured above chance. A
   * judge that splits claims still does so.
   */
  readonly judgesLeft: readonly string[];
}

export interface OpenComponents extends ReadyComponents, AsyncDisposable {}

/**
 * Opens, checks and probes everything that a configuration file names. Optional components that
 * fail are left out and named in `problems`. `await using` frees their memory. @throws
 * {SyntaxError} for an invalid file. @throws {ComponentsError} where a required component fails.
 */
export async function openComponents(
  path: string,
  options: OpenComponentsOptions,
): Promise<OpenComponents> {
  const open = (opening: ConfiguredOpening) => readyComponents(opening, MAKERS, shownPath(path));
  return await openPart(path, options, open);
}

/** Context for opening the parts of one configuration. */
export interface ConfiguredOpening extends OpeningContext {
  readonly configuration: EvaluationComponentsConfiguration;
  /** Problems so far, in sentences. */
  readonly problems: readonly string[];
  /** See `OpenComponentsOptions`; false by default. */
  readonly trustedJudges?: boolean;
  /** Frees caches that can be recomputed. */
  readonly clearCaches: () => Promise<void>;
}

/** Opens one part of a configuration without loading the others. @throws what `open` throws. */
export async function openPart<Part extends object>(
  path: string,
  options: OpenComponentsOptions,
  open: (opening: ConfiguredOpening) => Promise<Part>,
): Promise<Part & AsyncDisposable> {
  const named = readConfiguration(path, options.verifier);
  const { knowledge = true, judges = true } = options;
  const splitting = splittingJudge(named);
  const configuration = {
    ...named,
    ...!knowledge && { retrieval: { kind: "none" } as const },
    ...!judges && { judges: named.judges.filter(({ id }) => id === splitting) },
  };
  await using resources = new AsyncDisposableStack();
  const part = await open(await openingOf(configuration, resources, options));
  const opened = resources.move();
  return { ...part, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Id of the judge that splits claims, if any. */
const splittingJudge = ({ splitter }: EvaluationComponentsConfiguration) =>
  "judge" in splitter ? splitter.judge : undefined;

async function openingOf(
  configuration: EvaluationComponentsConfiguration,
  resources: AsyncDisposableStack,
  options: OpenComponentsOptions,
): Promise<ConfiguredOpening> {
  const { cacheDirectory, env = ".env", threads: wanted, onProgress } = options;
  const { trustedJudges = false, keepVectors = false } = options;
  const threads = wanted ?? configuration.threads ?? Math.min(2, navigator.hardwareConcurrency);
  const tell: OpeningContext["tell"] = (component, words, stays) =>
    onProgress?.({ component, words, stays: stays !== undefined });
  const prompts = await readPromptTemplates(configuration.prompts);
  const measured = configuration.judgeCalibration;
  const text = measured && readTextIfThere(measured);
  const loading: Promise<SentenceEncoder>[] = [];
  return {
    configuration,
    quantisation: configuration.quantisation,
    cacheDirectory,
    env,
    threads,
    resources,
    tell,
    prompts,
    trustedJudges,
    keepVectors,
    encoder: (lane = 0) =>
      loading[lane] ??= loadMiniLm({
        cacheDirectory,
        // In parallel each encoder has one thread: two on one text would wait for each other at
        // every step.
        threads: keepVectors ? 1 : threads,
        onProgress: (progress) => tell(progress.model, loadMessage(progress)),
      }).then((encoder) => resources.use(encoder)),
    clearCaches: async () => {
      for (const encoder of Object.values(loading)) (await encoder).clear();
    },
    calibrationOf: measured && text !== undefined
      ? readJudgeCalibration(text, shownPath(measured), prompts)
      : () => undefined,
    problems: measured && text === undefined ? [`${shownPath(measured)} ${UNMEASURED}`] : [],
  };
}

const UNMEASURED =
  "is missing: judges are reported as unmeasured. Restore it, or run `deno task study judges`.";

/** Opens an entry's verifier. @throws {Error} where a file is missing, different or unreadable. */
export const openVerifier = async (
  entry: VerifierEntry,
  opening: OpeningContext,
): Promise<Verifier> => await componentOfKind(VERIFIERS, entry).open(entry as never, opening);

type KnowledgeEntry = Exclude<RetrievalEntry, { readonly kind: "none" }>;

/** Opens an entry's retriever, indexed once. @throws {Error} where it cannot be read. */
export const openRetriever = async (
  entry: KnowledgeEntry,
  opening: OpeningContext,
): Promise<Retriever> =>
  await componentOfKind(KNOWLEDGE_BASES, entry).open(entry as never, opening);

/**
 * Opens an entry's judge and checks that it is reachable. @throws {Error} where its file or key is
 * missing.
 */
export const openJudge = async (
  entry: JudgeEntry,
  opening: OpeningContext,
  seed = 0,
): Promise<OpenJudge> => await componentOfKind(JUDGES, entry).open(entry as never, opening, seed);

/** Opens an entry's model for drawing replies. @throws {Error} without file or key. */
export const openDrawnModel = async (
  entry: JudgeEntry,
  generation: Generation,
  opening: OpeningContext,
): Promise<DrawnModel> =>
  await componentOfKind(JUDGES, entry).draws(entry as never, generation, opening);

/** Functions that open each kind of component, replaceable in tests. */
const MAKERS = { openVerifier, openRetriever, openJudge };
export type ComponentMakers = typeof MAKERS;

/** Error for failed required components; lists every failure. */
export class ComponentsError extends Error {
  override readonly name = "ComponentsError";

  /** @param mayPass True if all failures are outages, so that a later attempt may succeed. */
  constructor(file: string, readonly problems: readonly string[], readonly mayPass = false) {
    super(`Cannot open what ${file} names:\n${problems.map((each) => `- ${each}`).join("\n")}`);
  }
}

/** Failures in sentences: of required and optional components, and outages. */
interface Problems extends Readonly<Record<"required" | "optional", string[]>> {
  readonly outages: Set<string>;
}

/** A component that opened but did not answer its probe. A later attempt may succeed. */
class Outage extends Error {}

/**
 * Opens and checks configured components. @throws {ComponentsError} where a required one failed.
 */
export async function readyComponents(
  opening: ConfiguredOpening,
  makers: ComponentMakers,
  file: string,
): Promise<ReadyComponents> {
  const { configuration, prompts } = opening;
  const { aggregation, judgeClaims, criteria, retrieval } = configuration;
  const problems: Problems = {
    required: [],
    optional: [...opening.problems],
    outages: new Set(),
  };
  checkPrompts(opening, problems);
  const wanted = configuration.verifier;
  const verifier = await resultOrProblem(
    "Verifier",
    wanted,
    [problems.required, problems],
    async () => {
      opening.tell(wanted.kind, "verifier loads");
      const verifier = await makers.openVerifier(wanted, opening);
      await probeVerifier(verifier);
      const limits = verifierLimits(verifier, configuration);
      problems.optional.push(...limits.map((words) => `${labelOf("Verifier", wanted)}: ${words}`));
      return verifier;
    },
  );
  const retrieverProblems: string[] = [];
  const retriever = retrieval.kind === "none" ? undefined : await resultOrProblem(
    "Knowledge base",
    retrieval,
    [retrieverProblems, problems],
    () => makers.openRetriever(retrieval, opening),
  );
  const isRequired = retrieval.kind !== "none" && retrieval.required;
  problems[isRequired ? "required" : "optional"].push(...retrieverProblems);
  const { judges, asked, configured, absent, likelihood, untrusted, left } = await openJudges(
    opening,
    makers,
    problems,
  );
  const writerOf = (id: string) => {
    const model = judges.find(({ judge }) => judge.name === id)?.writes;
    const entry = configuration.judges.find((one) => one.id === id);
    return model && entry && timeLimitedModel(model, entry.timeoutSeconds);
  };
  const { splitter: splitting } = configuration;
  const splitter = await resultOrProblem(
    "Splitter",
    splitting,
    [problems.required, problems],
    async (): Promise<ClaimSplitter> =>
      await componentOfKind(SPLITTERS, splitting).open(splitting as never, {
        ...opening,
        writerOf,
      }),
  );
  if (verifier === undefined || splitter === undefined || problems.required.length > 0) {
    const isOutage = problems.required.every((problem) => problems.outages.has(problem));
    throw new ComponentsError(file, [...problems.required, ...problems.optional], isOutage);
  }
  const languageModel = likelihood ?? lazyLanguageModel(left, opening, makers);
  const { isSlow, limitsAnswers } = componentOfKind(VERIFIERS, wanted);
  return {
    splitter,
    retriever,
    retrieverProblem: retrieverProblems[0],
    verifier,
    judges: withNonZeroWeights(asked.map(({ judge }) => judge), problems.optional),
    absentJudges: absent,
    configuredJudges: withNonZeroWeights(configured, []),
    judgeClaims,
    aggregation: aggregation.strategy,
    lowConfidenceVariance: aggregation.lowConfidenceVariance,
    criteria,
    prompts,
    promptsSha256: prompts.sha256,
    consistency: { languageModel, ...MAX_PAIRS[isSlow ? "slow" : "others"] },
    problems: problems.optional,
    batchSize: 16,
    timeLimits: {
      ...!limitsAnswers && { verifier: wanted.timeoutSeconds },
      ...retrieval.kind !== "none" && { retriever: retrieval.timeoutSeconds },
    },
    writers: asked.flatMap(({ writes }) => writes ?? []),
    readers: asked.flatMap(({ reads }) => reads ?? []),
    judgesLeft: untrusted.map(({ id }) => id),
    clearCaches: opening.clearCaches,
  };
}

/**
 * Opens the judges. It returns those that answer and are asked, all configured ones, reasons for
 * absence, and entries that are not asked or stay closed.
 */
async function openJudges(
  opening: ConfiguredOpening,
  makers: ComponentMakers,
  problems: Problems,
) {
  const { configuration, trustedJudges = false } = opening;
  const untrusted = configuration.judges.filter((entry) => {
    const weights = () => componentOfKind(JUDGES, entry).weights(entry as never, opening);
    return trustedJudges && !isTrustedEntry(entry, weights(), opening);
  });
  const left = untrusted.filter(({ id }) => id !== splittingJudge(configuration));
  const [loaded, judges]: [OpenJudge[], OpenJudge[]] = [[], []];
  const absent: string[] = [];
  // Sequentially, since each takes hundreds of megabytes while loading.
  for (const entry of configuration.judges.filter((one) => !left.includes(one))) {
    const failures: string[] = [];
    const judge = await resultOrProblem("Judge", entry, [failures, problems], async () => {
      const { judge, ...open } = await makers.openJudge(entry, opening);
      const judging = { ...open, judge: { ...judge, vouched: entry.weight !== undefined } };
      loaded.push(judging);
      opening.tell(entry.id, "answers a small task");
      await probeJudge(judge, entry, problems);
      return judging;
    });
    if (judge !== undefined) judges.push(judge);
    problems[entry.required ? "required" : "optional"].push(...failures);
    absent.push(...failures);
  }
  // A judge at chance may still split claims.
  const areAsked = ({ judge }: OpenJudge) => !untrusted.some(({ id }) => id === judge.name);
  return {
    judges,
    asked: judges.filter(areAsked),
    configured: loaded.filter(areAsked).map(({ judge }) => judge),
    absent,
    likelihood: loaded.find(({ likelihood }) => likelihood !== undefined)?.likelihood,
    untrusted,
    left,
  };
}

/** Loads the first unused judge with readable probabilities on first use. */
function lazyLanguageModel(
  left: readonly JudgeEntry[],
  opening: ConfiguredOpening,
  makers: ComponentMakers,
): LanguageModel | undefined {
  const entry = left.find((one) => one.kind === "gguf" && one.readout === "next-token");
  if (entry === undefined) return undefined;
  const resources = opening.resources.use(new AsyncDisposableStack());
  let loading: Promise<OpenJudge> | undefined;
  return {
    name: entry.id,
    settings: {},
    async score(texts, options) {
      const { likelihood } = await (loading ??= makers.openJudge(entry, { ...opening, resources }));
      return await likelihood!.score(texts, options);
    },
  };
}

/**
 * Maximum number of claim pairs that are compared, in both directions. It limits the time to half a
 * minute; a long text has thousands of pairs.
 */
const MAX_PAIRS = {
  slow: { mostPairs: 20, mostPairsBeside: 4 },
  others: { mostPairs: 200, mostPairsBeside: 24 },
} as const;

/** Checks that the file has every prompt needed, before any work begins. */
function checkPrompts({ configuration, prompts }: ConfiguredOpening, { required }: Problems): void {
  const { criteria, judgeClaims } = configuration;
  const wanted = [...criteriaInOrder(criteria)];
  if (judgeClaims) wanted.push(CLAIM_TEMPLATE);
  if (splittingJudge(configuration) !== undefined) wanted.push(SPLITTING_TEMPLATE);
  const templateNames = prompts.templates.map(({ name }) => name);
  const what = `the prompts file has ${templateNames.join(", ")}; add an entry, or leave it out`;
  const missing = wanted.filter((one) => !templateNames.includes(one));
  required.push(...missing.map((name) => `Prompt ${name}: ${what}`));
}

/** Returns the result of `work`; undefined where it fails, which is reported. */
async function resultOrProblem<T>(
  role: string,
  entry: { readonly kind: string; readonly id?: string },
  [failures, { outages }]: readonly [failures: string[], of: Pick<Problems, "outages">],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const problem = `${labelOf(role, entry)}: ${errorWords(error)}`;
    failures.push(problem);
    if (error instanceof Outage) outages.add(problem);
    return undefined;
  }
}

const labelOf = (role: string, { kind, id }: { readonly kind: string; readonly id?: string }) =>
  `${role} (${id === undefined ? "" : `${id}, `}${kind})`;

const SOURCE =
  "The library of Harrow opened in 1911. It holds 84,000 volumes and closes on Mondays.";
const CLAIMS = [
  "The library of Harrow opened in 1911.",
  "The library of Harrow holds 12,000 volumes.",
] as const;

/** Asks a judge for the factual accuracy of one sentence. @throws {Error} without an answer. */
async function probeJudge(judge: Judge, entry: JudgeEntry, { optional }: Problems): Promise<void> {
  const [candidate] = CLAIMS;
  const values = { source: SOURCE, question: "", candidate, verdicts: "" };
  const judgement = await judge.judge({
    template: FACTUAL_ACCURACY,
    values,
    judgedText: candidate,
  });
  if (judgement.kind === "scored") return;
  // A model that answers badly can be used; one that fails cannot.
  const message = `it gave no score on a small task: ${judgement.message}`;
  if (isTransient(judgement.reason)) throw new Outage(message);
  if (judgement.reason !== "malformed answer") throw new Error(message);
  optional.push(`${labelOf("Judge", entry)}: ${message}`);
}

/** Asks a verifier about two claims. @throws {TypeError} for invalid probabilities. */
async function probeVerifier(verifier: Verifier): Promise<void> {
  const verdicts = await verifier.verify(CLAIMS, [sourcePassage(SOURCE)]);
  if (verdicts.length !== CLAIMS.length) {
    throw new TypeError(`it gave ${verdicts.length} verdicts on ${CLAIMS.length} claims`);
  }
  for (const verdict of verdicts) {
    if (verdict.kind === "unscored") {
      const message = `it gave no verdict on a plain claim: ${verdict.message}`;
      throw isTransient(verdict.reason) ? new Outage(message) : new TypeError(message);
    }
    const values = VERDICT_LABELS.map((label) => verdict.probabilities[label]);
    const total = values.reduce((sum, value) => sum + value, 0);
    // Sums of float32 values are rounded.
    if (!values.every((value) => value >= 0 && value <= 1) || Math.abs(total - 1) >= 1e-4) {
      throw new TypeError(`its probabilities for a plain claim are ${values.join(", ")}`);
    }
  }
}

/** Limits of a verifier's verdicts that its readers must know. */
function verifierLimits(
  { settings: { calibrated, calibratedOn, tells } }: Verifier,
  { quantisation, verifier }: EvaluationComponentsConfiguration,
): readonly string[] {
  const limits: string[] = [];
  if (calibrated === false) {
    limits.push("its probabilities are not calibrated.");
  }
  if (calibratedOn !== undefined) limits.push(`it was calibrated on ${calibratedOn}.`);
  if (typeof tells === "string" && !tells.includes("refuted")) {
    limits.push(`it tells ${tells} apart, and never that a source contradicts a claim.`);
  }
  if (quantisation === "8-bit" && componentOfKind(VERIFIERS, verifier).keepsPrecision) {
    limits.push("it keeps the precision that it was fitted to; 8-bit holds for other models.");
  }
  return limits;
}

/** Gives judges a weight where none was measured above chance. */
function withNonZeroWeights(judges: readonly Judge[], problems: string[]): readonly Judge[] {
  if (judges.length === 0 || judges.some(({ weight }) => weight > 0)) return judges;
  problems.push(
    "No judge has been measured to be better than chance: nothing rests on what they say.",
  );
  // A configured weight of 0 stays: it was set on purpose.
  return judges.map((judge) => judge.vouched ? judge : { ...judge, weight: 1 });
}
