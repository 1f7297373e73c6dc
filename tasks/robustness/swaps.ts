import { existsSync } from "node:fs";
import { openComponents } from "../../lib/factuality/configuration/open_components.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  askSwaps,
  type SwapTask,
  swapTasks,
  unansweredSwaps,
} from "../../lib/factuality/robustness/swap_ask.ts";
import { swapFigures } from "../../lib/factuality/robustness/swap_figures.ts";
import { swapPortraits } from "../../lib/factuality/robustness/swap_portraits.ts";
import {
  openSwapRows,
  parseSwapRow,
  readSwapRows,
  SWAP_COLUMNS,
} from "../../lib/factuality/robustness/swap_rows.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { panelSettings, shortSettingsSha256 } from "./panel_settings.ts";
import type { RobustnessPart } from "./part.ts";
import { setRowsAside } from "./stale_rows.ts";

const SEED = "robustness/swaps";
/** Other values that each portrait is told of, of every trait that has so many. */
const PER_TRAIT = 2;

function studySwaps(): readonly SwapTask[] {
  return swapTasks(swapPortraits(SEED), { seed: SEED, perTrait: PER_TRAIT });
}

/** Scores of the same texts about other people, and of controls. */
export const SWAPS: RobustnessPart = {
  name: "swaps",
  async run({ configuration, place, threads, signal, tell }) {
    const path = place(FACTUALITY_PATHS.swapScores);
    await using opened = await openComponents(configuration, {
      ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads },
      onProgress: ({ component, words }) => tell(`${component}: ${words}`),
    });
    const sha256 = shortSettingsSha256(panelSettings(opened));
    const form = { columns: SWAP_COLUMNS, parse: parseSwapRow };
    setRowsAside(path, form, (row) => row.settings_sha256 !== sha256);
    using table = openSwapRows(path);
    const tasks = studySwaps();
    const resumed = tasks.length - unansweredSwaps(tasks, table.rows).length;
    using progress = openProgress("claims about people", tasks.length, { resumed });
    const onAnswer = () => progress.advance();
    return await askSwaps(tasks, opened, { table, settingsSha256: sha256, signal, onAnswer });
  },
  figures({ place }) {
    const path = place(FACTUALITY_PATHS.swapScores);
    return existsSync(path) ? swapFigures(readSwapRows(path)) : [];
  },
};
