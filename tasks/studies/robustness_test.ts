import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { SWAPS } from "../../lib/studies/factuality/robustness/tables.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { placeOf } from "./robustness.ts";

Deno.test("a configuration of one's own leaves the study's tables alone", () =>
  inFolder((folder) => {
    const config = join(folder, "mine.yaml");
    const { path } = SWAPS;
    const cached = placeOf({ config })(path);
    assert.match(cached, /\.cache.robustness.mine\.yaml-[0-9a-f]{8}.swap_scores\.csv$/);
    Deno.removeSync(dirname(cached));
    assert.equal(placeOf({ config, out: folder })(path), join(folder, "swap_scores.csv"));
    assert.equal(placeOf({ config: FACTUALITY_PATHS.configuration })(path), path);
  }));
