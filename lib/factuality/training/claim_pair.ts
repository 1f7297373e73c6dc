import { type RandomSource, randomSource } from "../../stats/random.ts";
import { chance } from "./random_choice.ts";
import { reword, rounded } from "./rewordings.ts";
import type { Contrast } from "./statement.ts";
import { chooseStyle, dressed } from "./styles.ts";

/** Both versions reworded and dressed alike; unchanged where rewording made them the same. */
export function claimPair({ versions }: Contrast, random: RandomSource): [string, string] {
  const style = chooseStyle(versions[0], random);
  const seed = random.integer(0x100000000);
  const told = (change: (claim: string, random: RandomSource) => string) =>
    versions.map((version) => {
      const own = randomSource(seed);
      return dressed(change(version.claim, own), style, version, randomSource(seed + 1));
    }) as [string, string];
  const plain = told((claim) => claim);
  const changed = told(reword);
  const [a, b] = versions.map(({ claim }) => rounded(claim));
  if (a !== undefined && b !== undefined && farApart(a, b) && chance(random, 0.25)) {
    return told((claim) => rounded(claim)!);
  }
  return changed[0] === changed[1] ? plain : changed;
}

/** Rounding must not make a true statement of a false one. */
function farApart(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => Number(/\d[\d,]*/u.exec(text)![0].replaceAll(",", "")));
  return Math.abs(x! - y!) > 0.05 * Math.max(x!, y!);
}
