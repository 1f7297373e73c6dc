/** A model is asked for proposals: which questions, until when, and a whole run of generation. */
import { askMissing } from "../files/ask_missing.ts";
import { writeJsonAtomic } from "../files/json.ts";
import { openStatusLine, type StatusOptions } from "../files/progress.ts";
import { estimateRun, type RunEstimate } from "../models/hosted/estimate.ts";
import { formatReturn, formatWait } from "../models/hosted/key_ring.ts";
import { meanPerAnswer } from "../models/hosted/usage.ts";
import { type ChatModel, ModelUnavailable } from "../models/model.ts";
import { hostedEntries, type HostedEntry, type Panel } from "../models/panel.ts";
import type { CertifiedPair } from "../pairs/certify.ts";
import { accessTo, limitsOf, openHosted } from "../pairs/hosted.ts";
import { type HostedConnection, lockAnswers } from "../pairs/study.ts";
import { randomSource } from "../stats/random.ts";
import {
  findCandidates,
  LONGEST_SENTENCE,
  openRuleBook,
  quotas,
  supply,
  TARGET_PAIRS,
} from "./candidates.ts";
import {
  currentRecords,
  DATASET,
  generate,
  PROPOSER,
  readGenerationSettings,
  replaceNorseDataset,
  settingsOf,
  type Source,
} from "./dataset.ts";
import { PAIR_SEED, type Sentence } from "./dataset_tables.ts";
import {
  formatPrompt,
  openProposals,
  type PromptTemplates,
  proposalKey,
  type ProposalRecord,
  type Question,
  readProposals,
  verifyAll,
} from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { wordsOf } from "./tokens.ts";

// What is asked

/** The sentences to ask about, by phenomenon, in the order of asking. */
type QuestionPlan = Readonly<Record<Phenomenon, readonly Sentence[]>>;

/** For each phenomenon the sentences that can show it, any beginning of them spread over the text. */
export function planQuestions(sentences: readonly Sentence[], seed: number): QuestionPlan {
  const entries = PHENOMENA.map((phenomenon) => {
    const eligible = sentences.filter((sentence) => mayShow(phenomenon, sentence));
    return [phenomenon, spreadOut(eligible, `${seed} ${phenomenon}`)] as const;
  });
  return Object.fromEntries(entries) as QuestionPlan;
}

/** Oblique pronouns, and endings that mark a dative. */
const OBLIQUE =
  /^(?:mér|þér|honum|henni|oss|okkr|ykkr|yðr|þeim|því|þessu|mik|þik|hann|hana|fám)$|(?:um|inni|unni|inu|konungi|manni)$/u;

/** Shorter sentences have no room for a noun with its adjective beside a verb. */
const SHORTEST_WITH_ADJECTIVE = 4;

/**
 * Whether a sentence is short enough and has on its surface what the phenomenon needs. Deliberately
 * not by the rules' tables: a model may find what these do not know.
 */
export function mayShow(phenomenon: Phenomenon, { normalised }: Sentence): boolean {
  const words = wordsOf(normalised.toLowerCase());
  if (words.length > LONGEST_SENTENCE) return false;
  switch (phenomenon) {
    case "QUIRKY_CASE":
      return words.some((word) => OBLIQUE.test(word));
    case "ADJECTIVE":
      return words.length >= SHORTEST_WITH_ADJECTIVE;
    case "UMLAUT":
      return words.some((word) => word.includes("ǫ"));
    case "MIDDLE_VOICE":
      return words.some((word) => /\p{L}{2}[sz]k$/u.test(word));
  }
}

/**
 * The items in an order of which every beginning covers the whole list evenly: the base-2 van der
 * Corput sequence (0, ½, ¼, ¾ …) over their positions, turned by a seeded number of places. So a run
 * that ends early has asked a fair sample.
 */
export function spreadOut<T>(items: readonly T[], seed: number | string): readonly T[] {
  if (items.length === 0) return [];
  const bits = Math.ceil(Math.log2(items.length));
  const turn = randomSource(seed).integer(items.length);
  const reversed = (n: number) =>
    Number.parseInt([...n.toString(2).padStart(bits, "0")].reverse().join(""), 2);
  return Array.from({ length: 2 ** bits }, (_, n) => bits === 0 ? 0 : reversed(n))
    .filter((position) => position < items.length)
    .map((position) => items[(position + turn) % items.length]!);
}

/** What a proposing model is to be asked, and what of it is confirmed so far. */
interface ProposalWork {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  readonly plan: QuestionPlan;
  /** Counts an answer, and the pair that it gives if the rules confirm it. */
  record(record: ProposalRecord): void;
  /** Whether a phenomenon has as many pairs as a data set takes, of one lemma no more than it takes. */
  isEnough(phenomenon: Phenomenon): boolean;
  /** For a status line: `812 answers, confirmed: 61 QUIRKY_CASE …`. */
  describe(): string;
}

