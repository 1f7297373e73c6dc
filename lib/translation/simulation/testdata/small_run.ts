import { keyHash } from "../../hashes.ts";
import type { SealedKey } from "../../preparation/key.ts";
import { DEFAULT_RUN_CONFIG } from "../../run_config.ts";
import { newWorkbook } from "../../workbook/new_workbook.ts";

/** Three translations of each sentence. */
export const config = { ...DEFAULT_RUN_CONFIG, numTranslations: 3 };
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
const SYSTEMS = ["alder", "birch", "cedar"];
/** Two items, the same system behind t1 in both. */
export const key: SealedKey = {
  ...{ runId: RUN_ID, secret: "ab".repeat(16), assignment: "per_run", systems: SYSTEMS },
  items: [1, 2].map((itemId) => ({
    ...{ itemId, segment: `s${itemId}`, document: "d", systems: SYSTEMS },
    role: { kind: "rated" },
  })),
};
/** The workbook of these two items, as nobody has opened it. */
export const blank = newWorkbook(
  [1, 2].map((itemId) => ({ itemId, source: `Hello ${itemId}.`, translations: ["a", "b", "c"] })),
  { runId: RUN_ID, config, keySha256: keyHash(key) },
);
