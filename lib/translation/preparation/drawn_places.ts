import type { RunConfig } from "../run_config.ts";
import { isUuid } from "../workbook/run_columns.ts";
import { faultLines } from "./faults.ts";
import { type Place, placeExtras } from "./place_extras.ts";
import type { PreparationOptions } from "./preparation_options.ts";
import { sampleSegments } from "./sample_segments.ts";
import { requireSecret } from "./secret_order.ts";
import { mostTypical, spoil, type Spoiled } from "./spoil.ts";
import type { Segment, SystemOutputs } from "./system_outputs.ts";

/** The segments drawn, and what stands at each place of the workbook. */
export interface DrawnPlaces {
  readonly segments: readonly Segment[];
  readonly places: readonly Place[];
}

/**
 * What is rated and where extra items stand.
 *
 * Throws RangeError that lists every fault of the options.
 */
export function drawnPlaces(outputs: SystemOutputs, options: PreparationOptions): DrawnPlaces {
  const faults: string[] = [];
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(error.message);
    }
  };
  attempt(() => requireRunId(options.runId));
  attempt(() => requireSecret(options.secret));
  attempt(() => requireSystems(outputs, options.config));
  // Where the sample is at fault, all segments: what has no place among them has none among fewer.
  const segments = attempt(() => sampleSegments(outputs.segments, options)) ?? outputs.segments;
  const repeats = attempt(() => repeatsOf(options.repeats ?? 0, segments.length)) ?? 0;
  const places = attempt(() =>
    placeExtras(segments, {
      ...{ secret: options.secret, repeats },
      attentionChecks: options.attentionChecks ?? 0,
      minDistance: options.minDistance ?? 10,
      isSpoilable: (of) => spoiledOutput(segments[of]!, outputs, options) !== undefined,
    })
  );
  if (places !== undefined && faults.length === 0) return { segments, places };
  throw new RangeError(
    faults.length === 1 ? faults[0] : `Cannot prepare the run:${faultLines(faults)}`,
  );
}

/** What is shown in an attention check of a segment; undefined where no text is worth spoiling. */
export function spoiledOutput(
  segment: Segment,
  { segments }: SystemOutputs,
  { secret, config }: PreparationOptions,
): Spoiled & { readonly system: number } | undefined {
  const language = config.targetLanguage;
  const system = mostTypical(segment.translations, language);
  if (system === undefined) return undefined;
  const spoiled = spoil(segment, system, { secret, segments, language });
  return spoiled && { system, ...spoiled };
}

function requireRunId(runId: string): void {
  if (isUuid(runId)) return;
  throw new RangeError(
    `Cannot prepare the run: the run id ${runId} is no UUID; crypto.randomUUID() gives one.`,
  );
}

function requireSystems({ systems }: SystemOutputs, { numTranslations }: RunConfig): void {
  if (systems.length === numTranslations) return;
  throw new RangeError(
    `Cannot prepare the run: there are ${systems.length} systems (${systems.join(", ")}), ` +
      `num_translations is ${numTranslations}. Exclude systems, or change num_translations.`,
  );
}

function repeatsOf(repeats: number | { readonly share: number }, items: number): number {
  if (typeof repeats === "number") return repeats;
  const { share } = repeats;
  if (!(share >= 0 && share <= 1)) {
    throw new RangeError(`Cannot repeat a share of ${share}: it takes one in 0 … 1.`);
  }
  const rounded = Math.round(share * items);
  if (rounded > 0 || share === 0) return rounded;
  throw new RangeError(
    `Cannot repeat a share of ${share}: of ${items} items that rounds to none. Take a greater ` +
      "share, or a number of items such as repeats: 1.",
  );
}
