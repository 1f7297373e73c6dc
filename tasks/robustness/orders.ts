import { readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { pairwiseJudge } from "../../lib/factuality/pairwise/pairwise_judge.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import {
  askComparing,
  askScoring,
  uncompared,
  unscoredLadders,
} from "../../lib/factuality/robustness/orders_ask.ts";
import {
  type OrderedPair,
  orderedPairs,
  type TextLadder,
  textLadders,
} from "../../lib/factuality/robustness/orders_ladder.ts";
import {
  openOrderRows,
  ORDER_COLUMNS,
  orderKey,
  type OrderRow,
  parseOrderRow,
} from "../../lib/factuality/robustness/orders_rows.ts";
import { MEAN_PROBABILITY } from "../../lib/factuality/robustness/panel/panel_scores.ts";
import { sha256Hex } from "../../lib/files/checksum.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { openPanel } from "./open_panel.ts";
import { panelSettings, shortSettingsSha256 } from "./panel_settings.ts";
import type { PartRun, RobustnessPart } from "./part.ts";
import { setRowsAside, staleBy } from "./stale_rows.ts";
import { openWriter, WRITING_TIMEOUT } from "./writer.ts";

/** One draw for whoever scores and whoever compares. */
const SEED = "robustness/orders";
const SCORED_LADDERS = 12;
/** A comparison takes seconds: the true text against each other one, and some ladders whole. */
const COMPARED_LADDERS = 10;
const WHOLE_LADDERS = 4;
/** Seeds of the repetitions, at a temperature at which another seed can say something else. */
const REPETITIONS = [1, 2];
const REPEATED_ERRORS = 2;
const REPETITION_TEMPERATURE = 0.7;
const COMPARING = "SmolLM2-135M-Instruct (writes which is better)";

/** The ladders of the study, for task and notebook. */
export async function studyLadders(): Promise<readonly TextLadder[]> {
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  return textLadders(fields, { count: SCORED_LADDERS, seed: SEED });
}

/** Rows about other texts are stale, too. */
export function textsSha256(ladders: readonly TextLadder[]): string {
  return sha256Hex(JSON.stringify(ladders)).slice(0, 16);
}

/** The rows that are asked together: a comparison by itself, the scores of a whole ladder. */
const askedTogether = (row: OrderRow) =>
  row.component === COMPARING ? orderKey(row) : `scores of ${row.country}`;

function freshTable(path: string, isOwn: (row: OrderRow) => boolean, sha256: string) {
  const form = { columns: ORDER_COLUMNS, parse: parseOrderRow };
  const isCurrent = (row: OrderRow) => !isOwn(row) || row.settings_sha256 === sha256;
  setRowsAside(path, form, staleBy(askedTogether, isCurrent));
  return openOrderRows(path);
}

async function score(ladders: readonly TextLadder[], run: PartRun): Promise<boolean> {
  const { configuration, place, threads, signal, tell } = run;
  const path = place(FACTUALITY_PATHS.pairwiseOrders);
  await using opened = await openPanel({ configuration, threads, tell });
  const settings = { ...panelSettings(opened), texts: textsSha256(ladders) };
  const sha256 = shortSettingsSha256(settings);
  using table = freshTable(path, ({ component }) => component !== COMPARING, sha256);
  const left = unscoredLadders(ladders, MEAN_PROBABILITY, table.rows);
  using progress = openProgress("texts scored", ladders.length, {
    resumed: ladders.length - left.length,
  });
  const asking = { table, settingsSha256: sha256, signal, onAnswer: () => progress.advance() };
  for (const ladder of left) if (!await askScoring(ladder, opened, asking)) return false;
  return true;
}

interface Comparing {
  readonly pairs: readonly OrderedPair[];
  /** The seed; 0 is the run without chance. */
  readonly seed: number;
  readonly temperature: number;
  /** Of all ladders. */
  readonly texts: string;
}

async function compare(
  { pairs, seed, temperature, texts }: Comparing,
  run: PartRun,
): Promise<boolean> {
  const { place, threads, signal } = run;
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  await using model = await openWriter({ seed, temperature, threads });
  const judge = pairwiseJudge(model, prompts, { timeoutSeconds: WRITING_TIMEOUT });
  const { seed: _seed, temperature: _temperature, ...settings } = judge.settings;
  const sha256 = shortSettingsSha256({ ...settings, texts });
  const path = place(FACTUALITY_PATHS.pairwiseOrders);
  using table = freshTable(path, ({ component }) => component === COMPARING, sha256);
  const asked = { judge, component: COMPARING, run: seed, temperature };
  const left = uncompared(pairs, asked, table.rows).length;
  const resumed = pairs.length - left;
  using progress = openProgress(`comparisons, run ${seed}`, pairs.length, { resumed });
  const onAnswer = () => progress.advance();
  return await askComparing(pairs, asked, { table, settingsSha256: sha256, signal, onAnswer });
}

/** Pairwise symmetry: both orders, repeated, and rankings against the truth. */
export const ORDERS: RobustnessPart = {
  name: "orders",
  async run(run) {
    const ladders = await studyLadders();
    if (!await score(ladders, run)) return false;
    const texts = textsSha256(ladders);
    const compared = ladders.slice(0, COMPARED_LADDERS).flatMap(orderedPairs);
    const withTruth = compared.filter(({ a }) => a.errors === 0);
    if (!await compare({ pairs: withTruth, seed: 0, temperature: 0, texts }, run)) return false;
    const repeated = withTruth.filter(({ b }) => b.errors === REPEATED_ERRORS);
    for (const seed of REPETITIONS) {
      const temperature = REPETITION_TEMPERATURE;
      if (!await compare({ pairs: repeated, seed, temperature, texts }, run)) return false;
    }
    const whole = ladders.slice(0, WHOLE_LADDERS).flatMap(orderedPairs);
    return await compare({ pairs: whole, seed: 0, temperature: 0, texts }, run);
  },
};
