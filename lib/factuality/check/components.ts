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
import { errorWords, type Opening } from "../component.ts";
import { readJudgeCalibration } from "../judges/ensemble.ts";
import { timeLimitedModel } from "../judges/generating_judge.ts";
import { loadWords } from "../judges/gguf.ts";
import { isTrustedEntry, type OpenJudge } from "../judges/judge.ts";
import { type PromptTemplates, readPromptTemplates } from "../judges/prompts.ts";
import { type AggregationStrategy, CLAIM_TEMPLATE, criteriaInOrder } from "../types.ts";
import { FACTUAL_ACCURACY, mayPass, sourcePassage, VERDICT_LABELS } from "../types.ts";
import type { ClaimSplitter, Judge, Retriever, Verifier } from "../types.ts";
import {
  type EvaluationComponentsConfiguration,
  type JudgeEntry,
  JUDGES,
  KNOWLEDGE_BASES,
  ofKind,
  readConfiguration,
  type RetrievalEntry,
  SPLITTERS,
  type VerifierEntry,
  VERIFIERS,
} from "./configuration.ts";

/** What an evaluation is made with. */
export interface EvaluationComponents {
  readonly splitter: ClaimSplitter;
  /** Undefined where no knowledge base is configured, or it could not be opened. */
  readonly retriever: Retriever | undefined;
  /** Why a configured knowledge base could not be opened, in one sentence. */
  readonly retrieverProblem: string | undefined;
  readonly verifier: Verifier;
  /** In the order of the configuration; may be none. */
  readonly judges: readonly Judge[];
  /** Why judges that are configured cannot be asked now: without them an evaluation is incomplete. */
  readonly absentJudges?: readonly string[];
  /** The judges with those of them that did not answer, by which a configuration is known again. */
  readonly configuredJudges?: readonly Judge[];
  /** Whether judges are asked about each claim too: as many calls as there are claims. */
  readonly judgeClaims: boolean;
  readonly aggregation: AggregationStrategy;
  /** Variance of the judges' scores, in points², over which confidence is low; 20 by the specification. */
  readonly lowConfidenceVariance: number;
  /** Names of templates, each a score of its own; `factual_accuracy` is judged first in any case. */
  readonly criteria: readonly string[];
  /** SHA-256 of the prompts file. */
  readonly promptsSha256: string;
  /** Reads the candidate's own claims against one another; undefined where that is not wanted. */
  readonly consistency: ConsistencyComponents | undefined;
  /** Components that did not load and may be missing, in sentences: each report repeats them. */
  readonly problems: readonly string[];
  /** Claims that the verifier is given at once, ≥ 1; halved when memory does not suffice. */
  readonly batchSize: number;
  /** Claims of a text that are checked, by lot where it has more; all of them unless told. */
  readonly mostClaims?: number;
  /** Seconds a claim that they are given; what takes longer is unscored, and asked again. */
  readonly timeLimits?: Readonly<Partial<Record<"verifier" | "retriever", number>>>;
  /** Work of verifier and knowledge base waits here for that of other texts; no time limit runs meanwhile. */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Lets go of what can be computed again, when memory does not suffice. */
  readonly clearCaches?: () => void | Promise<void>;
}

/** How a text is judged by itself, beside the verifier. */
interface ConsistencyComponents {
  /** Gives each claim's log-probability; without one plausibility is unknown. */
  readonly languageModel: LanguageModel | undefined;
  /** Pairs of claims compared at most, ≥ 0: all pairs of a long text are too many. */
  readonly mostPairs: number;
  /** The same of a text that was checked against something, which settles most claims by itself. */
  readonly mostPairsBeside: number;
}

