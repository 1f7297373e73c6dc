/** Asking a model for proposals: the questions, and a whole run of generation. */
import { type AskingState, askMissing, planWork, type Settings } from "../../files/asking.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { openStatusLine, type StatusOptions } from "../../files/progress.ts";
import { estimateCost } from "../../models/hosted/estimate.ts";
import { formatWait, type WaitStatus } from "../../models/hosted/key_ring.ts";
import { groqSettings } from "../../models/hosted/groq_model.ts";
import { chatSettings } from "../../models/hosted/openai_compatible.ts";
import { type ChatModel, ModelUnavailable } from "../../models/model.ts";
import { hostedEntries, type HostedEntry, type Panel } from "../../models/panel.ts";
import { openHosted } from "../../pairs/hosted.ts";
import { interleaved } from "../../pairs/select.ts";
import { type HostedConnection, lockAnswers } from "../../pairs/study.ts";
import { costTable } from "../../pairs/tables.ts";
import { randomSource } from "../../stats/random.ts";
import { wordsOf } from "./verdicts.ts";
import { LONGEST_SENTENCE } from "./selection.ts";
import {
  DATASET,
  FURTHER,
  PAIR_SEED,
  PROPOSER,
  readGenerationSettings,
  replaceNorseDataset,
  REVERSE,
  type Sentence,
  settingsOf,
  type Source,
} from "./dataset.ts";
import {
  formatPrompt,
  generate,
  openProposals,
  type PromptTemplates,
  proposalAddress,
  proposalKey,
  type ProposalQuestion,
  readProposals,
} from "./proposals.ts";
import { makeReverseSet } from "./reverse.ts";
import { PHENOMENA, type Phenomenon, wordLists } from "./rules.ts";

const isIn = wordLists("quirky_case");

/** Tests for oblique pronouns and endings that mark a dative. */
const mayBeSubject = (word: string) =>
  isIn("may_be_subjects", word) || /(?:um|inni|unni|inu|konungi|manni)$/u.test(word);

/**
 * Minimal requirements on a sentence, by phenomenon.
 * The rules' tables are not used, because a model may know words that they lack.
 */
const MAY_SHOW: Readonly<Record<Phenomenon, (words: readonly string[]) => boolean>> = {
  QUIRKY_CASE: (words) => words.some(mayBeSubject),
  // A verb besides a noun with its adjective.
  ADJECTIVE: (words) => words.length >= 4,
  UMLAUT: (words) => words.some((word) => word.includes("ǫ")),
  MIDDLE_VOICE: (words) => words.some((word) => /\p{L}{2}[sz]k$/u.test(word)),
};

/** Number of sentences per phenomenon. If one in three gives a pair, there are more than 125. */
const PER_PHENOMENON = 400;

/**
 * Samples suitable sentences for each phenomenon, alternating between phenomena.
 * The sample does not depend on the answers, and every initial part of it is itself a sample.
 */
export function planQuestions(
  sentences: readonly Sentence[],
  count = PER_PHENOMENON,
): readonly ProposalQuestion[] {
  const drawn = PHENOMENA.map((phenomenon) => {
    const eligible = sentences.filter(({ normalised }) => {
      const words = wordsOf(normalised.toLowerCase());
      return words.length <= LONGEST_SENTENCE && MAY_SHOW[phenomenon](words);
    });
    const random = randomSource(`${PAIR_SEED} ${phenomenon}`);
    return random.shuffle(eligible).slice(0, count)
      .map((sentence): ProposalQuestion => ({ phenomenon, sentence }));
  });
  return interleaved(drawn);
}

/** Number of consecutive failures that ends a run. */
const FAILURES_IN_A_ROW = 10;

/** Questions for one model, and the file of its answers. */
interface Asking {
  readonly questions: readonly ProposalQuestion[];
  readonly templates: PromptTemplates;
  /** Path of `proposals.jsonl`. */
  readonly path: string;
}

/** A model's name and settings. */
type Asked = Pick<ChatModel, "name" | "settings">;

/** Returns a model's answered and unanswered questions. */
function proposalWork({ questions, templates, path }: Asking, { name: model, settings }: Asked) {
  const table = openProposals(path);
  const work = planWork({
    questions,
    keyOf: ({ phenomenon, sentence: { id: sentenceId } }) =>
      proposalKey({ model, promptSha256: templates[phenomenon].sha256, phenomenon, sentenceId }),
    rows: table.rows,
    isCurrent: ({ asked }, question) =>
      asked === undefined || asked === proposalAddress(templates, question, settings),
  });
  return { table, work };
}

