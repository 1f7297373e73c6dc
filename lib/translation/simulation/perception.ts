import { mean } from "simple-statistics";
import type { RandomSource } from "../../stats/random.ts";
import type { RunConfig } from "../run_config.ts";
import { normalDeviate } from "./normal_deviate.ts";
import type { Persona } from "./persona.ts";

/** Where in the session something is rated. */
export interface Place {
  /** Order in which the item is rated, 0 … items − 1. */
  readonly ordinal: number;
  readonly items: number;
}

/** A judgement as the rater first puts it down; strict ordering may still ask for a change. */
export interface Judgement {
  readonly bucket: string;
  readonly da: number;
}

/** A bucket is chosen at a first glance, the score with a closer look: so the two may disagree. */
const GLANCE = 1.5;

/**
 * What a rater makes of an item, by translation t1 … tN: true quality less harshness, with the
 * effects of position and fatigue and with noise, put into a bucket and on the scale.
 * @param displayMap position → translation.
 * @param quality true quality by translation, in points 0 … 100.
 */
export function judge(
  persona: Persona,
  { displayMap, quality }: {
    readonly displayMap: readonly number[];
    readonly quality: readonly number[];
  },
  { ordinal, items }: Place,
  config: RunConfig,
  random: RandomSource,
): readonly Judgement[] {
  const typical = mean([...quality]);
  const fatigue = persona.drift * (ordinal - (items - 1) / 2);
  const judged = displayMap.map((translation, position): [number, Judgement] => {
    const read = random.next() >= persona.inattention;
    const place = persona.positionEffect * (position - (displayMap.length - 1) / 2);
    const perceived = (read ? quality[translation]! : typical) - persona.harshness + fatigue +
      place + persona.noise * normalDeviate(random);
    return [translation, {
      bucket: bucketFor(perceived + GLANCE * normalDeviate(random), config),
      da: scoreFor(perceived, random.next() < persona.heaping, config),
    }];
  });
  return judged.sort(([a], [b]) => a - b).map(([, judgement]) => judgement);
}

/** Equal parts of the scale above its lowest third, which is all the worst bucket's. */
function bucketFor(quality: number, { buckets }: RunConfig): string {
  const step = (100 - 100 / 3) / (buckets.length - 1);
  const index = Math.floor((100 - quality) / step);
  return buckets[Math.max(0, Math.min(buckets.length - 1, index))]!.key;
}

function scoreFor(quality: number, rounded: boolean, { daMin, daMax }: RunConfig): number {
  const points = daMin + quality / 100 * (daMax - daMin);
  const score = rounded ? 5 * Math.round(points / 5) : Math.round(points);
  return Math.max(Math.ceil(daMin), Math.min(Math.floor(daMax), score));
}
