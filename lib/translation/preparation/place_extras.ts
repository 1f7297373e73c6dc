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
  /** Whether the segment with this index has a translation that can be spoiled for a check. */
  readonly isSpoilable: (of: number) => boolean;
}

/**
 * The order of the workbook: the sampled segments with repeats and attention checks between
 * documents, so that no document is torn, and each at least `minDistance` items after its original.
 * No segment is drawn twice. Which are drawn and where they go, only the secret gives.
 *
 * Since an extra item must follow its original, originals come from the earlier part of the run.
 *
 * Throws RangeError if so many cannot be placed so far away, or too few items can be spoiled.
 */
export function placeExtras(segments: readonly Segment[], options: ExtraOptions): Place[] {
  const { secret, repeats, attentionChecks, minDistance } = options;
  requireWholeExtras(options);
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
  for (const place of drawn(eligible, options)) {
    extras.push({ place, end: endFor(place.of, segments, extras, options) });
  }
  return segments.flatMap((_, of): Place[] => [
    { kind: "rated", of },
    ...extras.filter(({ end }) => end === of + 1).map(({ place }) => place),
  ]);
}

/** Checks are drawn from what repeats leave, and from the repeats' own where that is too little. */
function drawn(
  eligible: readonly number[],
  { repeats, attentionChecks, isSpoilable }: ExtraOptions,
): Place[] {
  const spoilable = [...eligible.slice(repeats), ...eligible.slice(0, repeats)].values()
    .filter(isSpoilable);
  const checks = [...spoilable.take(attentionChecks)];
  if (checks.length < attentionChecks) {
    throw new RangeError(
      `Cannot place ${attentionChecks} attention checks: only ${checks.length} of ` +
        `${eligible.length} items have a translation that can be spoiled, one much like the others ` +
        "and of six words or more, or with another sentence's to put in its place.",
    );
  }
  const rest = eligible.filter((of) => !checks.includes(of)).slice(0, repeats);
  return [
    ...rest.map((of): Place => ({ kind: "repeat", of })),
    ...checks.map((of): Place => ({ kind: "attention", of })),
  ];
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

function requireWholeExtras({ repeats, attentionChecks, minDistance }: ExtraOptions): void {
  const faults = ([
    ["repeats", repeats, 0],
    ["attentionChecks", attentionChecks, 0],
    ["minDistance", minDistance, 1],
  ] as const).filter(([, value, least]) => !Number.isInteger(value) || value < least)
    .map(([name, value, least]) => `${name} is ${value}: it takes a whole number from ${least}`);
  if (faults.length > 0) {
    throw new RangeError(`Cannot place repeats and checks: ${faults.join("; ")}.`);
  }
}
