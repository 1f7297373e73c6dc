import type { OpenComponents } from "../../lib/factuality/configuration/open_components.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  type RepeatedText,
  repeatedTexts,
  repeatScores,
  unrepeated,
} from "../../lib/factuality/robustness/repetition_ask.ts";
import {
  openRepetitionRows,
  parseRepetitionRow,
  REPETITION_COLUMNS,
  type RepetitionRow,
  type RepetitionTable,
} from "../../lib/factuality/robustness/repetition_rows.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { studyLadders } from "./orders.ts";
import { openPanel } from "./open_panel.ts";
import { panelSettings, shortSettingsSha256 } from "./panel_settings.ts";
import type { PartRun, RobustnessPart } from "./part.ts";
import { setRowsAside, staleBy } from "./stale_rows.ts";
import { openWriter, WRITING_TIMEOUT } from "./writer.ts";

const TEXTS = 6;
const SEEDS = [1, 2, 3];
/** Of the writing judge: at 0 it would write the same each time. */
const TEMPERATURE = 0.7;

/** The rows that one evaluation of one text gave. */
const evaluationOf = ({ country, errors, repetition }: RepetitionRow) =>
  JSON.stringify([country, errors, repetition]);

function currentTable(path: string, opened: OpenComponents) {
  const settings = { ...panelSettings(opened), temperature: TEMPERATURE };
  const sha256 = shortSettingsSha256(settings);
  const form = { columns: REPETITION_COLUMNS, parse: parseRepetitionRow };
  setRowsAside(path, form, staleBy(evaluationOf, (row) => row.settings_sha256 === sha256));
  return { table: openRepetitionRows(path), settingsSha256: sha256 };
}

interface Round {
  readonly texts: readonly RepeatedText[];
  readonly opened: OpenComponents;
  readonly table: RepetitionTable;
  readonly settingsSha256: string;
  readonly repetition: number;
}

/** All texts once, the writing judge with this repetition's seed. */
async function repeat(
  { texts, opened, repetition, ...kept }: Round,
  { threads, signal }: PartRun,
): Promise<boolean> {
  const left = unrepeated(texts, repetition, kept.table.rows).length;
  if (left === 0) return true;
  await using model = await openWriter({ seed: repetition, temperature: TEMPERATURE, threads });
  const writer = generatingJudge(model, opened.prompts, {
    ...{ weight: 1, measured: undefined, modelSha256: undefined, timeoutSeconds: WRITING_TIMEOUT },
  });
  using progress = openProgress(`repetition ${repetition}`, texts.length, {
    resumed: texts.length - left,
  });
  const onAnswer = () => progress.advance();
  return await repeatScores(texts, {
    ...{ panel: opened, writer, repetition, ...kept, signal, onAnswer },
  });
}

/** The same texts evaluated over and over: the variance of what is said of them. */
export const REPETITIONS: RobustnessPart = {
  name: "repetitions",
  async run(run) {
    const { configuration, place, threads, tell } = run;
    const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
    await using opened = await openPanel({ configuration, threads, tell });
    const kept = currentTable(place(FACTUALITY_PATHS.repeatedScores), opened);
    using _table = kept.table;
    for (const repetition of SEEDS) {
      if (!await repeat({ texts, opened, repetition, ...kept }, run)) return false;
    }
    return true;
  },
};
