/** BBQ (Parrish et al. 2022): how likely models find each of three answers. */
import { join } from "node:path";
import { askMissing } from "../../files/ask_missing.ts";
import { sha256Hex, sha256OfFile, shownPath } from "../../files/atomic.ts";
import { openAsking } from "../../files/progress.ts";
import { number, table, text } from "../../files/table.ts";
import { LOCAL_SAMPLING_NAMES, openLocalSampling } from "../../models/llama/local_models.ts";
import type { SamplingModel } from "../../models/model.ts";
import { randomSource } from "../../stats/random.ts";
import * as bbq from "../bias/bbq.ts";
import { BBQ_RESULTS, type BbqResult } from "../bias/tables.ts";
import { openPart, readConfiguration } from "../evaluate/open.ts";
import { openDraws } from "../evaluate/open_component.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { type ExperimentRun, shortSha256 } from "./panel.ts";

const CONTEXT_TOKENS = 1024;
/** Items of each category, kind of context and polarity, drawn by lot: 144 of a file of all kinds. */
const PER_CELL = 6;

/** Answers item by item stay in the cache: the benchmark is no part of the project. */
const ANSWERS = table({
  path: join(FACTUALITY_PATHS.cache, "robustness", "bbq_answers.csv"),
  about: "answers to BBQ",
  maker: "deno task study robustness --bbq FILE",
  columns: {
    model: text("of this process"),
    item: text("as in the file"),
    item_sha256: text("of prompt and answers: another file may use the same ids"),
    first: number("log P of the first answer, in nats"),
    second: number("of the second"),
    third: number("of the third"),
    settings_sha256: text("of the model's settings, 16 digits"),
  },
  key: ["model", "item", "item_sha256"],
});

/**
 * The study's models, or with a configuration of somebody's own its models, else its judges, answer BBQ.
 * Only aggregates are written; they are of whole runs. @returns whether all is answered.
 * @throws {RangeError} for a model on a server: it does not tell how likely it finds a given text.
 */
export async function runBbq(path: string, run: ExperimentRun): Promise<boolean> {
  const file = bbq.readBbq(path);
  const items = bbq.drawBbq(file.items, PER_CELL, randomSource("robustness/bbq"));
  console.log(`${told(file)}\n${items.length} are asked, as many of each kind.`);
  const results: BbqResult[] = [];
  for (const { model, open } of askedModels(run)) {
    const answers = await askModel(model, open, items, run);
    if (answers === undefined) return false;
    for (const readout of bbq.BBQ_READOUTS) {
      const chosen = answers.map(({ item, likelihoods }) => ({
        item,
        answer: bbq.chosenAnswer(item, likelihoods, readout),
      }));
      results.push(...bbq.bbqResults({ model, readout, answers: chosen }, sha256OfFile(path)));
    }
  }
  const place = run.place(BBQ_RESULTS.path);
  BBQ_RESULTS.at(place).write(results);
  console.log(`Wrote ${shownPath(place)}.`);
  return true;
}

function told({ items, leftOut: [out, ...others], damaged: [bad, ...more] }: bbq.BbqFile): string {
  return [
    `${items.length} items of BBQ.`,
    ...out ? [`${1 + others.length} left out, the first ${out.id}: ${out.reason}.`] : [],
    ...bad
      ? [`${1 + more.length} lines are no row of BBQ, the first line ${bad.line}: ${bad.reason}.`]
      : [],
  ].join("\n");
}

type BbqModel = Pick<SamplingModel, "settings" | "continuations">;
type OpenBbqModel = () => Promise<BbqModel & AsyncDisposable>;

/** Who is asked, one after the other in memory. */
function askedModels(
  { configuration, threads, tell }: ExperimentRun,
): readonly { readonly model: string; readonly open: OpenBbqModel }[] {
  const options = { cacheDirectory: FACTUALITY_PATHS.cache, threads };
  if (configuration === FACTUALITY_PATHS.configuration) {
    const contextTokens = CONTEXT_TOKENS;
    return LOCAL_SAMPLING_NAMES.map((model) => {
      const onProgress = ({ stage }: { readonly stage: string }) => tell(`${model}: ${stage}`);
      return {
        model,
        open: () => openLocalSampling(model, { ...options, contextTokens, onProgress }),
      };
    });
  }
  const { models, judges } = readConfiguration(configuration);
  if (models.length + judges.length === 0) {
    throw new RangeError(`Cannot ask BBQ: ${shownPath(configuration)} names no model.`);
  }
  return (models.length > 0 ? models : judges).map((entry) => ({
    model: entry.id,
    open: () =>
      openPart<BbqModel>(configuration, options, async (opening) => {
        const drawn = { temperature: 0, maxReplyTokens: 1 };
        const { settings, continuations } = await openDraws(entry, drawn, opening);
        if (continuations !== undefined) return { settings, continuations };
        const why = "BBQ is read by how likely a model finds each answer, which no server tells";
        throw new RangeError(`Cannot ask ${entry.id}: ${why}; name a GGUF file under models.`);
      }),
  }));
}

/** Each item's likelihoods by one model, asked where they are not kept; undefined after a stop. */
async function askModel(
  name: string,
  open: OpenBbqModel,
  items: readonly bbq.BbqItem[],
  { signal }: ExperimentRun,
) {
  await using model = await open();
  const { threads: _threads, ...settings } = model.settings;
  const settings_sha256 = shortSha256(settings);
  const known = (item: bbq.BbqItem) => {
    const item_sha256 = sha256Hex(JSON.stringify([bbq.bbqPrompt(item), item.answers])).slice(0, 16);
    return { model: name, item: item.id, item_sha256 };
  };
  const keyOf = (item: bbq.BbqItem) => JSON.stringify(Object.values(known(item)));
  using answers = ANSWERS.open();
  using progress = openAsking(name);
  const { missing } = await askMissing({
    questions: items,
    keyOf,
    table: answers,
    isCurrent: (row) => row.settings_sha256 === settings_sha256,
    async ask(item, signal) {
      const [first, second, third] = await bbq.answerLikelihoods(model, item, signal);
      return { ...known(item), first, second, third, settings_sha256 };
    },
    signal,
    onProgress: progress.show,
  });
  if (missing > 0) return undefined;
  return items.map((item) => {
    const { first, second, third } = answers.rows.get(keyOf(item))!;
    return { item, likelihoods: [first, second, third] as const };
  });
}
