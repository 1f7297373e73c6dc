import type { RandomSource } from "../../stats/random.ts";
import type { RatedItem, RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { openSession, reduce } from "../session/reduce.ts";
import type { Action, Session } from "../session/session.ts";
import { simulatedClock } from "./clock.ts";
import { normalDeviate } from "./normal_deviate.ts";
import { judge, type Place } from "./perception.ts";
import type { Persona } from "./persona.ts";
import type { QualityOf } from "./quality.ts";

/** What a simulated session needs besides the workbook. */
export interface SimulationOptions {
  readonly config: RunConfig;
  readonly persona: Persona;
  readonly qualityOf: QualityOf;
  readonly random: RandomSource;
  /** ISO 8601: when the session begins. */
  readonly start: string;
}

/** Does an action after so many seconds, and says how things stand then. */
type Act = (action: Action, seconds: number) => Session;

/** Chance of a break before an item, and its length: longer than any gap that counts as work. */
const BREAK = { chance: 0.08, seconds: 240 } as const;
/** Spread of the logarithm of the seconds between two translations. */
const SPREAD_OF_SECONDS = 0.35;
/** More attempts than any item needs; a rater who never gets on is a fault of the rules. */
const MOST_ATTEMPTS = 200;

/**
 * A workbook rated from the first item to the last by a simulated rater, who sees what the page
 * shows and does what a rater can do: every rating goes through the page's own session, and where
 * Next is refused, the repair that it proposes is made.
 *
 * Throws Error if the rater cannot get past an item, or cannot finish.
 */
export function simulateRater(
  workbook: RatingWorkbook,
  options: SimulationOptions,
): RatingWorkbook {
  const clock = simulatedClock(options.start);
  let session = openSession(workbook, options.config, clock.now());
  const act: Act = (action, seconds) => {
    clock.advance(seconds);
    return session = reduce(session, action, clock.now());
  };
  workbook.items.forEach((item, index) => {
    const rests = options.random.next() < BREAK.chance;
    if (session.current !== index || rests) {
      act({ kind: "jump", index }, rests ? BREAK.seconds : 1);
    }
    rateItem(item, { ordinal: index, items: workbook.items.length }, options, act);
  });
  const { finished, notice, workbook: rated } = act({ kind: "finish" }, 2);
  if (finished) return rated;
  throw new Error(
    `Cannot simulate ${options.persona.name}: finish says ${JSON.stringify(notice)}.`,
  );
}

function rateItem(
  { input, evaluation: { displayMap } }: RatedItem,
  place: Place,
  { config, persona, qualityOf, random }: SimulationOptions,
  act: Act,
): void {
  const seen = { displayMap, quality: qualityOf(input) };
  const judgements = judge(persona, seen, place, config, random);
  const median = persona.secondsPerTranslation * persona.pace ** place.ordinal;
  for (const translation of displayMap) {
    const { bucket, da } = judgements[translation]!;
    const seconds = median * Math.exp(SPREAD_OF_SECONDS * normalDeviate(random));
    act({ kind: "bucket", translation, bucket }, seconds * 0.7);
    act({ kind: "score", translation, da }, seconds * 0.3);
  }
  goOn(input.itemId, persona, act);
}

/** Next, with the proposed repairs, until it is taken. */
function goOn(itemId: number, { name, secondsPerTranslation }: Persona, act: Act): void {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const { notice } = act({ kind: "next" }, 1);
    if (notice?.kind !== "item-invalid") return;
    const fault = notice.violations.find((violation) => violation.kind === "ordering");
    if (fault === undefined) break;
    for (const change of fault.repair) act(change, secondsPerTranslation / 2);
  }
  throw new Error(`Cannot simulate ${name}: item ${itemId} stays invalid.`);
}
