/** A model is asked for proposals: which questions, until when, and a whole run of generation. */
import { askMissing } from "../files/ask_missing.ts";
import { writeJsonAtomic } from "../files/json.ts";
import { openStatusLine, type StatusOptions } from "../files/progress.ts";
import { estimateRun } from "../models/hosted/estimate.ts";
import { formatWait, type WaitStatus } from "../models/hosted/key_ring.ts";
import { meanTokens, readUsage } from "../models/hosted/usage.ts";
import { type ChatModel, ModelUnavailable } from "../models/model.ts";
import { hostedEntries, type HostedEntry, type Panel } from "../models/panel.ts";
import { accessTo, limitsOf, openHosted } from "../pairs/hosted.ts";
import { type HostedConnection, lockAnswers } from "../pairs/study.ts";
import { estimateTable } from "../pairs/tables.ts";
import { randomSource } from "../stats/random.ts";
import { wordsOf } from "./candidate.ts";
import {
  findCandidates,
  LONGEST_SENTENCE,
  type NorsePair,
  openRuleBook,
  quotas,
  supply,
} from "./candidates.ts";
import {
  DATASET,
  PAIR_SEED,
  PROPOSER,
  readGenerationSettings,
  type Sentence,
  settingsOf,
  type Source,
} from "./dataset.ts";
import {
  formatPrompt,
  generate,
  openProposals,
  type PromptTemplates,
  proposalKey,
  type ProposalRecord,
  type Question,
  readProposals,
  verifyProposal,
} from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";

/** Oblique pronouns, and endings that mark a dative. */
const OBLIQUE =
  /^(?:mér|þér|honum|henni|oss|okkr|ykkr|yðr|þeim|því|þessu|mik|þik|hann|hana|fám)$|(?:um|inni|unni|inu|konungi|manni)$/u;

/**
 * What of a sentence's words a phenomenon needs. Deliberately not by the rules' tables: a model may
 * find what these do not know.
 */
const MAY_SHOW: Readonly<Record<Phenomenon, (words: readonly string[]) => boolean>> = {
  QUIRKY_CASE: (words) => words.some((word) => OBLIQUE.test(word)),
  // A noun with its adjective beside a verb.
  ADJECTIVE: (words) => words.length >= 4,
  UMLAUT: (words) => words.some((word) => word.includes("ǫ")),
  MIDDLE_VOICE: (words) => words.some((word) => /\p{L}{2}[sz]k$/u.test(word)),
};

/**
 * Questions about sentences that are short enough and can show the phenomenon, the phenomena in turn.
 * The order is drawn, so that a run which ends early has asked a fair sample of the saga.
 */
export function planQuestions(sentences: readonly Sentence[], seed: number): readonly Question[] {
  const shuffled = PHENOMENA.map((phenomenon) =>
    randomSource(`${seed} ${phenomenon}`).shuffle(sentences.filter(({ normalised }) => {
      const words = wordsOf(normalised.toLowerCase());
      return words.length <= LONGEST_SENTENCE && MAY_SHOW[phenomenon](words);
    })).map((sentence): Question => ({ phenomenon, sentence }))
  );
  return sentences.flatMap((_, turn) => shuffled.flatMap((questions) => questions[turn] ?? []));
}

/**
 * The work over these sentences: what is on record, what is open to be asked, and what of the answers
 * is confirmed. As the rules confirm what counts, what they find bounds it.
 */
