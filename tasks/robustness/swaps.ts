import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  askSwaps,
  type IsJudged,
  swapKey,
  type SwapTask,
  swapTasks,
  unansweredSwaps,
} from "../../lib/factuality/robustness/swap_ask.ts";
import type { ScoringPanel } from "../../lib/factuality/robustness/panel/panel_scores.ts";
import {
  type SwapPortrait,
  swapPortraits,
} from "../../lib/factuality/robustness/swap_portraits.ts";
import {
  openSwapRows,
  parseSwapRow,
  SWAP_COLUMNS,
  type SwapRow,
} from "../../lib/factuality/robustness/swap_rows.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { openPanel } from "./open_panel.ts";
import { panelSettings, shortSettingsSha256 } from "./panel_settings.ts";
import type { RobustnessPart } from "./part.ts";
import { setRowsAside, staleBy } from "./stale_rows.ts";

const SEED = "robustness/swaps";
/** Other values that each portrait is told of, of every trait that has so many. */
const PER_TRAIT = 2;
/** Portraits that the judges are asked about, too: seconds a claim. */
const JUDGED_PORTRAITS = 24;

function studySwaps(portraits: readonly SwapPortrait[]): readonly SwapTask[] {
  return swapTasks(portraits, { seed: SEED, perTrait: PER_TRAIT });
}

interface Asking {
  readonly path: string;
  readonly panel: ScoringPanel;
  readonly isJudged: IsJudged;
  readonly settingsSha256: string;
  readonly signal: AbortSignal;
}

async function ask(
  tasks: readonly SwapTask[],
  { path, panel, isJudged, ...asking }: Asking,
): Promise<boolean> {
  using table = openSwapRows(path);
  const asked = tasks.filter(({ portrait }) => isJudged(portrait));
  const [who, total] = asked.length === 0 ? ["verifier", tasks.length] : ["judges", asked.length];
  const left = unansweredSwaps(tasks, table.rows, isJudged).length;
  using progress = openProgress(`claims about people, ${who}`, total, { resumed: total - left });
  const onAnswer = () => progress.advance();
  return await askSwaps(tasks, panel, { ...asking, isJudged, table, onAnswer });
}

/** Scores of the same texts about other people, and of controls. */
export const SWAPS: RobustnessPart = {
  name: "swaps",
  async run({ configuration, place, threads, signal, tell }) {
    const path = place(FACTUALITY_PATHS.swapScores);
    await using opened = await openPanel({ configuration, threads, tell });
    const sha256 = shortSettingsSha256(panelSettings(opened));
    const form = { columns: SWAP_COLUMNS, parse: parseSwapRow };
    setRowsAside(path, form, staleBy<SwapRow>(swapKey, (row) => row.settings_sha256 === sha256));
    const portraits = swapPortraits(SEED);
    const judged = new Set(portraits.slice(0, JUDGED_PORTRAITS).map(({ id }) => id));
    const asking = { path, panel: opened, settingsSha256: sha256, signal };
    // The verifier first: it is through with all portraits before the judges are with one.
    return await ask(studySwaps(portraits), { ...asking, isJudged: () => false }) &&
      await ask(studySwaps(portraits), { ...asking, isJudged: (id) => judged.has(id) });
  },
};