export interface OpenComponentsOptions {
  /** Git-ignored folder for packages, models and indexes; about 2.5 GB for the default file. */
  readonly cacheDirectory: string;
  /** Path of the file with the keys of hosts; `.env` where left out. */
  readonly env?: string;
  /** In place of the file's own. */
  readonly threads?: number;
  /** In place of the file's own, in one line; see `verifierOfLine()`. */
  readonly verifier?: string;
  /** False: the knowledge base that the file names stays closed. */
  readonly knowledge?: boolean;
  /** False: of the judges only the one that splits claims, if any, is opened. */
  readonly judges?: boolean;
  /** Judges that nothing may rest on are not loaded; `judgesLeft` names them. */
  readonly trustedJudges?: boolean;
  /** Vectors stay on disk, read side by side: quick, but cosines move by 2e-4; not for studies. */
  readonly keepVectors?: boolean;
  /** Told an entry's id or kind and what is done now; what `stays` is to be known, as a licence. */
  readonly onProgress?: (
    progress: { readonly component: string; readonly words: string; readonly stays: boolean },
  ) => void;
}

/** The components of an evaluation, and the judges' models: those that write compare and find bias, too. */
interface ReadyComponents extends EvaluationComponents {
  readonly prompts: PromptTemplates;
  readonly writers: readonly StructuredModel[];
  /** Those that are not let write compare by the next word's probabilities. */
  readonly readers: readonly NextWordModel[];
  /** Ids of judges that are not asked, for nothing may rest on them; one that splits claims does so all the same. */
  readonly judgesLeft: readonly string[];
}

export interface OpenComponents extends ReadyComponents, AsyncDisposable {}

/**
 * Everything that a configuration file names, in memory, checked and asked a small question. What is
 * not required and fails is left out and told in `problems`. `await using` frees their memory.
 * @throws {SyntaxError} for a wrong file. @throws {ComponentsError} where something required fails.
 */
export async function openComponents(
  path: string,
  options: OpenComponentsOptions,
): Promise<OpenComponents> {
  const open = (opening: ConfiguredOpening) => readyComponents(opening, MAKERS, shownPath(path));
  return await openPart(path, options, open);
}

/** What all parts of one configuration are opened with. */
export interface ConfiguredOpening extends Opening {
  readonly configuration: EvaluationComponentsConfiguration;
  /** What was passed over so far, in sentences. */
  readonly problems: readonly string[];
  /** See `OpenComponentsOptions`; false where left out. */
  readonly trustedJudges?: boolean;
  /** Lets go of what can be computed again. */
  readonly clearCaches: () => Promise<void>;
}

/** One part of a configuration, so that the others take no memory. @throws what `open` throws. */
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

/** The id of the judge that splits claims, if any. */
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
  const tell: Opening["tell"] = (component, words, stays) =>
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
        // Side by side each has a thread: two that share a text wait for one another at every step.
        threads: keepVectors ? 1 : threads,
        onProgress: (progress) => tell(progress.model, loadWords(progress)),
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

/** The verifier of an entry. @throws {Error} where a file is missing, another, or unreadable. */
export const openVerifier = async (entry: VerifierEntry, opening: Opening): Promise<Verifier> =>
  await ofKind(VERIFIERS, entry).open(entry as never, opening);

type KnowledgeEntry = Exclude<RetrievalEntry, { readonly kind: "none" }>;

/** The retriever of a knowledge base, indexed once. @throws {Error} where it cannot be read. */
export const openRetriever = async (entry: KnowledgeEntry, opening: Opening): Promise<Retriever> =>
  await ofKind(KNOWLEDGE_BASES, entry).open(entry as never, opening);

/** The judge of an entry, within reach. @throws {Error} where its file or key cannot be had. */
export const openJudge = async (
  entry: JudgeEntry,
  opening: Opening,
  seed = 0,
): Promise<OpenJudge> => await ofKind(JUDGES, entry).open(entry as never, opening, seed);

/** The model of an entry as one whose replies are drawn. @throws {Error} without file or key. */
export const openDraws = async (
  entry: JudgeEntry,
  generation: Generation,
  opening: Opening,
): Promise<DrawnModel> => await ofKind(JUDGES, entry).draws(entry as never, generation, opening);

/** What opens each kind of component; passed in, so that tests need no model. */
const MAKERS = { openVerifier, openRetriever, openJudge };
export type ComponentMakers = typeof MAKERS;

/** Something that an evaluation cannot do without failed; everything that failed is told. */
export class ComponentsError extends Error {
  override readonly name = "ComponentsError";