export function openWork({ sentences, templates, path, model = PROPOSER, wanted }: {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  /** `proposals.jsonl` */
  readonly path: string;
  readonly model?: string;
  readonly wanted?: Readonly<Record<Phenomenon, number>>;
}) {
  const rules = openRuleBook(sentences);
  const enough = wanted ?? quotas(findCandidates(sentences, rules).certified);
  const byId = new Map(sentences.map((sentence) => [sentence.id, sentence]));
  const plan = planQuestions(sentences, PAIR_SEED);
  const { rows, put } = openProposals(path);
  const confirmed: NorsePair[] = [];
  /** Counts the pair that an answer gives if the rules confirm it. */
  const count = (record: ProposalRecord) => {
    const sentence = byId.get(record.sentenceId);
    const verdict = sentence && verifyProposal(record, sentence, rules);
    if (verdict?.kind === "confirmed") confirmed.push(verdict.certified);
  };
  const own = [...rows.values()].filter((record) =>
    record.model === model && record.promptSha256 === templates[record.phenomenon].sha256
  );
  own.forEach(count);
  const keyOf = ({ phenomenon, sentence: { id: sentenceId } }: Question) =>
    proposalKey({ model, promptSha256: templates[phenomenon].sha256, phenomenon, sentenceId });
  /** Whether a phenomenon has as many pairs as a data set takes, of one lemma no more than it takes. */
  const isEnough = (phenomenon: Phenomenon) => supply(confirmed, phenomenon) >= enough[phenomenon];
  return {
    templates,
    rows,
    keyOf,
    isEnough,
    kept: own.length,
    put(record: ProposalRecord) {
      put(record);
      count(record);
    },
    /** The questions without an answer, of phenomena that lack pairs. */
    open() {
      const lacking = PHENOMENA.filter((phenomenon) => !isEnough(phenomenon));
      return plan.filter((question) =>
        lacking.includes(question.phenomenon) && !rows.has(keyOf(question))
      );
    },
    /** For a status line: `confirmed: 61 QUIRKY_CASE, …`. */
    describe() {
      const of = (name: Phenomenon) => confirmed.filter(({ pair }) => pair.phenomenon === name);
      return `confirmed: ${PHENOMENA.map((name) => `${of(name).length} ${name}`).join(", ")}`;
    },
  };
}

/** Failures one after the other from which on something else is wrong than a single call. */
const FAILURES_IN_A_ROW = 10;

/**
 * Asks one model about sentence after sentence, the phenomena in turn, as many at once as it takes,
 * until each phenomenon has enough or its sentences are used up. Every answer is in the file before
 * the next is asked for; resuming skips what is answered. An abort, a model that is not to be had
 * and ten failures in a row end the run with everything kept.
 * @throws what else is thrown, by the file that cannot be written, when all calls under way have ended.
 */
