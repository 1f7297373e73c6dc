import { heatmap } from "../../../figures/heatmap.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Measure } from "../../../figures/measure.ts";
import type { Figure } from "../../../figures/render.ts";
import { cohenKappa } from "../../../stats/agreement.ts";
import { agreementBand } from "../../../stats/agreement_band.ts";
import { fleissKappa } from "../../../stats/fleiss_kappa.ts";
import { randomSource } from "../../../stats/random.ts";
import { measureRatings } from "../../profile/measure_ratings.ts";
import { metricWords } from "../../profile/page/metric_words.ts";
import type { ClaimRating } from "../../profile/profile_input.ts";
import { RATING_LABELS } from "../../profile/profile_of_evaluations.ts";
import { ratedClaims } from "../../profile/rated_claims.ts";

/** The ratings of every system's claims together; claims of different systems are different ones. */
export function ratingsOfSystems(
  systems: readonly string[],
  ratingsOf: (system: string) => readonly ClaimRating[],
): readonly ClaimRating[] {
  return systems.flatMap((system) =>
    ratingsOf(system).map((rating) => ({ ...rating, claimId: `${system} ${rating.claimId}` }))
  );
}

/** Cohen's κ of every two raters. */
export interface AgreementOfPairs {
  readonly raters: readonly string[];
  /** `cells[row][column]`; a rater with itself is left out. */
  readonly cells: readonly (readonly Measure[])[];
  /** Claims that both rated, likewise. */
  readonly claims: readonly (readonly number[])[];
}

/** Every rater against every other, on the claims that both rated. */
export function agreementOfPairs(ratings: readonly ClaimRating[]): AgreementOfPairs {
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const claims = ratedClaims(ratings).map(({ votes }) =>
    new Map(votes.map(({ rater, label }) => [rater, label]))
  );
  const shared = raters.map((one) =>
    raters.map((other) => claims.filter((votes) => votes.has(one) && votes.has(other)))
  );
  const cells = raters.map((one, row) =>
    raters.map((other, column): Measure => {
      if (row === column) return { kind: "unavailable", reason: "the same rater" };
      const both = shared[row]![column]!;
      const labels = (rater: string) => both.map((votes) => votes.get(rater)!);
      const found = cohenKappa(labels(one), labels(other));
      return found.kind === "unavailable" ? found : { kind: "value", estimate: found.kappa };
    })
  );
  return { raters, cells, claims: shared.map((row) => row.map(({ length }) => length)) };
}

/** Columns are named by letters: the names of raters are too long for them. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The same as a figure. Throws RangeError without raters. */
export function pairsFigure({ raters, cells }: AgreementOfPairs): Figure {
  return heatmap({
    title: "Do raters agree about claims?",
    subtitle: "Cohen's κ of every two: 1 full agreement, 0 as by chance",
    alt: `Cohen's kappa of every two of ${raters.join(", ")}.`,
    rows: raters.map((rater, i) => `${LETTERS[i]} ${rater}`),
    columns: raters.map((_, i) => LETTERS[i]!),
    cells,
    scale: { domain: [-1, 1], centre: 0 },
    format: "decimal",
    scaleLabel: "Cohen's κ",
  });
}

/** κ of Fleiss with Po, Pe and its band, α and AC1 of several groups of raters, with intervals. */
export function agreementTable(
  groups: Readonly<Record<string, readonly ClaimRating[]>>,
  seed: number,
): string {
  return markdownTable(
    ["raters", "Fleiss' κ", "Po", "Pe", "band", "Krippendorff's α", "Gwet's AC1"],
    Object.entries(groups).map(([name, ratings]) => {
      const found = measureRatings(
        ratings,
        RATING_LABELS,
        (metric) => randomSource(`${seed} ${name} ${metric}`),
      );
      const { observed, expected, band } = fleissParts(ratings);
      return [
        ...[name, metricWords(found.fleissKappa), observed, expected, band],
        ...[metricWords(found.krippendorffAlpha), metricWords(found.gwetAc1)],
      ];
    }),
  );
}

/** Po and Pe over the claims that every rater rated, as κ is. */
function fleissParts(ratings: readonly ClaimRating[]) {
  const raters = new Set(ratings.map(({ rater }) => rater)).size;
  const items = ratedClaims(ratings).filter(({ votes }) => votes.length === raters).map((
    claim,
  ) => ({
    id: JSON.stringify([claim.query, claim.claimId]),
    labels: claim.votes.map(({ label }) => label),
  }));
  if (raters < 2 || items.length === 0) return { observed: "–", expected: "–", band: "–" };
  const found = fleissKappa<string>(items, RATING_LABELS);
  return {
    observed: found.observed?.toFixed(2) ?? "–",
    expected: found.expected?.toFixed(2) ?? "–",
    band: found.kind === "fleiss" ? agreementBand(found.kappa) : "–",
  };
}
