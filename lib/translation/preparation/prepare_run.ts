import { canonicalText } from "../canonical_text.ts";
import { keyHash } from "../hashes.ts";
import type { InputRow, RatingWorkbook } from "../item.ts";
import { newWorkbook } from "../workbook/new_workbook.ts";
import { drawnPlaces, spoiledOutput } from "./drawn_places.ts";
import type { KeyItem, SealedKey } from "./key.ts";
import type { Place } from "./place_extras.ts";
import type { PreparationOptions } from "./preparation_options.ts";
import { type PreparationReport, preparationReport } from "./report.ts";
import { secretOrder } from "./secret_order.ts";
import type { Segment, SystemOutputs } from "./system_outputs.ts";

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
 * Throws RangeError that lists everything in which systems, items, extras, secret and run id do not
 * fit the configuration or one another.
 */
export function prepareRun(outputs: SystemOutputs, options: PreparationOptions): PreparedRun {
  const { segments, places } = drawnPlaces(outputs, options);
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
  const { system, text, spoiledBy } = spoiledOutput(segment, outputs, options)!;
  const translation = order.indexOf(system);
  return {
    input: input(texts.with(system, text)),
    key: { ...key, role: { kind, of: original, translation, spoiledBy } },
  };
}