export async function askForProposals({ model, work, limit = Infinity, signal, onAnswer }: {
  readonly model: ChatModel;
  readonly work: ReturnType<typeof openWork>;
  /** Calls in this run. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: () => void;
}) {
  const { templates, rows, keyOf, kept } = work;
  const failed: string[] = [];
  let [calls, answered, inRow] = [0, 0, 0];
  const ask = async (question: Question, stop: AbortSignal) => {
    const { phenomenon, sentence } = question;
    if (calls >= limit || work.isEnough(phenomenon)) return undefined;
    calls += 1;
    const reply = await model.ask(formatPrompt(templates, question), { signal: stop });
    if (reply.kind === "failure") {
      if (stop.aborted) return undefined;
      failed.push(reply.message);
      inRow += 1;
      if (inRow < FAILURES_IN_A_ROW) return undefined;
      const message = `${inRow} calls in a row failed, the last one: ${reply.message}`;
      throw new ModelUnavailable(message, model.name);
    }
    inRow = 0;
    return {
      model: model.name,
      promptSha256: templates[phenomenon].sha256,
      phenomenon,
      sentenceId: sentence.id,
      kind: reply.kind,
      text: reply.text,
      promptTokens: reply.kind === "answer" ? reply.promptTokens : 0,
      replyTokens: reply.kind === "answer" ? reply.replyTokens : 0,
      settings: { ...model.settings },
    };
  };
  const put = (record: ProposalRecord) => {
    work.put(record);
    answered += 1;
    onAnswer?.();
  };
  const { concurrency } = model;
  let ended: ModelUnavailable | undefined;
  try {
    const asking = { questions: work.open(), keyOf, table: { rows, put }, ask };
    await askMissing({ ...asking, concurrency, signal });
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    ended = error;
  }
  return { answered, kept, failed, ended, remaining: work.open().length };
}

/** Where a run reads, writes and asks. */
export interface RunWorld {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  readonly panel: Panel;
  readonly connection: HostedConnection;
  readonly tables?: typeof DATASET;
  readonly paths: Readonly<
    Record<"generation" | "proposals" | "proposalsLock" | "answersLock", string>
  >;
  readonly print: (line: string) => void;
  readonly status?: StatusOptions;
}

/**
 * Asks for proposals where the source wants them, then chooses the data set and writes it. Incomplete:
 * the data set is as it was, for questions are left that the run was to ask, or no proposal is confirmed.
 * @throws {Error} where a model is to be asked and cannot be: no key, or not in the panel.
 */
export async function runGeneration(
  { source: told, limit, estimateOnly = false, signal }: {
    /** Unless told: `both` with keys, without what is on record. */
    readonly source?: Source | undefined;
    /** Calls in this run; 0 chooses from the answers on record. */
    readonly limit?: number | undefined;
    readonly estimateOnly?: boolean;
    readonly signal?: AbortSignal;
  },
  world: RunWorld,
): Promise<"complete" | "incomplete"> {
  const { sentences, templates, panel, connection, print, paths } = world;
  const entry = hostedEntries(panel.models).find(({ id }) => id === PROPOSER);
  if (!entry) {
    throw new Error(`Cannot ask for proposals: panel ${panel.name} has no ${PROPOSER}. Add it.`);
  }
  const access = accessTo(entry, connection.env);
  if (!told && access.kind === "closed") print(`No model is asked: ${access.message}`);
  const source = told ??
    (access.kind === "open" ? "both" : readGenerationSettings(paths.generation).source);
  print(`source: ${source}`);
  if (source === "rules") {
    if (!estimateOnly) return choose(source, world);
    print("The rules ask no model: there is nothing to estimate");
    return "complete";
  }
  using _held = estimateOnly || limit === 0 ? undefined : lockAnswers(paths.proposalsLock);
  const work = openWork({ sentences, templates, path: paths.proposals });
  const questions = work.open();
  // If every question had to be asked: fewer are, where a phenomenon has enough before.
  const prompts = questions.map((question) => formatPrompt(templates, question)).join("");
  const estimate = estimateRun(limitsOf(entry), panel.generation!, {
    calls: questions.length,
    promptBytes: new TextEncoder().encode(prompts).length,
    organisations: 1,
    measured: meanTokens(readUsage(connection.usage), entry.id, "proposals"),
  });
  print(estimateTable([{ entry, estimate }]));
  if (estimateOnly) return "complete";
  if (limit !== 0 && questions.length > 0) {
    const report = await askProposer(entry, work, limit, signal, world);
    const { answered, kept, failed, ended, remaining } = report;
    print(`${PROPOSER}: ${answered} questions answered now, ${kept} before`);
    if (failed.length > 0) print(`${failed.length} calls failed, the last: ${failed.at(-1)}`);
    if (ended) print(ended.message);
    if (remaining > 0) {
      print(
        `${remaining} questions may still be asked. Everything answered is kept: run \`deno task ` +
          "generate\` again, or with --limit 0 to choose from what there is",
      );
    }
    const isLimited = limit !== undefined && !ended && !signal?.aborted;
    if (remaining > 0 && !isLimited) return "incomplete";
  }
  return choose(source, world);
}

async function askProposer(
  entry: HostedEntry,
  work: ReturnType<typeof openWork>,
  limit: number | undefined,
  signal: AbortSignal | undefined,
  { panel, connection, status }: RunWorld,
) {
  using line = openStatusLine(status);
  const onWait = (wait: WaitStatus) => line.show(formatWait(wait));
  const reached = { onWait, ...connection, purpose: "proposals" as const };
  using hosts = openHosted([entry], panel.generation, reached);
  const [opened] = hosts.models;
  if (opened?.kind !== "open" || !opened.chat) {
    const why = opened?.kind === "closed" ? opened.message : "its panel entry has no role chat";
    throw new Error(
      `Cannot ask ${PROPOSER}: ${why}. Without a key: --source rules takes the rules alone, ` +
        "--limit 0 the answers on record.",
    );
  }
  const onAnswer = () => line.show(work.describe());
  const report = await askForProposals({ model: opened.chat, work, limit, signal, onAnswer });
  line.finish(work.describe());
  return report;
}

/** Writes the data set of a source. One that rests on no proposal would be the rules' under a false name. */
function choose(source: Source, world: RunWorld): "complete" | "incomplete" {
  const { sentences, templates, paths, print, tables = DATASET } = world;
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
  const { items, rejections } = dataset;
  tables.certificates.write(items.map(({ certificate }) => certificate));
  tables.rejections.write(rejections);
  tables.pairs.write(items.map(({ pair }) => pair));
  writeJsonAtomic(paths.generation, settings);
  const proposed = items.filter(({ certificate }) => certificate.proposedBy === PROPOSER).length;
  print(`${items.length} pairs, ${proposed} of them proposed by ${PROPOSER}`);
  print(
    "Answers hold for pairs that stay as they were. Now run: deno task notebooks 12 13 14 15 (13 " +
      "asks the local models about the others), and with a key deno task evaluate --panel groq",
  );
  return "complete";
}
