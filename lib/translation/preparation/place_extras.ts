import { secretOrder } from "./secret_order.ts";
import type { Segment } from "./system_outputs.ts";

/** What stands at one place of the workbook: the segment with index `of`, and why. */
export interface Place {
  readonly kind: "rated" | "repeat" | "attention";
  /** Index into the sampled segments. */
  readonly of: number;
}

/** How many items are added to the sampled ones. */
export interface ExtraOptions {
  readonly secret: string;
  readonly repeats: number;
  readonly attentionChecks: number;
  /** The least distance between an item and its repeat or check, counted in items. */
  readonly minDistance: number;
}

/**
 * The order of the workbook: the sampled segments with repeats and attention checks between
 * documents, so that no document is torn, and each at least `minDistance` items after its original.
 * No segment is drawn twice. Which are drawn and where they go, only the secret gives.
 *
 * Since an extra item must follow its original, originals come from the earlier part of the run.
 *
 * Throws RangeError if so many cannot be placed so far away.
 */
export function placeExtras(segments: readonly Segment[], options: ExtraOptions): Place[] {
  const { secret, repeats, attentionChecks, minDistance } = options;
  requireWhole("repeats", repeats, 0);
  requireWhole("attention checks", attentionChecks, 0);
  requireWhole("items of distance", minDistance, 1);
  const eligible = secretOrder(secret, "extras", segments.length)
    .filter((of) => of + minDistance <= segments.length);
  if (repeats + attentionChecks > eligible.length) {
    throw new RangeError(
      `Cannot place ${repeats} repeats and ${attentionChecks} attention checks: only ` +
        `${eligible.length} of ${segments.length} items have an end of a document ${minDistance} ` +
        "or more items after them. Take fewer, or a smaller minDistance.",
    );
  }
  const extras: Extra[] = [];
  for (const of of eligible.slice(0, repeats + attentionChecks)) {
    const kind = extras.length < repeats ? "repeat" : "attention";
    extras.push({ place: { kind, of }, end: endFor(of, segments, extras, options) });
  }
  return segments.flatMap((_, of): Place[] => [
    { kind: "rated", of },
    ...extras.filter(({ end }) => end === of + 1).map(({ place }) => place),
  ]);
}

/** An extra item, and the end of a document that it goes to: how many sampled items come before. */
interface Extra {
  readonly place: Place;
  readonly end: number;
}

/** Of the ends far enough away one that has the fewest extra items so far. */
function endFor(
  of: number,
  segments: readonly Segment[],
  placed: readonly Extra[],
  { secret, minDistance }: ExtraOptions,
): number {
  const ends = segments.flatMap(({ document }, index) =>
    document === segments[index + 1]?.document ? [] : [index + 1]
  );
  const allowed = ends.filter((end) => end - of >= minDistance);
  const counts = allowed.map((end) => placed.filter((extra) => extra.end === end).length);
  const emptiest = allowed.filter((_, index) => counts[index] === Math.min(...counts));
  return emptiest[secretOrder(secret, `end for ${of}`, emptiest.length)[0]!]!;
}

function requireWhole(what: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new RangeError(`Cannot place ${value} ${what}: it takes a whole number from ${least}.`);
}