/** Returns a hosted model's settings before it is opened. */
function settingsOfEntry(entry: HostedEntry, { panel, connection }: ProposalOptions): Settings {
  const generation = panel.generation!;
  return entry.kind === "groq"
    ? groqSettings(entry, generation, connection.standIn?.baseUrl)
    : chatSettings(entry, generation);
}

/** Limits and callbacks of a run. A failed call is repeated in the next run. */
interface AskOptions {
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (state: AskingState) => void;
  readonly onFailure?: (message: string) => void;
}

/**
 * Asks one model its unanswered questions, as many in parallel as it allows.
 * Each answer is written before the next question. An abort, an unavailable model or ten
 * consecutive failures end the run; all answers are kept.
 * @throws ModelUnavailable in the latter two cases, and other errors (such as a failed write) after
 * all calls have ended.
 */
export async function askForProposals(
  asking: Asking,
  model: ChatModel,
  { limit, signal, onProgress, onFailure }: AskOptions = {},
): Promise<void> {
  const { templates } = asking;
  const { table, work } = proposalWork(asking, model);
  let inRow = 0;
  const ask = async (question: ProposalQuestion, stop: AbortSignal) => {
    const { phenomenon, sentence } = question;
    const reply = await model.ask(formatPrompt(templates, question), { signal: stop });
    if (reply.kind === "failure") {
      inRow += 1;
      if (!stop.aborted) onFailure?.(reply.message);
      if (stop.aborted || inRow < FAILURES_IN_A_ROW) return undefined;
      const message = `${inRow} calls in a row failed, the last one: ${reply.message}`;
      throw new ModelUnavailable(message, model.name);
    }
    inRow = 0;
    const { kind, text } = reply;
    const { promptTokens, replyTokens } = kind === "answer"
      ? reply
      : { promptTokens: 0, replyTokens: 0 };
    return {
      ...{ model: model.name, promptSha256: templates[phenomenon].sha256, phenomenon },
      ...{ sentenceId: sentence.id, kind, text, promptTokens, replyTokens },
      settings: { ...model.settings },
      asked: proposalAddress(templates, question, model.settings),
    };
  };
  const { concurrency } = model;
  const wanted = new Set([...work.missing.values()].slice(0, limit));
  const part = work.within((question) => wanted.has(question));
  await askMissing({ work: part, table, ask, concurrency, signal, onProgress });
}

/** Inputs and outputs of a run. */
export interface ProposalOptions {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  readonly panel: Panel;
  readonly connection: HostedConnection;
  readonly tables?: typeof DATASET;
  readonly further?: typeof FURTHER;
  readonly reverse?: typeof REVERSE;
  readonly paths: Readonly<
    Record<"generation" | "proposals" | "proposalsLock" | "answersLock", string>
  >;
  readonly print: (line: string) => void;
  readonly status?: StatusOptions;
}

/**
 * Asks for proposals if the source requires them, then writes the data set.
 * The data set stays unchanged and the run is incomplete if questions are unanswered that this run
 * should have asked, or if questions are unanswered and no proposal is confirmed. If all are
 * answered and none is confirmed, the source `both` uses the rules' pairs alone.
 *
 * @throws {Error} if a model must be asked and cannot be (no key, not in the panel), or if all are
 * answered, none is confirmed and the source excludes the rules.
 */
export async function runGeneration(
  { source: requested, limit = requested ? undefined : 0, estimateOnly = false, signal }: {
    /** Source; by default the recorded one, and no model is asked. */
    readonly source?: Source | undefined;
    /** Maximum number of calls; 0 selects from recorded answers. */
    readonly limit?: number | undefined;
    readonly estimateOnly?: boolean | undefined;
    readonly signal?: AbortSignal;
  },
  world: ProposalOptions,
): Promise<"complete" | "incomplete"> {
  const { sentences, templates, panel, print, paths } = world;
  if (!requested) print("No model is asked: --source both or llm asks one");
  const source = requested ?? readGenerationSettings(paths.generation).source;
  print(`source: ${source}`);
  if (source === "rules") {
    if (!estimateOnly) return choose(source, 0, world);
    print("The rules ask no model: there is nothing to estimate");
    return "complete";
  }
  const entry = hostedEntries(panel.models).find(({ id }) => id === PROPOSER);
  if (!entry) {
    throw new Error(`Cannot ask for proposals: panel ${panel.name} has no ${PROPOSER}. Add it.`);
  }
  const asking = { questions: planQuestions(sentences), templates, path: paths.proposals };
  const model = { name: PROPOSER, settings: settingsOfEntry(entry, world) };
  const open = [...proposalWork(asking, model).work.missing.values()];
  let left = open.length;
  const prompts = open.map((question) => formatPrompt(templates, question));
  const estimate = estimateCost(entry, panel.generation!, prompts);
  print(costTable([{ entry, estimate }]));
  if (estimateOnly) return "complete";
  if (limit !== 0 && open.length > 0) {
    const failures: string[] = [];
    const onFailure = (message: string) => void failures.push(message);
    const ended = await askProposer(entry, asking, { limit, signal, onFailure }, world);
    left = proposalWork(asking, model).work.missing.size;
    print(`${PROPOSER}: ${open.length - left} questions answered now, ${left} are left`);
    if (ended) print(ended.message);
    else if (failures.length > 0) {
      print(`${failures.length} calls failed, the last: ${failures.at(-1)}`);
    }
    if (left > 0) {
      print(
        "Everything answered is kept: run the same command again to ask the others, or with " +
          "--limit 0 to choose from what there is",
      );
    }
    const isLimited = limit !== undefined && !ended && !signal?.aborted;
    if (left > 0 && !isLimited) return "incomplete";
  }
  return choose(source, left, world);
}

