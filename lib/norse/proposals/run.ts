import { openStatusLine, type StatusOptions } from "../../files/status_line.ts";
import { formatWait } from "../../models/hosted/key_ring_report.ts";
import type { ChatModel } from "../../models/model.ts";
import type { Panel } from "../../models/panel.ts";
import { accessTo, hostedEntries, type HostedEntry } from "../../pairs/panels/hosted_access.ts";
import { lockAnswers } from "../../pairs/panels/lock.ts";
import { type HostedConnection, openHosted } from "../../pairs/panels/open_hosted.ts";
import type { Sentence } from "../sentence.ts";
import { askForProposals, type AskReport } from "./ask.ts";
import type { Source } from "./gather.ts";
import { generate } from "./generate.ts";
import type { PromptTemplates } from "./prompts.ts";
import { readProposals } from "./record.ts";
import { replaceDataset } from "./replace.ts";
import type { ReplacePaths } from "./set_aside.ts";
import {
  describeAsking,
  describeEstimate,
  describeNoneConfirmed,
  describeReplacement,
} from "./run_report.ts";
import { PROPOSER, readGenerationSettings, settingsOf } from "./settings.ts";
import { confirmationOf, estimateWork, planWork, type ProposalWork } from "./work.ts";

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
  readonly paths:
    & ReplacePaths
    & Readonly<Record<"proposals" | "proposalsLock" | "answersLock", string>>;
  readonly print: (line: string) => void;
  readonly status?: StatusOptions;
}

/**
 * `incomplete`: the data set is as it was, for questions are left that the run was to ask, or no
 * proposal is confirmed.
 */
export type Outcome = "complete" | "incomplete";

/**
 * Asks for proposals where the source wants them, then chooses the data set and writes it.
 * @throws {Error} where a model is to be asked and cannot be: no key, or not in the panel.
 */
export async function runGeneration(options: RunOptions, world: RunWorld): Promise<Outcome> {
  const { print, paths } = world;
  const entry = proposerOf(world.panel);
  const source = options.source ?? sourceUnasked(entry, world);
  print(`source: ${source}`);
  if (source === "rules") {
    if (!options.estimateOnly) return choose(source, world);
    print("The rules ask no model: there is nothing to estimate");
    return "complete";
  }
  const work = planWork(world.sentences, world.templates);
  const { records } = readProposals(paths.proposals);
  const estimate = estimateWork(work, records, entry, generationOf(world.panel));
  for (const line of describeEstimate(entry.id, estimate)) print(line);
  if (options.estimateOnly) return "complete";
  if (options.limit !== 0 && estimate.calls > 0) {
    const report = await ask(entry, work, options, world);
    for (const line of describeAsking(entry.id, report)) print(line);
    const reachedLimit = report.ended === undefined && options.signal?.aborted !== true &&
      options.limit !== undefined;
    if (report.remaining > 0 && !reachedLimit) return "incomplete";
  }
  return choose(source, world);
}

/** The model that requirement 2.3 names, as the panel reaches it. */
function proposerOf({ models, name }: Panel): HostedEntry {
  const entry = hostedEntries(models).find(({ id }) => id === PROPOSER);
  if (entry) return entry;
  throw new Error(`Cannot ask for proposals: panel ${name} has no ${PROPOSER}. Add it there.`);
}

function generationOf({ generation, name }: Panel): NonNullable<Panel["generation"]> {
  if (generation) return generation;
  throw new TypeError(`Cannot ask for proposals: panel ${name} has no generation settings.`);
}

/** Nobody said where from: proposals first where there is a key, else what is on record. */
function sourceUnasked(entry: HostedEntry, { connection, paths, print }: RunWorld): Source {
  const access = accessTo(entry, connection.env);
  if (access.kind === "open") return "both";
  print(`No model is asked: ${access.message}`);
  return readGenerationSettings(paths.generation).source;
}

async function ask(
  entry: HostedEntry,
  work: ProposalWork,
  { limit, signal }: RunOptions,
  { panel, connection, paths, status }: RunWorld,
): Promise<AskReport> {
  using _held = lockAnswers(paths.proposalsLock);
  using line = openStatusLine(status);
  using hosts = openHosted([entry], panel.generation, {
    onWait: (wait) => line.show(formatWait(wait)),
    ...connection,
    purpose: "proposals",
  });
  const model = chatOf(hosts.models[0]);
  const progress = confirmationOf(work, () => line.show(progress.describe()));
  const report = await askForProposals({
    ...{ model, progress, path: paths.proposals, plan: work.plan, templates: work.templates },
    ...(limit === undefined ? {} : { limit }),
    ...(signal ? { signal } : {}),
  });
  line.finish(progress.describe());
  return report;
}

function chatOf(opened: ReturnType<typeof openHosted>["models"][number] | undefined): ChatModel {
  if (opened?.kind === "open" && opened.chat) return opened.chat;
  const why = opened?.kind === "closed" ? opened.message : "its panel entry has no role chat";
  throw new Error(
    `Cannot ask ${PROPOSER}: ${why}. Without a key: --source rules takes the rules alone, ` +
      "--limit 0 the answers on record.",
  );
}

/** Writes the data set of a source. One that rests on no proposal would be the rules' under a false name. */
function choose(source: Source, { sentences, templates, paths, print }: RunWorld): Outcome {
  const { records } = readProposals(paths.proposals);
  const settings = settingsOf(source, records.length);
  const { dataset, verdicts } = generate({ sentences, templates, records, settings });
  if (source !== "rules" && !verdicts.some(({ kind }) => kind === "confirmed")) {
    print(describeNoneConfirmed(records.length));
    return "incomplete";
  }
  using _held = lockAnswers(paths.answersLock);
  const replacement = replaceDataset(dataset, settings, paths);
  for (const line of describeReplacement(dataset, replacement)) print(line);
  return "complete";
}
