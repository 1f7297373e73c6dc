import { z } from "zod";
import {
  CURVE_HEADS,
  type CurveFit,
  type CurvePoint,
} from "../../lib/factuality/study/training/learning_curve.ts";
import { FEATURE_SETS } from "../../lib/factuality/verifiers/pair_vector.ts";
import { type CsvAppender, openCsvAppender } from "../../lib/files/csv_appender.ts";

const COLUMNS = [
  ...["run", "features", "head", "share", "seed", "countries", "claims", "tables"] as const,
];

const TABLES = z.array(z.object({ cluster: z.string(), counts: z.array(z.array(z.number())) }));

const ROW = z.object({
  /** Digest of the data and the settings: fits of another run are not this one's. */
  run: z.string(),
  features: z.enum(FEATURE_SETS),
  head: z.enum(Object.keys(CURVE_HEADS) as [keyof typeof CURVE_HEADS]),
  share: z.coerce.number(),
  seed: z.coerce.number().int(),
  countries: z.coerce.number().int(),
  claims: z.coerce.number().int(),
  tables: z.string().transform((json) =>
    z.object({ "three-way": TABLES, binary: TABLES }).parse(JSON.parse(json))
  ),
});

/** A fit and the run that it belongs to. */
type StoredFit = CurveFit & { readonly run: string };

/** Fits of the learning curve as they come: a run that was ended goes on where it was. */
export interface FitStore extends Disposable {
  find(point: CurvePoint): CurveFit | undefined;
  add(fit: CurveFit): void;
}

/** Opens the store in a file of the cache; only fits of this run are found in it. */
export function openFitStore(path: string, run: string): FitStore {
  const table: CsvAppender<(typeof COLUMNS)[number], StoredFit> = openCsvAppender(
    path,
    COLUMNS,
    (record) => ROW.parse(record),
  );
  const known: readonly StoredFit[] = table.rows.filter((row) => row.run === run);
  return {
    find: ({ features, head, share, seed }) =>
      known.find((one) =>
        one.features === features && one.head === head && one.share === share && one.seed === seed
      ),
    add: (fit) => table.append({ ...fit, run, tables: JSON.stringify(fit.tables) }),
    [Symbol.dispose]: () => table[Symbol.dispose](),
  };
}