/** The work over these sentences. As the rules confirm what counts, what they find bounds it. */
export function planWork(
  sentences: readonly Sentence[],
  templates: PromptTemplates,
  given?: Readonly<Record<Phenomenon, number>>,
): ProposalWork {
  const rules = openRuleBook(sentences);
  const wanted = given ?? quotas(findCandidates(sentences, rules).certified, TARGET_PAIRS);
  const confirmed: CertifiedPair<Phenomenon>[] = [];
  let answers = 0;
  return {
    sentences,
    templates,
    plan: planQuestions(sentences, PAIR_SEED),
    record(record) {
      answers += 1;
      for (const verdict of verifyAll([record], sentences, rules)) {
        if (verdict.kind === "confirmed") confirmed.push(verdict.certified);
      }
    },
    isEnough: (phenomenon) => supply(confirmed, phenomenon) >= wanted[phenomenon],
    describe() {
      const counts = PHENOMENA.map((phenomenon) =>
        `${confirmed.filter(({ pair }) => pair.phenomenon === phenomenon).length} ${phenomenon}`
      );
      return `${answers} answers, confirmed: ${counts.join(", ")}`;
    },
  };
}

/** The key of the answer to a question, and the questions of phenomena that lack pairs, in turn. */
function openQuestions(
  { plan, templates, isEnough }: ProposalWork,
  model: string,
  isAnswered: (key: string) => boolean,
) {
  const keyOf = ({ phenomenon, sentence }: Question) => {
    const promptSha256 = templates[phenomenon].sha256;
    return proposalKey({ model, promptSha256, phenomenon, sentenceId: sentence.id });
  };
  const longest = Math.max(...PHENOMENA.map((phenomenon) => plan[phenomenon].length));
  const inTurn = Array.from(
    { length: longest },
    (_, n) =>
      PHENOMENA.flatMap((phenomenon): readonly Question[] => {
        const sentence = plan[phenomenon][n];
        return sentence ? [{ phenomenon, sentence }] : [];
      }),
  ).flat();
  const list = () =>
    inTurn.filter((question) => !isEnough(question.phenomenon) && !isAnswered(keyOf(question)));
  return { keyOf, list };
}

/** How asking ended. */
interface AskReport {
  /** Questions answered now, refusals among them; each is a line of the file. */
  readonly answered: number;
  /** Answers that stood there already. */
  readonly kept: number;
  /** Calls that gave no answer and left no line; the next run asks again. */
  readonly failed: readonly string[];
  /** Why the run ended before its questions did, where it did. */
  readonly ended?: { readonly message: string; readonly returns?: Date };
  /** Questions that are still wanted. */
  readonly remaining: number;
}

/** Questions asked before it is looked anew which phenomena have enough. */
const ROUND = 12;

/** Failures one after the other from which on something else is wrong than a single call. */
const FAILURES_IN_A_ROW = 10;

/**
 * Asks one model about sentence after sentence, the phenomena in turn, as many at once as it takes,
 * until each phenomenon has enough or its sentences are used up. Every answer is in the file before
 * the next is asked for; resuming skips what is answered. An abort, a model that is not to be had
 * and ten failures in a row end the run with everything kept.
 * @throws what else is thrown, by the file that cannot be written, when all calls under way have ended.
 */
