import { join } from "node:path";
import { z } from "zod";
import { type BbqFile, type BbqItem, readBbq } from "../../lib/factuality/bias/bbq.ts";
import {
  type AnswerLikelihoods,
  answerLikelihoods,
  BBQ_READOUTS,
  bbqPrompt,
  chosenAnswer,
} from "../../lib/factuality/bias/bbq_answer.ts";
import { drawBbq } from "../../lib/factuality/bias/bbq_draw.ts";
import { bbqResults, bbqResultsCsv } from "../../lib/factuality/bias/bbq_results.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { sha256Hex, sha256OfFile } from "../../lib/files/checksum.ts";
import { openCsvAppender } from "../../lib/files/csv_appender.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import {
  LOCAL_SAMPLING_NAMES,
  type LocalSamplingName,
  openLocalSampling,
} from "../../lib/models/local_sampling.ts";
import type { SamplingModel } from "../../lib/models/sampling_model.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { shortSettingsSha256 } from "./panel_settings.ts";
import type { PartRun } from "./part.ts";
import { setRowsAside } from "./stale_rows.ts";

const CONTEXT_TOKENS = 1024;
/** Items of each category, kind of context and polarity, drawn by lot: 144 of a file of all kinds. */
const PER_CELL = 6;

const COLUMNS = [
  ...["model", "item", "item_sha256", "first", "second", "third", "settings_sha256"] as const,
];
const ROW = z.object({
  model: z.string(),
  item: z.string(),
  /** Of the prompt and the answers: another file may use the same ids. */
  item_sha256: z.string(),
  /** log P of the three answers, in nats. */
  first: z.coerce.number(),
  second: z.coerce.number(),
  third: z.coerce.number(),
  settings_sha256: z.string(),
});
type Row = Readonly<z.infer<typeof ROW>>;
const FORM = { columns: COLUMNS, parse: (record: unknown): Row => ROW.parse(record) };

function itemSha256(item: BbqItem): string {
  return sha256Hex(JSON.stringify([bbqPrompt(item), item.answers])).slice(0, 16);
}

const itemKey = (id: string, sha256: string) => `${id}\n${sha256}`;

/** Answers item by item stay in the cache: the benchmark is no part of the project. */
function answersPath(): string {
  const folder = join(FACTUALITY_PATHS.cache, "robustness");
  Deno.mkdirSync(folder, { recursive: true });
  return join(folder, "bbq_answers.csv");
}

type Likelihoods = Map<BbqItem, AnswerLikelihoods>;

/** What is kept of these items under these settings. */
function keptLikelihoods(items: readonly BbqItem[], rows: readonly Row[]): Likelihoods {
  const known = new Map(rows.map((row) => [itemKey(row.item, row.item_sha256), row]));
  return new Map(items.flatMap((item) => {
    const row = known.get(itemKey(item.id, itemSha256(item)));
    return row === undefined ? [] : [[item, [row.first, row.second, row.third]] as const];
  }));
}

/** Each item's likelihoods by one model, asked where they are not kept; fewer after a stop. */
async function askModel(
  name: LocalSamplingName,
  items: readonly BbqItem[],
  { threads, signal, tell }: PartRun,
): Promise<Likelihoods> {
  await using model = await openLocalSampling(name, {
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads, contextTokens: CONTEXT_TOKENS },
    onProgress: ({ stage }) => tell(`${name}: ${stage}`),
  });
  const { threads: _threads, ...settings } = model.settings;
  const settings_sha256 = shortSettingsSha256(settings);
  const path = answersPath();
  const isOwn = (row: Row) => row.model === name;
  const isStale = (row: Row) => isOwn(row) && row.settings_sha256 !== settings_sha256;
  setRowsAside(path, FORM, () => isStale);
  using table = openCsvAppender(path, COLUMNS, FORM.parse);
  const answers = keptLikelihoods(items, table.rows.filter(isOwn));
  using progress = openProgress(name, items.length, { resumed: answers.size });
  for (const item of items.filter((one) => !answers.has(one))) {
    const likelihoods = await orStopped(model, item, signal);
    if (likelihoods === undefined) break;
    const [first, second, third] = likelihoods;
    const ids = { model: name, item: item.id, item_sha256: itemSha256(item), settings_sha256 };
    table.append({ ...ids, first, second, third });
    answers.set(item, likelihoods);
    progress.advance();
  }
  return answers;
}

/** Undefined where the signal came first. */
async function orStopped(
  model: SamplingModel,
  item: BbqItem,
  signal: AbortSignal,
): Promise<AnswerLikelihoods | undefined> {
  if (signal.aborted) return undefined;
  try {
    return await answerLikelihoods(model, item, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function told({ items, leftOut, damaged }: BbqFile): string {
  const lines = [`${items.length} items of BBQ.`];
  if (leftOut.length > 0) {
    const [{ id, reason }] = leftOut as [BbqFile["leftOut"][number]];
    lines.push(`${leftOut.length} left out, the first ${id}: ${reason}.`);
  }
  if (damaged.length > 0) {
    const [{ line, reason }] = damaged as [BbqFile["damaged"][number]];
    lines.push(`${damaged.length} lines are no row of BBQ, the first line ${line}: ${reason}.`);
  }
  return lines.join("\n");
}

/**
 * The models of this process answer BBQ. Only aggregates are written; they are of whole runs.
 *
 * @returns whether all is answered.
 */
export async function runBbq(path: string, run: PartRun): Promise<boolean> {
  const file = readBbq(path);
  const items = drawBbq(file.items, PER_CELL, randomSource("robustness/bbq"));
  console.log(`${told(file)}\n${items.length} are asked, as many of each kind.`);
  const results = [];
  for (const model of LOCAL_SAMPLING_NAMES) {
    const likelihoods = await askModel(model, items, run);
    if (likelihoods.size < items.length) return false;
    for (const readout of BBQ_READOUTS) {
      const answers = [...likelihoods].map(([item, values]) => ({
        item,
        answer: chosenAnswer(item, values, readout),
      }));
      results.push(...bbqResults({ model, readout, answers }, sha256OfFile(path)));
    }
  }
  const place = run.place(FACTUALITY_PATHS.bbqResults);
  writeTextAtomic(place, bbqResultsCsv(results));
  console.log(`Wrote ${shownPath(place)}.`);
  return true;
}