/** Asks the proposing model; returns the reason if it stopped early. */
async function askProposer(
  entry: HostedEntry,
  asking: Asking,
  options: AskOptions,
  { panel, connection, paths, status }: ProposalOptions,
): Promise<ModelUnavailable | undefined> {
  using _held = lockAnswers(paths.proposalsLock);
  using line = openStatusLine(status);
  const onWait = (wait: WaitStatus) => line.show(formatWait(wait));
  using hosts = openHosted([entry], panel.generation, { onWait, ...connection });
  const [opened] = hosts.models;
  if (opened?.kind !== "open" || !opened.chat) {
    const why = opened?.kind === "closed" ? opened.message : "its panel entry has no role chat";
    throw new Error(
      `Cannot ask ${PROPOSER}: ${why}. Without a key: --source rules takes the rules alone, ` +
        "--limit 0 the answers on record.",
    );
  }
  try {
    const onProgress = ({ done, total }: AskingState) => line.show(`${done} of ${total} answers`);
    await askForProposals(asking, opened.chat, { ...options, onProgress });
  } catch (error) {
    if (error instanceof ModelUnavailable) return error;
    throw error;
  }
}

/**
 * Selects and writes the data set of a source.
 * While questions are unanswered it refuses a selection without proposals: those would be the
 * rules' pairs under the model's name.
 */
function choose(source: Source, left: number, world: ProposalOptions): "complete" | "incomplete" {
  const { sentences, templates, paths, print } = world;
  const { tables = DATASET, further = FURTHER, reverse = REVERSE } = world;
  const records = readProposals(paths.proposals);
  const settings = settingsOf(source, records.length);
  const onRecord = tables.pairs.readSoFar().rows;
  const furtherOnRecord = further.pairs.readSoFar().rows;
  const input = { sentences, templates, records, settings, onRecord, furtherOnRecord };
  const { dataset, verdicts } = generate(input);
  if (source !== "rules" && !verdicts.some(({ kind }) => kind === "confirmed")) {
    if (left > 0) {
      print(
        `The data set stays as it is: of ${records.length} answers on record none is confirmed. ` +
          "Run the same command again to ask for more, or with --source rules to take the rules alone",
      );
      return "incomplete";
    }
    if (source === "llm") {
      throw new Error(
        `Cannot choose pairs: all is asked, and none of ${records.length} answers is confirmed. ` +
          "Use --source both or rules.",
      );
    }
    print(`All asked, none of ${records.length} answers confirmed: the rules fill in`);
  }
  using _held = lockAnswers(paths.answersLock);
  replaceNorseDataset(dataset, tables);
  replaceNorseDataset({ items: dataset.further }, further);
  const used = dataset.items.map(({ pair }) => pair);
  const other = makeReverseSet(sentences, settings.seed, used, reverse.pairs.readSoFar().rows);
  replaceNorseDataset(other, reverse);
  writeJsonAtomic(paths.generation, settings);
  const { items } = dataset;
  const proposed = items.filter(({ certificate }) => certificate.proposedBy === PROPOSER).length;
  print(`${items.length} pairs, ${proposed} of them proposed by ${PROPOSER}`);
  print(`${dataset.further.length} further pairs beyond them`);
  print(`${other.items.length} pairs of the reverse set, by rules`);
  print(
    "Answers hold for pairs that stay as they were. Now run: deno task notebooks 12 13 14 15 (13 " +
      "asks the local models about the others), and with a key deno task evaluate --panel groq",
  );
  return "complete";
}
