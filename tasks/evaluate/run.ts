/**
 * Runs `deno task evaluate`: announces the cost, asks, scores, and reports the panel's state.
 * @module
 */
import type {
  OnnxEntry,
  OnnxOptions,
  openOnnxMaskedModel,
} from "../../lib/models/masked/onnx_masked_model.ts";
import { pseudoLikelihoodModels } from "../../lib/models/masked/pseudo_likelihood.ts";
import type { Panel } from "../../lib/models/panel.ts";
import {
  type AskedPanel,
  evaluateSets,
  hostedEstimates,
  hostedStatus,
  isPending,
  type LocalRun,
  ownPanel,
  type PanelWork,
  panelWork,
  pendingWork,
  type PlannedSet,
  type WorkDone,
} from "../../lib/pairs/evaluate.ts";
import {
  bothOrders,
  firstPairs,
  isAsked,
  type OrderDesign,
  type OrderPlan,
  orderPlan,
} from "../../lib/pairs/forced_choice.ts";
import { namePlaces, type openOwnPairs } from "../../lib/pairs/own_pairs.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import type { PairSet, PairStudy } from "../../lib/pairs/study.ts";
import {
  closedMessages,
  costTable,
  DESIGN_WORDS,
  hostedStatusTable,
  workTable,
} from "../../lib/pairs/tables.ts";
import { EXIT } from "../command.ts";

/** Options for models, pairs and tasks. */
export interface EvaluateOptions {
  readonly orders: OrderDesign;
  /** Ids of the models; all of the panel by default. */
  readonly models?: readonly string[] | undefined;
  /** Number of pairs, taken from the phenomena in turn; all by default. */
  readonly limit?: number | undefined;
  readonly local?: LocalRun | undefined;
  /** Maximum share of failed questions or pairs of a model. Above it asking ends. */
  readonly maxFailed?: number | undefined;
  /** Names of tags around thinking, in addition to the known ones. */
  readonly thinkingTags?: readonly string[] | undefined;
  /** True to print only the estimate. */
  readonly estimate?: boolean;
}

