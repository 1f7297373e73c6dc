import { join } from "node:path";
import { apiKey } from "../../../lib/models/hosted/api_keys.ts";
import { groqModel } from "../../../lib/models/hosted/groq_model.ts";
import { openKeyedCalls } from "../../../lib/models/hosted/keyed_calls.ts";
import {
  type StandInOptions,
  type StandInServer,
  startStandInServer,
} from "../../../lib/models/hosted/stand_in_server.ts";
import { batchEntries } from "../../../lib/pairs/batches/panel_batches.ts";
import { evaluateForcedChoice } from "../../../lib/pairs/evaluation.ts";
import { inFolder } from "../../../lib/pairs/testdata/folder.ts";
import { studyIn } from "../../../lib/pairs/testdata/study.ts";
import { answerTo, FILES, PAIRS, PANEL } from "./study.ts";

/** A stand-in that answers a question the same whether it comes by itself or in a batch. */
export function openHost(options: StandInOptions = {}): StandInServer {
  return startStandInServer({ answer: answerTo, ...options });
}

/** The study's tables and settings as text. */
export function contents(folder: string): readonly string[] {
  return FILES.map((name) => Deno.readTextFileSync(join(folder, name)));
}

/** The same when the models are asked one by one, through the same SDK. */
export async function askedOneByOne(): Promise<readonly string[]> {
  await using host = openHost();
  using calls = openKeyedCalls([apiKey("GROQ_API_KEY_1", "gsk_test_one")]);
  let tables: readonly string[] = [];
  await inFolder(async (at, folder) => {
    await evaluateForcedChoice({
      pairs: PAIRS,
      models: batchEntries(PANEL).map((entry) =>
        groqModel(entry, PANEL.generation!, { calls, baseUrl: host.baseUrl })
      ),
      template: studyIn(folder).question,
      resultsPath: at("results.csv"),
      invalidLogPath: at("invalid.csv"),
      settingsPath: at("settings.json"),
    });
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
