import { join } from "node:path";
import {
  type StandInOptions,
  type StandInServer,
  startStandInServer,
} from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { parsePanel } from "../../../lib/models/panel.ts";
import { inFolder } from "../../../lib/pairs/testdata/folder.ts";
import { madePairs } from "../../../lib/pairs/testdata/norse.ts";
import { studyIn } from "../../../lib/pairs/testdata/study.ts";
import { fnv1a64 } from "../../../lib/stats/random.ts";
import { type BatchTaskOptions, type BatchTaskWorld, runBatchTask } from "../batch.ts";
import { runEvaluation } from "../run.ts";

const PAIRS = madePairs(3);

/** Two of the four models, one with a name of its own at the host. */
const PANEL = parsePanel(
  `
name: groq
generation: { temperature: 0, maxReplyTokens: 64 }
models:
  - { id: openai/gpt-oss-20b, kind: groq, roles: [chat], reasoningEffort: low, licence: x }
  - { id: meta-llama/llama-3.3-70b-versatile, kind: groq, model: llama-3.3-70b-versatile, roles: [chat], licence: x }
`,
  "the test's panel",
);

const TEXTS = ["A", "B", "The answer is B.", "A or B", "", "I cannot say.", "Bæði\neru rétt"];

/** An answer that depends on nothing but model and prompt; some choose nothing. */
const answerTo: StandInOptions["answer"] = ({ model, prompt }) =>
  TEXTS[Number(fnv1a64(model + prompt) % BigInt(TEXTS.length))]!;

const FILES = ["results.csv", "invalid.csv", "asked.csv", "settings.json"] as const;

/** The study in a folder of its own, asked through a stand-in. */
export function worldIn(folder: string, baseUrl: string): BatchTaskWorld {
  Deno.writeTextFileSync(join(folder, ".env"), `GROQ_API_KEY_1=gsk_test_${"k".repeat(30)}\n`);
  const study = studyIn(folder);
  const calls = { backoffSeconds: 0.001, timeoutSeconds: 5, longestWaitSeconds: 1 };
  return {
    study: { ...study, connection: { ...study.connection, standIn: { baseUrl, calls } } },
    pairs: PAIRS,
    panel: PANEL,
    print: () => {},
    status: { write: () => {} },
    standIn: { baseUrl, calls, settleSeconds: 0.05 },
  };
}

export const OPTIONS: BatchTaskOptions = {
  orders: "both",
  mode: "all",
  window: "24h",
  pollSeconds: 0.01,
};

/** A stand-in that answers a question the same whether it comes by itself or in a batch. */
export function openHost(options: StandInOptions = {}): StandInServer {
  return startStandInServer({ answer: answerTo, ...options });
}

/** The study's tables and settings as text. */
export function contents(folder: string): readonly string[] {
  return FILES.map((name) => Deno.readTextFileSync(join(folder, name)));
}

/** The same when the models are asked one by one. */
export async function askedOneByOne(): Promise<readonly string[]> {
  await using host = openHost();
  let tables: readonly string[] = [];
  await inFolder(async (_, folder) => {
    const signal = new AbortController().signal;
    await runEvaluation({ orders: "both" }, { ...worldIn(folder, host.baseUrl), signal });
    tables = contents(folder);
  });
  return tables;
}

/** How often each question stands in the input of a batch. */
export function timesAsked({ store }: StandInServer): readonly number[] {
  const ids = store.batches.flatMap(({ inputFileId }) => {
    const text = store.files.find(({ id }) => id === inputFileId)?.text ?? "";
    return text.trimEnd().split("\n").map((line): string => JSON.parse(line).custom_id);
  });
  return [...Map.groupBy(ids, (id) => id).values()].map(({ length }) => length);
}

// Started by batch_kill_test.ts, which kills it: the task in a folder, against a stand-in's address.
if (import.meta.main) {
  const [folder = "", baseUrl = ""] = Deno.args;
  await runBatchTask(OPTIONS, worldIn(folder, baseUrl));
}
