/** Measures the coverage of the intervals of stats/measure.ts on simulated data. */
import { type IntervalCoverageRow } from "../../lib/studies/factuality/generation/tables.ts";
import { normalQuantile } from "../../lib/stats/distributions.ts";
import { difference, type Measure, share } from "../../lib/stats/measure.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";

/** Number of data sets per row. The standard error of a coverage of 0.95 is then 0.005. */
export const SESSIONS = 2_000;

const CLUSTERS = [6, 12, 30, 100];
const TRUTHS = [0.02, 0.1, 0.5, 0.9];
/** Designs: items per cluster, and correlation within clusters. */
const DESIGNS = [[1, 0], [5, 0], [5, 0.1], [5, 0.3], [20, 0.1]] as const;

/** Difference between two paired shares. */
const LEAD = 0.1;

/** Computes the rows of `measure_coverage.csv`. Deterministic. */
export function coverageRows(sessions: number): readonly IntervalCoverageRow[] {
  const random = randomSource("coverage");
  return (["share", "difference"] as const).flatMap((quantity) =>
    DESIGNS.flatMap(([items, correlation]) =>
      CLUSTERS.flatMap((clusters) =>
        TRUTHS.filter((truth) => quantity === "share" || truth + LEAD <= 0.9).map((truth) => {
          const design = { quantity, clusters, items, correlation, truth };
          let [held, width] = [0, 0];
          for (let session = 0; session < sessions; session++) {
            const measure = measured(design, random);
            if (measure.kind !== "interval") throw new RangeError("Cannot simulate: no interval.");
            const wanted = quantity === "share" ? truth : LEAD;
            held += Number(measure.low <= wanted && wanted <= measure.high);
            width += measure.high - measure.low;
          }
          const effective = clusters * items / (1 + (items - 1) * correlation);
          return {
            ...design,
            effective: Number(effective.toFixed(1)),
            sessions,
            coverage: Number((held / sessions).toFixed(4)),
            width: Number((width / sessions).toFixed(4)),
          };
        })
      )
    )
  );
}

type Design = Pick<
  IntervalCoverageRow,
  "quantity" | "clusters" | "items" | "correlation" | "truth"
>;

function measured(
  { quantity, clusters, items, correlation, truth }: Design,
  random: RandomSource,
): Measure {
  const drawn = Array.from({ length: clusters }, (_, i) => {
    const p = correlation === 0
      ? truth
      : beta(random, truth * (1 / correlation - 1), (1 - truth) * (1 / correlation - 1));
    return { cluster: `${i}`, p };
  });
  const of = <Value>(value: (p: number) => Value) =>
    drawn.flatMap(({ cluster, p }) =>
      Array.from({ length: items }, () => ({ cluster, value: value(p) }))
    );
  if (quantity === "share") return share(of((p) => random.next() < p));
  // Of paired answers the first is right wherever the second is, and in a part of what is left.
  const further = LEAD / (1 - truth);
  return difference(of((p) => Number(random.next() >= p && random.next() < further)));
}

/** Draws from the beta distribution, using two gamma draws. */
function beta(random: RandomSource, a: number, b: number): number {
  const [x, y] = [gamma(random, a), gamma(random, b)];
  return x / (x + y);
}

/** Draws from the gamma distribution of scale 1 (Marsaglia & Tsang 2000, ACM TOMS 26, 363–372). */
function gamma(random: RandomSource, shape: number): number {
  const uniform = () => Math.max(random.next(), 2 ** -53);
  if (shape < 1) return gamma(random, shape + 1) * uniform() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normalQuantile(uniform());
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(uniform()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}