export async function askForProposals({ model, work, path, limit = Infinity, signal, onAnswer }: {
  readonly model: ChatModel;
  readonly work: ProposalWork;
  /** `proposals.jsonl` */
  readonly path: string;
  /** Calls in this run. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly onAnswer?: () => void;
}): Promise<AskReport> {
  const table = openProposals(path);
  const failedKeys = new Set<string>();
  const isDone = (key: string) => table.rows.has(key) || failedKeys.has(key);
  const { keyOf, list } = openQuestions(work, model.name, isDone);
  const own = [...table.rows.values()].filter(({ model: asked, phenomenon, promptSha256 }) =>
    asked === model.name && promptSha256 === work.templates[phenomenon].sha256
  );
  for (const record of own) work.record(record);
  const failed: string[] = [];
  let [answered, inRow] = [0, 0];
  let ended: AskReport["ended"];
  const ask = async (question: Question, stop: AbortSignal) => {
    const reply = await model.ask(formatPrompt(work.templates, question), { signal: stop });
    if (reply.kind !== "failure") {
      inRow = 0;
      return recordOf(question, reply, model, work.templates);
    }
    if (stop.aborted) return undefined;
    failed.push(reply.message);
    failedKeys.add(keyOf(question));
    inRow += 1;
    if (inRow === FAILURES_IN_A_ROW) {
      throw new ModelUnavailable(
        `${inRow} calls in a row failed, the last one: ${reply.message}`,
        model.name,
      );
    }
    return undefined;
  };
  const put = (record: ProposalRecord) => {
    table.put(record);
    answered += 1;
    work.record(record);
    onAnswer?.();
  };
  while (ended === undefined && signal?.aborted !== true) {
    const left = limit - answered - failed.length;
    const questions = list().slice(0, Math.min(ROUND, left));
    if (questions.length === 0) break;
    try {
      await askMissing({
        questions,
        keyOf,
        table: { rows: table.rows, put },
        ask,
        concurrency: model.concurrency ?? 1,
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      const { message, returns } = error;
      ended = { message, ...(returns ? { returns } : {}) };
    }
  }
  failedKeys.clear();
  const report = { answered, kept: own.length, failed, remaining: list().length };
  return ended ? { ...report, ended } : report;
}

function recordOf(
  { phenomenon, sentence }: Question,
  reply: Exclude<Awaited<ReturnType<ChatModel["ask"]>>, { readonly kind: "failure" }>,
  model: ChatModel,
  templates: PromptTemplates,
): ProposalRecord {
  const isAnswer = reply.kind === "answer";
  return {
    model: model.name,
    promptSha256: templates[phenomenon].sha256,
    phenomenon,
    sentenceId: sentence.id,
    kind: reply.kind,
    text: reply.text,
    promptTokens: isAnswer ? reply.promptTokens : 0,
    replyTokens: isAnswer ? reply.replyTokens : 0,
    settings: { ...model.settings },
  };
}

/**
 * What asking the rest would take if every question had to be asked: fewer are, where a phenomenon
 * has enough before. Tokens are the mean of the answers on record, where there are some.
 */
function estimateWork(
  work: ProposalWork,
  records: readonly ProposalRecord[],
  entry: HostedEntry,
  generation: NonNullable<Panel["generation"]>,
): RunEstimate {
  const own = currentRecords(records, work.templates, work.sentences);
  for (const record of own) work.record(record);
  const answered = new Set(own.map(proposalKey));
  const questions = openQuestions(work, entry.id, (key) => answered.has(key)).list();
  const promptBytes = questions
    .map((question) => new TextEncoder().encode(formatPrompt(work.templates, question)).length)
    .reduce((sum, n) => sum + n, 0);
  const counted = own.filter(({ promptTokens }) => promptTokens > 0);
  const measured = meanPerAnswer(counted.map((record) => ({ ...record, answers: 1 })));
  const planned = { calls: questions.length, promptBytes, organisations: 1, measured };
  return estimateRun(limitsOf(entry), generation, planned);
}

// A whole run

/** What is asked for on the command line. */
export interface RunOptions {
  /** Unless told: `both` with keys, without what is on record. */
  readonly source?: Source;
  /** Calls in this run; 0 chooses from the answers on record. */
  readonly limit?: number;
  readonly estimateOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** Where a run reads, writes and asks. */
export interface RunWorld {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  readonly panel: Panel;
  readonly connection: HostedConnection;
  readonly tables?: typeof DATASET;
  readonly paths: {
    readonly generation: string;
    readonly proposals: string;
    readonly proposalsLock: string;
    readonly answersLock: string;
  };
  readonly print: (line: string) => void;
  readonly status?: StatusOptions;
}

/**
 * Asks for proposals where the source wants them, then chooses the data set and writes it. Incomplete:
 * the data set is as it was, for questions are left that the run was to ask, or no proposal is confirmed.
 * @throws {Error} where a model is to be asked and cannot be: no key, or not in the panel.
 */
export async function runGeneration(
  { source: asked, limit, estimateOnly = false, signal }: RunOptions,
  world: RunWorld,
): Promise<"complete" | "incomplete"> {
  const { panel: { models, name, generation }, print, paths } = world;
  const entry = hostedEntries(models).find(({ id }) => id === PROPOSER);
  if (!entry || !generation) {
    const what = entry ? "no generation settings" : `no ${PROPOSER}`;
    throw new Error(`Cannot ask for proposals: panel ${name} has ${what}. Add it there.`);
  }
  const source = asked ?? sourceUnasked(entry, world);
  print(`source: ${source}`);
  if (source === "rules") {
    if (!estimateOnly) return choose(source, world);
    print("The rules ask no model: there is nothing to estimate");
    return "complete";
  }
  const newWork = () => planWork(world.sentences, world.templates);
  const estimate = estimateWork(newWork(), readProposals(paths.proposals), entry, generation);
  print(describeEstimate(entry.id, estimate));
  if (estimateOnly) return "complete";
  if (limit !== 0 && estimate.calls > 0) {
    const report = await askProposer(entry, newWork(), { limit, signal }, world);
    for (const line of describeAsking(entry.id, report)) print(line);
    const reachedLimit = report.ended === undefined && signal?.aborted !== true &&
      limit !== undefined;
    if (report.remaining > 0 && !reachedLimit) return "incomplete";
  }
  return choose(source, world);
}

/** Nobody said where from: proposals first where there is a key, else what is on record. */
function sourceUnasked(entry: HostedEntry, { connection, paths, print }: RunWorld): Source {
  const access = accessTo(entry, connection.env);
  if (access.kind === "open") return "both";
  print(`No model is asked: ${access.message}`);
  return readGenerationSettings(paths.generation).source;
}

async function askProposer(
  entry: HostedEntry,
  work: ProposalWork,
  { limit, signal }: {
    readonly limit: number | undefined;
    readonly signal: AbortSignal | undefined;
  },
  { panel, connection, paths, status }: RunWorld,
): Promise<AskReport> {
  using _held = lockAnswers(paths.proposalsLock);
  using line = openStatusLine(status);
  using hosts = openHosted([entry], panel.generation, {
    onWait: (wait) => line.show(formatWait(wait)),
    ...connection,
    purpose: "proposals",
  });
  const [opened] = hosts.models;
  const model = opened?.kind === "open" ? opened.chat : undefined;
  if (!model) {
    const why = opened?.kind === "closed" ? opened.message : "its panel entry has no role chat";
    throw new Error(
      `Cannot ask ${PROPOSER}: ${why}. Without a key: --source rules takes the rules alone, ` +
        "--limit 0 the answers on record.",
    );
  }
  const report = await askForProposals({
    model,
    work,
    path: paths.proposals,
    onAnswer: () => line.show(work.describe()),
    ...(limit === undefined ? {} : { limit }),
    ...(signal ? { signal } : {}),
  });
  line.finish(work.describe());
  return report;
}

/** Writes the data set of a source. One that rests on no proposal would be the rules' under a false name. */
function choose(
  source: Source,
  { sentences, templates, paths, print, tables = DATASET }: RunWorld,
): "complete" | "incomplete" {
  const records = readProposals(paths.proposals);
  const settings = settingsOf(source, records.length);
  const { dataset, verdicts } = generate({ sentences, templates, records, settings });
  if (source !== "rules" && !verdicts.some(({ kind }) => kind === "confirmed")) {
    print(
      `The data set stays as it is: of ${records.length} answers on record none is confirmed. Run ` +
        "`deno task generate` again to ask for more, or with --source rules to take the rules alone",
    );
    return "incomplete";
  }
  using _held = lockAnswers(paths.answersLock);
  replaceNorseDataset(dataset, tables);
  writeJsonAtomic(paths.generation, settings);
  const { items } = dataset;
  const proposed = items.filter(({ certificate }) => certificate.proposedBy !== "rules").length;
  print(`${items.length} pairs, ${proposed} of them proposed by ${PROPOSER}`);
  print(
    "Answers hold for pairs that stay as they were. Now run: deno task notebooks 12 13 14 15 (13 " +
      "asks the local models about the others), and with a key deno task evaluate --panel groq",
  );
  return "complete";
}

/** What asking the rest would take at most. */
function describeEstimate(model: string, estimate: RunEstimate): string {
  const { calls, promptTokens, replyTokens, basis, time, tooLarge, dollars } = estimate;
  if (calls === 0) return `${model}: no question is left to ask`;
  const days = time && `${time.days === 1 ? "1 day" : `${time.days} days`} (about ` +
      `${Math.ceil(time.minutes)} minutes of asking; the limit that decides is ${time.bound})`;
  const parts = [
    `at most ${calls} calls`,
    `${promptTokens + replyTokens} tokens (${basis})`,
    days,
    tooLarge && `but no call fits: it may take ${tooLarge.tokensPerCall} tokens, and a minute ` +
      `allows ${tooLarge.tokensPerMinute}; lower maxReplyTokens`,
    dollars !== undefined && `$${dollars.toFixed(2)} on a paid plan`,
  ];
  return `${model}: ${parts.filter(Boolean).join(", ")}`;
}

/** What a run of asking did, and how it goes on. */
function describeAsking(model: string, report: AskReport): readonly string[] {
  const { answered, kept, failed, ended, remaining } = report;
  const lines = [`${model}: ${answered} questions answered now, ${kept} before`];
  if (failed.length > 0) lines.push(`${failed.length} calls failed, the last: ${failed.at(-1)}`);
  if (ended) lines.push(ended.message);
  if (ended?.returns) lines.push(`It returns ${formatReturn(ended.returns.getTime())}`);
  if (remaining > 0) {
    const choose = answered + kept > 0 ? ", or with --limit 0 to choose from what there is" : "";
    lines.push(
      `${remaining} questions may still be asked. Everything answered is kept: run ` +
        `\`deno task generate\` again${choose}`,
    );
  }
  return lines;
}
