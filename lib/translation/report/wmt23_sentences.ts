import type { Wmt23, Wmt23Agreement } from "./wmt23.ts";
import { shownNumber } from "./shown.ts";

/** What the WMT23 tables say, in words that follow from their numbers. */
export function wmt23Sentences({ systems, agreements }: Wmt23): string {
  const firsts = [...Map.groupBy(systems, ({ measure }) => measure)].map(([measure, own]) =>
    `${
      own.filter(({ rank }) => rank === 1).map(({ system }) => system).join(" and ")
    } by ${measure}`
  );
  const ordered = agreements.toSorted((a, b) => b.tauB - a.tauB);
  const [closest, farthest] = [ordered[0]!, ordered.at(-1)!];
  const rounds = agreements.find(({ first, second }) => first === "ESA-1" && second === "ESA-2");
  return [
    `First is ${firsts.join(", ")}.`,
    `The two closest rankings are ${withInterval(closest)}, the two farthest apart ` +
    `${withInterval(farthest)}.`,
    ...rounds === undefined ? [] : [roundsSentence(rounds, agreements)],
  ].join(" ");
}

function withInterval({ first, second, tauB, low, high }: Wmt23Agreement): string {
  return `those of ${first} and ${second} (τ-b ${shownNumber(tauB, 2)}, 95 % interval ` +
    `${shownNumber(low, 2)} to ${shownNumber(high, 2)})`;
}

/** The two rounds of one measure are the yardstick for different measures. */
function roundsSentence(rounds: Wmt23Agreement, agreements: readonly Wmt23Agreement[]): string {
  const others = agreements.filter((pair) => pair !== rounds);
  const asClose = others.filter(({ tauB }) => tauB >= rounds.tauB).length;
  const within = others.filter(({ low, high }) => low <= rounds.tauB && rounds.tauB <= high).length;
  return `The same measure asked twice, ESA-1 and ESA-2, gives τ-b ${
    shownNumber(rounds.tauB, 2)
  }: ${asClose} of the ${others.length} pairs of different measures agree at least as well, and the ` +
    `intervals of ${within} hold that value. So different measures cannot be blamed for more ` +
    "disagreement than another round of one measure brings, except where an interval lies below it.";
}
