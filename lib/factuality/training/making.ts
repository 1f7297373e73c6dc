import type { ClaimSplitter } from "../claims/claim.ts";
import type { CountryMaterial } from "./country_material.ts";
import type { Split } from "./country_split.ts";
import type { NamePool } from "./name_edits.ts";

/** What the cases of one country are made with. */
export interface Making {
  readonly split: Split;
  readonly material: CountryMaterial;
  /** Another country of the same split. */
  readonly kin: CountryMaterial;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly pool: NamePool;
  readonly splitter: ClaimSplitter;
}
