import { shownNumber } from "./shown.ts";
import type { Wmt23, Wmt23Agreement, Wmt23System } from "./wmt23.ts";

/** What the WMT23 tables say, in words that follow from their numbers. */
export function wmt23Sentences(wmt23: Wmt23): string {
  const { systems, agreements } = wmt23;
  const ordered = agreements.toSorted((a, b) => b.tauB - a.tauB);
  const rounds = agreements.find(({ first, second }) => first === "ESA-1" && second === "ESA-2");
  return [
    apartSentence(wmt23),
    `First is ${firstPlaces(systems)}. ${widestRanks(systems)}`,
    `The best agreement of two rankings is ${withInterval(ordered[0]!)}, the poorest ` +
    `${withInterval(ordered.at(-1)!)}.`,
    ...rounds === undefined ? [] : [roundsSentence(rounds, agreements)],
    "Resampling adds noise to both rankings of a pair, so that the intervals reach further " +
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

/** Pairs of different measures, and how far their agreement is from that of two rounds of one. */
function otherPairs(agreements: readonly Wmt23Agreement[]) {
  return agreements.flatMap(({ first, second, difference }) =>
    difference === undefined ? [] : [{ name: `${first} and ${second}`, difference }]
  );
}

/** Which measures disagree more, or less, than two rounds of one measure do; on its own. */
export function otherMeasuresSentence({ agreements }: Pick<Wmt23, "agreements">): string {
  const apart = otherPairs(agreements).filter(leavesNoughtOut);
  return apart.length === 0
    ? "these data do not tell another measure from another round of the same one."
    : `rankings by ${apart.map(({ name }) => name).join(", by ")} do not agree as those of two ` +
      "rounds of one measure do.";
}

const leavesNoughtOut = ({ difference: { low, high } }: ReturnType<typeof otherPairs>[number]) =>
  low > 0 || high < 0;

/** Two rounds of one measure are the yardstick for different measures. */
function roundsSentence(rounds: Wmt23Agreement, agreements: readonly Wmt23Agreement[]): string {
  const others = otherPairs(agreements);
  const apart = others.filter(leavesNoughtOut);
  const estimates = others.map(({ difference }) => difference.estimate);
  const lowest = Math.min(...others.map(({ difference }) => difference.low));
  const highest = Math.max(...others.map(({ difference }) => difference.high));
  return `Two rounds of the same measure, ESA-1 and ESA-2, agree with τ-b ` +
    `${
      shownNumber(rounds.tauB, 2)
    }. The ${others.length} pairs of different measures differ from ` +
    `that by ${shownNumber(Math.min(...estimates), 2)} to ` +
    `${shownNumber(Math.max(...estimates), 2)}, with intervals on the same resamples that reach ` +
    `from ${shownNumber(lowest, 2)} to ${shownNumber(highest, 2)}: ${
      apart.length === 0
        ? "these data do not tell another measure from another round, and differences as large as " +
          "those ends remain possible."
        : `those of ${apart.map(({ name }) => name).join(", ")} leave nought out.`
    }`;
}

/** How many pairs are told apart: with Holm's adjustment few, without it more. */
function apartSentence({ systems, pairs }: Wmt23): string {
  const measures = [...Map.groupBy(pairs, ({ measure }) => measure)];
  const range = (counts: readonly number[]) => {
    const [low, high] = [Math.min(...counts), Math.max(...counts)];
    return low === high ? `${low}` : `${low} to ${high}`;
  };
  const adjusted = measures.map(([, own]) => own.filter(({ different }) => different).length);
  const plain = measures.map(([, own]) => own.filter(({ p }) => p <= 0.05).length);
  const clusters = Math.max(...systems.map(({ cluster }) => cluster));
  return `By each measure ${range(adjusted)} of ${
    measures[0]![1].length
  } pairs of systems are told ` +
    `apart after Holm's adjustment, ${
      range(plain)
    } without any, as is WMT's custom; the clusters ` +
    (clusters === 1
      ? "after adjustment are a single one by every measure: no line across a list has every system " +
        "above it better than every one below."
      : `after adjustment are at most ${clusters}.`);
}