  /** @param mayPass whether all that is required only did not answer, which may pass. */
  constructor(file: string, readonly problems: readonly string[], readonly mayPass = false) {
    super(`Cannot open what ${file} names:\n${problems.map((each) => `- ${each}`).join("\n")}`);
  }
}

/** What failed, as sentences: what must be there, what may be missing, and which of them only did not answer. */
interface Problems extends Readonly<Record<"required" | "optional", string[]>> {
  readonly outages: Set<string>;
}

/** A component that opened and did not answer its probe: it may, when it is asked again. */
class Outage extends Error {}

/** Opens and checks what is configured. @throws {ComponentsError} if what is required failed. */
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
      const told = verifierLimits(verifier, configuration);
      problems.optional.push(...told.map((words) => `${labelOf("Verifier", wanted)}: ${words}`));
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
      await ofKind(SPLITTERS, splitting).open(splitting as never, { ...opening, writerOf }),
  );
  if (verifier === undefined || splitter === undefined || problems.required.length > 0) {
    const isOutage = problems.required.every((problem) => problems.outages.has(problem));
    throw new ComponentsError(file, [...problems.required, ...problems.optional], isOutage);
  }
  const languageModel = likelihood ?? lazyLanguageModel(left, opening, makers);
  const { isSlow, limitsAnswers } = ofKind(VERIFIERS, wanted);
  return {
    splitter,
    retriever,
    retrieverProblem: retrieverProblems[0],
    verifier,
    judges: withSomeWeight(asked.map(({ judge }) => judge), problems.optional),
    absentJudges: absent,
    configuredJudges: withSomeWeight(configured, []),
    judgeClaims,
    aggregation: aggregation.strategy,
    lowConfidenceVariance: aggregation.lowConfidenceVariance,
    criteria,
    prompts,
    promptsSha256: prompts.sha256,
    consistency: { languageModel, ...MOST_PAIRS[isSlow ? "slow" : "others"] },
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
 * The judges that answer, those of them that are asked, these with whoever does not answer, why some
 * cannot be asked, and entries that are not asked, or stay closed.
 */
async function openJudges(
  opening: ConfiguredOpening,
  makers: ComponentMakers,
  problems: Problems,
) {
  const { configuration, trustedJudges = false } = opening;
  const untrusted = configuration.judges.filter((entry) => {
    const weights = () => ofKind(JUDGES, entry).weights(entry as never, opening);
    return trustedJudges && !isTrustedEntry(entry, weights(), opening);
  });
  const left = untrusted.filter(({ id }) => id !== splittingJudge(configuration));
  const [loaded, judges]: [OpenJudge[], OpenJudge[]] = [[], []];
  const absent: string[] = [];
  // One after the other: each takes hundreds of megabytes while it loads.
  for (const entry of configuration.judges.filter((one) => !left.includes(one))) {
    const told: string[] = [];
    const judge = await resultOrProblem("Judge", entry, [told, problems], async () => {
      const { judge, ...open } = await makers.openJudge(entry, opening);
      const judging = { ...open, judge: { ...judge, vouched: entry.weight !== undefined } };
      loaded.push(judging);
      opening.tell(entry.id, "answers a small task");
      await probeJudge(judge, entry, problems);
      return judging;
    });
    if (judge !== undefined) judges.push(judge);
    problems[entry.required ? "required" : "optional"].push(...told);
    absent.push(...told);
  }
  // Who splits claims need not be good at judging them.
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

/** Of judges that were left out the first with probabilities to read, loaded when it is first asked. */
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

/** Two directions of so many pairs take some seconds, or half a minute; a long text has thousands. */
const MOST_PAIRS = {
  slow: { mostPairs: 20, mostPairsBeside: 4 },
  others: { mostPairs: 200, mostPairsBeside: 24 },
} as const;

/** Every prompt that will be asked for must be in the file: it is told now and not in the midst of work. */
function checkPrompts({ configuration, prompts }: ConfiguredOpening, { required }: Problems): void {
  const { criteria, judgeClaims } = configuration;
  const wanted = [...criteriaInOrder(criteria)];
  if (judgeClaims) wanted.push(CLAIM_TEMPLATE);
  if (splittingJudge(configuration) !== undefined) wanted.push(SPLITTING_TEMPLATE);
  const there = prompts.templates.map(({ name }) => name);
  const what = `the prompts file has ${there.join(", ")}; add an entry, or leave it out`;
  const missing = wanted.filter((one) => !there.includes(one));
  required.push(...missing.map((name) => `Prompt ${name}: ${what}`));
}

/** What `work` gives; undefined where it fails, which is told. */
async function resultOrProblem<T>(
  role: string,
  entry: { readonly kind: string; readonly id?: string },
  [told, { outages }]: readonly [told: string[], of: Pick<Problems, "outages">],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const problem = `${labelOf(role, entry)}: ${errorWords(error)}`;
    told.push(problem);
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

/** Asks for the factual accuracy of one sentence. @throws {Error} where there is no answer to it. */
async function probeJudge(judge: Judge, entry: JudgeEntry, { optional }: Problems): Promise<void> {
  const [candidate] = CLAIMS;
  const values = { source: SOURCE, question: "", candidate, verdicts: "" };
  const judgement = await judge.judge({
    template: FACTUAL_ACCURACY,
    values,
    judgedText: candidate,
  });
  if (judgement.kind === "scored") return;
  // A model that answers badly can be asked; one that fails cannot.
  const message = `it gave no score on a small task: ${judgement.message}`;
  if (mayPass(judgement.reason)) throw new Outage(message);
  if (judgement.reason !== "malformed answer") throw new Error(message);
  optional.push(`${labelOf("Judge", entry)}: ${message}`);
}

/** Asks a verifier about two claims. @throws {TypeError} where its probabilities are none. */
async function probeVerifier(verifier: Verifier): Promise<void> {
  const verdicts = await verifier.verify(CLAIMS, [sourcePassage(SOURCE)]);
  if (verdicts.length !== CLAIMS.length) {
    throw new TypeError(`it gave ${verdicts.length} verdicts on ${CLAIMS.length} claims`);
  }
  for (const verdict of verdicts) {
    if (verdict.kind === "unscored") {
      const message = `it gave no verdict on a plain claim: ${verdict.message}`;
      throw mayPass(verdict.reason) ? new Outage(message) : new TypeError(message);
    }
    const values = VERDICT_LABELS.map((label) => verdict.probabilities[label]);
    const total = values.reduce((sum, value) => sum + value, 0);
    // Float32 sums are rounded.
    if (!values.every((value) => value >= 0 && value <= 1) || Math.abs(total - 1) >= 1e-4) {
      throw new TypeError(`its probabilities for a plain claim are ${values.join(", ")}`);
    }
  }
}

/** What whoever reads a verifier's verdicts has to know of it. */
function verifierLimits(
  { settings: { calibrated, calibratedOn, tells } }: Verifier,
  { quantisation, verifier }: EvaluationComponentsConfiguration,
): readonly string[] {
  const limits: string[] = [];
  if (calibrated === false) {
    limits.push("its probabilities are the model's own, calibrated by nobody.");
  }
  if (calibratedOn !== undefined) limits.push(`it was calibrated on ${calibratedOn}.`);
  if (typeof tells === "string" && !tells.includes("refuted")) {
    limits.push(`it tells ${tells} apart, and never that a source contradicts a claim.`);
  }
  if (quantisation === "8-bit" && ofKind(VERIFIERS, verifier).keepsPrecision) {
    limits.push("it keeps the precision that it was fitted to; 8-bit holds for other models.");
  }
  return limits;
}

/** Where no judge was found better than chance, a weighted average would have nothing to weigh. */
function withSomeWeight(judges: readonly Judge[], problems: string[]): readonly Judge[] {
  if (judges.length === 0 || judges.some(({ weight }) => weight > 0)) return judges;
  problems.push(
    "No judge has been measured to be better than chance: nothing rests on what they say.",
  );
  // A weight of 0 that somebody wrote stays: it was withheld.
  return judges.map((judge) => judge.vouched ? judge : { ...judge, weight: 1 });
}
