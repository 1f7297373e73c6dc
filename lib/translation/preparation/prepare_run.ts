import { canonicalText } from "../canonical_text.ts";
import { keyHash } from "../hashes.ts";
import type { InputRow, RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { newWorkbook } from "../workbook/new_workbook.ts";
import type { KeyItem, SealedKey } from "./key.ts";
import { type Place, placeExtras } from "./place_extras.ts";
import { type PreparationReport, preparationReport } from "./report.ts";
import { type SampleOptions, sampleSegments } from "./sample_segments.ts";
import { requireSecret, secretOrder } from "./secret_order.ts";
import { mostTypical, spoil, type Spoiled } from "./spoil.ts";
import type { Segment, SystemOutputs } from "./system_outputs.ts";

/** How a run is prepared. The same options and outputs give the same workbook and key. */
export interface PreparationOptions extends SampleOptions {
  /** UUID; stands in the workbook and fixes the display order. */
  readonly runId: string;
  /** From `newSecret()`, and kept; only a demonstration's may be known. */
  readonly secret: string;
  readonly config: RunConfig;
  /** `per_item` unless told: then t1 is another system in every item. */
  readonly assignment?: SealedKey["assignment"];
  /** Items shown twice: a number of items, or a share of those sampled (rounded). None unless told. */
  readonly repeats?: number | { readonly share: number };
  /** Items shown again with one translation spoiled. None unless told. */
  readonly attentionChecks?: number;
  /** Items from an original to its repeat or check, at least; 10 unless told. */
  readonly minDistance?: number;
}

/** What goes to the rater, what is locked away, and what the researcher should look at first. */
export interface PreparedRun {
  readonly workbook: RatingWorkbook;
  readonly key: SealedKey;
  readonly report: PreparationReport;
}

/** An item with its row of the key. */
interface Prepared {
  readonly input: Omit<InputRow, "rowInputHash">;
  readonly key: KeyItem;
}

/**
 * Turns systems' outputs into a blind workbook and the key to it.
 *
 * Items are numbered from 1 in the order shown, extra ones included, so that no number tells which
 * is which. The workbook holds no name of a system, document or segment.
 *
 * Throws RangeError where systems, items or extras do not fit the configuration or one another.
 */
export function prepareRun(outputs: SystemOutputs, options: PreparationOptions): PreparedRun {
  requireSecret(options.secret);
  requireSystems(outputs, options.config);
  const segments = sampleSegments(outputs.segments, options);
  const places = placeExtras(segments, {
    secret: options.secret,
    repeats: repeatsOf(options.repeats ?? 0, segments.length),
    attentionChecks: options.attentionChecks ?? 0,
    minDistance: options.minDistance ?? 10,
  });
  const prepared = places.map((place, index) => {
    const original = places.findIndex(({ kind, of }) => kind === "rated" && of === place.of) + 1;
    return preparedItem(
      place,
      segments[place.of]!,
      { itemId: index + 1, original },
      outputs,
      options,
    );
  });
  const key: SealedKey = {
    runId: options.runId,
    secret: options.secret,
    assignment: options.assignment ?? "per_item",
    systems: outputs.systems,
    items: prepared.map((item) => item.key),
  };
  const workbook = newWorkbook(prepared.map(({ input }) => input), {
    runId: options.runId,
    config: options.config,
    keySha256: keyHash(key),
  });
  const report = preparationReport(workbook, key, options.config, segments, outputs);
  return { workbook, key, report };
}

function preparedItem(
  { kind }: Place,
  segment: Segment,
  { itemId, original }: { readonly itemId: number; readonly original: number },
  outputs: SystemOutputs,
  options: PreparationOptions,
): Prepared {
  const purpose = options.assignment === "per_run" ? "assignment" : `assignment of item ${itemId}`;
  const order = secretOrder(options.secret, purpose, outputs.systems.length);
  const texts = segment.translations.map(canonicalText);
  const key = {
    ...{ itemId, segment: segment.segment, document: segment.document },
    systems: order.map((system) => outputs.systems[system]!),
  };
  const input = (shown: readonly string[]) => ({
    ...{ itemId, source: canonicalText(segment.source) },
    translations: order.map((system) => shown[system]!),
  });
  if (kind === "rated") return { input: input(texts), key: { ...key, role: { kind } } };
  if (kind === "repeat") {
    return { input: input(texts), key: { ...key, role: { kind, of: original } } };
  }
  const { system, text, spoiledBy } = spoiledOutput(segment, outputs, options);
  const translation = order.indexOf(system);
  return {
    input: input(texts.with(system, text)),
    key: { ...key, role: { kind, of: original, translation, spoiledBy } },
  };
}

function spoiledOutput(
  segment: Segment,
  { segments }: SystemOutputs,
  { secret, config }: PreparationOptions,
): Spoiled & { readonly system: number } {
  const language = config.targetLanguage;
  const system = mostTypical(segment.translations, language);
  return { system, ...spoil(segment, system, { secret, segments, language }) };
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
  if (repeats.share >= 0 && repeats.share <= 1) return Math.round(repeats.share * items);
  throw new RangeError(`Cannot repeat a share of ${repeats.share}: it takes one in 0 … 1.`);
}