/** Inputs and outputs of a run, replaceable in tests. */
export interface Surroundings {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  /** Returns further sets of pairs, with the panel for each. */
  readonly further?: (panel: Panel) => readonly Further[];
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Further pairs with their panel, as defined by their study. */
interface Further extends PairSet {
  readonly panel: AskedPanel;
  /** Plan of questions, if the run's limit does not apply. */
  readonly orders?: OrderPlan;
}

function planned(
  { study, pairs, panel, orders: own }: Further,
  { models, limit, orders: design }: Pick<EvaluateOptions, "models" | "limit" | "orders">,
): PlannedSet {
  const all = own ?? questionsOf(study, pairs, { orders: design });
  const orders = own ?? questionsOf(study, pairs, { orders: design, limit });
  // Models that are of no panel are never left out.
  const isChosen = (entry: AskedPanel["models"][number]) =>
    entry.kind === "own" || (models?.includes(entry.id) ?? true);
  const ids = panel.models.filter(isChosen).map(({ id }) => id);
  return {
    work: panelWork(study, pairs, panel, { orders: all }),
    part: { models: ids, orders },
  };
}

const INCOMPLETE = "Incomplete; everything so far is kept. Run the same command again to go on.";

/** Estimates, asks, and prints the panel's state; returns the exit code. */
export async function runEvaluation(
  options: EvaluateOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { study, pairs, signal, print } = surroundings;
  const panel = chosen(surroundings.panel, options);
  // The whole panel, so that models chosen are asked like those that are not.
  const first = planned({ study, pairs, panel: surroundings.panel }, options);
  const { work, part } = first;
  const asked = pairs.filter(isAsked(part.orders!)).length;
  print(
    `Panel ${panel.name}: ${panel.models.length} of ${surroundings.panel.models.length} models, ` +
      `${asked} of ${pairs.length} pairs, ${DESIGN_WORDS[options.orders]}`,
  );
  const scoredOnly = panel.models.filter((one) =>
    one.kind === "gguf" && one.readout === "generation" && !one.roles.includes("chat")
  ).map(({ id }) => id).join(", ");
  if (scoredOnly) print(`Scored, and asked nothing: ${scoredOnly}`);
  const pending = pendingWork(work, part);
  const estimates = hostedEstimates(study, pending, panel);
  if (estimates.length > 0) print(`\n${costTable(estimates)}\n`);
  const ending = panel.models.flatMap((entry) =>
    entry.kind === "groq" && entry.withdrawn ? [`${entry.id} (${entry.withdrawn})`] : []
  );
  if (ending.length > 0) {
    const names = ending.join(" and ");
    print(`Groq has announced the end of ${names}; data/panels/groq.yaml says what to do`);
  }
  for (const { entry, answers, likelihoods } of pending) {
    const own = entry.kind === "gguf";
    const parts = workWords(own ? answers : 0, likelihoods);
    if (parts) print(`${entry.id}: ${parts}, ${own ? "on this machine" : "from its server"}`);
  }
  const furtherSets = (surroundings.further?.(surroundings.panel) ?? [])
    .map((set) => planned(set, options));
  for (const { model, words } of lacking(furtherSets)) print(`${model}: ${words}`);
  if (options.estimate) return EXIT.done;
  // What to do for a key, where no model that has work left can be asked.
  const standing = hostedStatus(work, part);
  const closed = new Set(standing.filter(({ closed }) => closed).map(({ entry }) => entry.id));
  const working = pending.filter(isPending);
  if (working.length > 0 && working.every(({ entry }) => closed.has(entry.id))) {
    // A model that can be asked, and has all of these pairs, may lack some of the others.
    const open = furtherSets.map(({ work, part: { models, ...rest } }) => (
      { work, part: { ...rest, models: models!.filter((id) => !closed.has(id)) } }
    ));
    await askFurther(open, { ...options, signal, print });
    print(`Nothing of ${study.name} is asked: ${closedMessages(standing)}`);
    return EXIT.failed;
  }
  const sets = [first, ...furtherSets];
  const { local, maxFailed, thinkingTags } = options;
  const how = { signal, local, maxFailed, thinkingTags, hosts: true };
  const [done = [], ...further] = await evaluateSets(sets, how);
  print(`\n${workTable(done)}`);
  const status = hostedStatus(work, { ...part, done });
  if (status.length > 0) print(`\n${hostedStatusTable(status)}`);
  furtherSets.forEach(({ work }, at) => printFurther(work, further[at]!, print));
  const unusable = new Set(
    [done, ...further].flat().filter(({ ended }) => ended?.isUnusable).map(({ model }) => model),
  );
  if (lacking(sets).some(({ model }) => !unusable.has(model))) {
    print(`\n${INCOMPLETE}`);
    return EXIT.incomplete;
  }
  const mute = [...unusable, ...muteModels(first)];
  if (mute.length > 0) {
    print(`\nNothing more can come of ${mute.join(", ")}: the reasons stand above.`);
    return EXIT.failed;
  }
  const failures = work.models.flatMap((
    { choices, scores },
  ) => [...choices.failures.keys(), ...scores.failures.keys()]);
  if (failures.length > 0) {
    const where = study.files.failed ? `, named in ${study.files.failed}` : "";
    print(`\nWithout an answer, and out of every figure: ${failures.length}${where}`);
  }
  print(`\n${completeWords(sets, options, study)}`);
  return EXIT.done;
}

/** Returns the models of a set without any result because all calls failed. */
const muteModels = ({ work, part: { models: names } }: PlannedSet) =>
  work.models.filter(({ entry: { id }, choices, scores }) =>
    (names?.includes(id) ?? true) && choices.kept.size + scores.kept.size === 0 &&
    choices.failures.size + scores.failures.size > 0
  ).map(({ entry: { id } }) => id);

/** Asks about a user's pairs and scores them, and reports results of complete models. */
export async function runOwnPairs(
  options: EvaluateOptions,
  own: OpenedPairs,
  surroundings: Omit<Surroundings, "study" | "pairs" | "further">,
): Promise<number> {
  const { pairs, study } = own;
  const { print } = surroundings;
  printRead(own, print);
  const orders = questionsOf(study, pairs, options);
  const further = (panel: Panel) => {
    // Servers give no probabilities of all words that may follow: they have no regions.
    if (!panel.models.some(({ kind, roles }) => kind === "gguf" && roles.includes("likelihood"))) {
      return [];
    }
    const { regions } = own;
    const asked = new Set(pairs.filter(isAsked(orders)).map(({ id }) => id));
    const parts = regions.pairs.filter(({ id }) => asked.has(id.slice(0, id.lastIndexOf(" "))));
    return [{ ...regions, pairs: parts, panel, orders: bothOrders }];
  };
  const code = await runEvaluation(options, { study, pairs, ...surroundings, further });
  if (options.estimate) return code;
  await printResults(own, chosen(surroundings.panel, options), orders, print);
  return code;
}

type OpenedPairs = Awaited<ReturnType<typeof openOwnPairs>>;

/** Prints a file's detected format, omitted pairs, and probable mistakes. */
function printRead({ pairs, study, leftOut, format, warnings }: OpenedPairs, print: Print): void {
  print(`${study.name}: ${pairs.length} pairs, ${format}`);
  if (leftOut.length > 0) {
    print(`${leftOut.length} left out, both sentences are the same: ${namePlaces(leftOut)}`);
  }
  for (const warning of warnings) print(`Warning: ${warning}`);
}

/** Writes and prints results of complete models, or a message that there are none. */
async function printResults(
  own: OpenedPairs,
  panel: AskedPanel,
  orders: OrderPlan,
  print: Print,
): Promise<void> {
  // What draws needs permissions that no other run has.
  const { ownResults } = await import("../../lib/pairs/own_results.ts");
  try {
    const { finding, table } = ownResults(own, panel, orders);
    print(`\n${finding}\n\n${table}\n\nWritten to ${own.folder}`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    print(`\n${error.message}`);
  }
}

/** Scores a user's pairs with a masked model, and prints the results. */
export async function runOwnWithOnnx(
  entry: OnnxEntry,
  own: OpenedPairs,
  options: FurtherOptions & OnnxOptions,
  open?: typeof openOnnxMaskedModel,
): Promise<number> {
  const { pairs, study } = own;
  const { print } = options;
  printRead(own, print);
  const orders = questionsOf(study, pairs, { orders: "both", limit: options.limit });
  const show = (panel: AskedPanel) => printResults(own, panel, orders, print);
  const isDone = await scoreWithOnnx(entry, [{ study, pairs }], options, open, show);
  return isDone ? EXIT.done : EXIT.incomplete;
}

/** Formats remaining work without zeros: `8 questions and likelihoods of 4 pairs`. */
const workWords = (answers: number, likelihoods: number) =>
  [answers && `${answers} questions`, likelihoods && `likelihoods of ${likelihoods} pairs`]
    .filter(Boolean).join(" and ");

/** Restricts a panel to selected models. Throws RangeError for an unknown one. */
function chosen(panel: Panel, { models: names }: EvaluateOptions): Panel {
  const ids = panel.models.map(({ id }) => id);
  const unknown = names?.find((name) => !ids.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot ask ${unknown}: the panel ${panel.name} has ${ids.join(", ")}.`);
  }
  return { ...panel, models: panel.models.filter(({ id }) => names?.includes(id) ?? true) };
}

/** Returns the order plan of a run. */
function questionsOf(
  { orderSeed }: PairStudy,
  pairs: readonly MinimalPair[],
  { orders: design, limit }: EvaluateOptions,
): OrderPlan {
  const plan = orderPlan(design, pairs, orderSeed);
  return limit === undefined ? plan : firstPairs(plan, pairs, limit);
}

/** Returns the next step after a complete run, which may cover only some models or pairs. */
function completeWords(
  sets: readonly PlannedSet[],
  { orders: design }: EvaluateOptions,
  { commands }: PairStudy,
): string {
  const all = lacking(sets.map(whole)).map(({ model, words }) => `${model} lacks ${words}`);
  if (all.length === 0) return `Complete. Now: ${commands.compute}`;
  return `Complete for these questions. Of the panel ${sets[0]!.work.panel.name} ` +
    `(${DESIGN_WORDS[design]}) ${all.join(", ")}: without --models and --limit they are asked too.`;
}

/** Returns the complete work of a set, beyond the part that the run asks. */
const whole = ({ work }: PlannedSet): PlannedSet => ({ work, part: {} });

type Print = Surroundings["print"];

type FurtherOptions =
  & Pick<EvaluateOptions, "limit" | "local" | "maxFailed" | "thinkingTags">
  & Pick<Surroundings, "signal" | "print">;

/** Asks and scores the missing part of further sets, and prints results. */
async function askFurther(
  sets: readonly PlannedSet[],
  { signal, print, local, maxFailed, thinkingTags }: FurtherOptions,
): Promise<void> {
  const done = await evaluateSets(sets, { signal, local, maxFailed, thinkingTags, hosts: true });
  sets.forEach(({ work }, at) => printFurther(work, done[at]!, print));
}

/** Prints the results of a further set, if it had remaining work. */
function printFurther(
  { study, panel }: PanelWork,
  done: readonly WorkDone[],
  print: Surroundings["print"],
): void {
  if (done.length === 0) return;
  const isAsked = panel.models.some(({ kind }) => kind !== "own") && !study.onlyScored;
  const what = isAsked ? "Answers and likelihoods" : "Likelihoods";
  print(`\n${what} of ${study.name}:\n\n${workTable(done)}`);
}

/** Returns models with missing answers or scores on a set, and what they lack. */
const lacking = (sets: readonly PlannedSet[]) =>
  sets.flatMap(({ work, part }) =>
    pendingWork(work, part).filter(isPending).map(({ entry: { id }, answers, likelihoods }) => (
      { model: id, words: `${workWords(answers, likelihoods)} of ${work.study.name}` }
    ))
  );

/** Opens a masked model. Its native runtime requires a permission that other runs do not. */
const openWithRuntime: typeof openOnnxMaskedModel = async (...given) =>
  (await import("../../lib/models/masked/onnx_masked_model.ts")).openOnnxMaskedModel(...given);

/**
 * Scores sets of pairs with a masked model from a folder, opened once.
 *
 * Every variant of pseudo-likelihood is scored, as `ID:pll_original` and `ID:pll_within_word_l2r`
 * in the tables of the panels. It prints the state and returns true if no work remains.
 */
export async function scoreWithOnnx(
  entry: OnnxEntry,
  sets: readonly PairSet[],
  options: FurtherOptions & OnnxOptions,
  open: typeof openOnnxMaskedModel = openWithRuntime,
  onScored: (panel: AskedPanel) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  await using model = await open(entry, options);
  const panel = ownPanel(pseudoLikelihoodModels(model));
  const { limit } = options;
  const scored = sets.map((set) => planned({ ...set, panel }, { orders: "both", limit }));
  await askFurther(scored, options);
  if (lacking(scored).length > 0) options.print(`\n${INCOMPLETE}`);
  await onScored(panel);
  if (lacking(scored).length > 0) return false;
  // A limit leaves pairs over.
  const left = lacking(scored.map(whole)).map(({ model, words }) => `${model} lacks ${words}`).join(
    ", ",
  );
  const names = sets.map(({ study, pairs }) => `${pairs.length} pairs of ${study.name}`).join(", ");
  const words = left === ""
    ? `: ${names}. Now: ${sets[0]?.study.commands.compute}`
    : ` for these pairs. ${left}: without --limit they are scored too.`;
  options.print(`\nComplete${words}`);
  return true;
}
