import { shownNumber } from "./shown.ts";
import type { Wmt23, Wmt23Agreement, Wmt23System } from "./wmt23.ts";

/** What the WMT23 tables say, in words that follow from their numbers. */
export function wmt23Sentences({ systems, agreements }: Wmt23): string {
  const ordered = agreements.toSorted((a, b) => b.tauB - a.tauB);
  const rounds = agreements.find(({ first, second }) => first === "ESA-1" && second === "ESA-2");
  return [
    `First is ${firstPlaces(systems)}. ${widestRanks(systems)}`,
    `The best agreement of two rankings is ${withInterval(ordered[0]!)}, the poorest ` +
    `${withInterval(ordered.at(-1)!)}.`,
    ...rounds === undefined ? [] : [roundsSentence(rounds, agreements)],
    "Resampling segments adds noise to both rankings of a pair, so that the intervals reach further " +
    "below the estimates than above them.",
  ].join(" ");
}

function firstPlaces(systems: readonly Wmt23System[]): string {
  const firsts = systems.filter(({ rank }) => rank === 1);
  return [...Map.groupBy(firsts, ({ system }) => system)].map(([system, own]) =>
    `${system} by ${own.map(({ measure }) => measure).join(" and ")}`
  ).join(", ");
}

function widestRanks(systems: readonly Wmt23System[]): string {
  const ranges = [...Map.groupBy(systems, ({ system }) => system)].map(([system, own]) => {
    const ranks = own.map(({ rank }) => rank);
    return { system, low: Math.min(...ranks), high: Math.max(...ranks) };
  });
  const { system, low, high } = ranges.toSorted((a, b) => b.high - b.low - (a.high - a.low))[0]!;
  return `The measures differ most on ${system}, which is between rank ${low} and rank ${high}.`;
}

function withInterval({ first, second, tauB, low, high }: Wmt23Agreement): string {
  return `that of ${first} and ${second} (τ-b ${shownNumber(tauB, 2)}, 95 % interval ` +
    `${shownNumber(low, 2)} to ${shownNumber(high, 2)})`;
}

/** Two rounds of one measure are the yardstick for different measures. */
function roundsSentence(rounds: Wmt23Agreement, agreements: readonly Wmt23Agreement[]): string {
  const others = agreements.filter((pair) => pair !== rounds);
  const asGood = others.filter(({ tauB }) => tauB >= rounds.tauB - 1e-9).length;
  const apart = others.filter(({ high }) => high < rounds.tauB).length;
  return `Two rounds of the same measure, ESA-1 and ESA-2, agree with τ-b ` +
    `${shownNumber(rounds.tauB, 2)}. Of the ${others.length} pairs of different measures ` +
    `${asGood} agree at least as well, and the interval of ${apart === 0 ? "none" : apart} lies ` +
    "wholly below it." + (apart > 0 ? "" : ` With ${rounds.systems} systems and ` +
      `${rounds.segments} segments another measure cannot be told from another round.`);
}
