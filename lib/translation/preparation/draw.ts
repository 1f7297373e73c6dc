import { bytesToHex } from "@noble/hashes/utils.js";
import { sum } from "simple-statistics";
import { randomSource } from "../../stats/random.ts";
import { canonicalSha256 } from "../hashes.ts";
import type { Preparation } from "../configuration.ts";
import type { Segment } from "./outputs.ts";

/** 256 bits from the system's generator, in hexadecimal: the secret of a real run. */
export function newSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** 0 … n−1 sorted by SHA-256 over secret, purpose and number: who knows the seed cannot tell. */
export function secretOrder(secret: string, purpose: string, n: number): number[] {
  return Array.from({ length: n }, (_, number) => ({
    number,
    hash: canonicalSha256(["secret order", secret, purpose, number]),
  })).sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ number }) => number);
}

/**
 * Draws documents, or windows of consecutive segments, in random order; the last one is cut to fit.
 * Segments of a document stay together and in order, so that a rater can read on. The seed is
 * public: it decides what is rated, never which system is which. Throws RangeError where there are
 * fewer segments than `items`.
 */
export function sampleSegments(
  segments: readonly Segment[],
  { seed, items = segments.length, window_length = Infinity }:
    & Pick<Preparation, "seed">
    & Partial<Pick<Preparation, "items" | "window_length">>,
): Segment[] {
  if (items > segments.length) {
    throw new RangeError(`Cannot sample ${items} segments: there are ${segments.length}.`);
  }
  const units = [...Map.groupBy(segments, ({ document }) => document).values()].flatMap((own) => {
    const length = Math.min(window_length, own.length);
    const starts = Array.from({ length: Math.ceil(own.length / length) }, (_, it) => it * length);
    return starts.map((start) => own.slice(start, start + length));
  });
  const drawn = randomSource(seed).shuffle(units).flat().slice(0, items);
  const order = new Map(segments.map((segment, index) => [segment, index]));
  return [...Map.groupBy(drawn, ({ document }) => document).values()]
    .flatMap((group) => group.toSorted((a, b) => order.get(a)! - order.get(b)!));
}

/**
 * Segments with their documents in an order that only the secret gives, each document's together and in
 * order: what comes late, when raters tire, is something else for each of them.
 */
export function ownOrder(segments: readonly Segment[], secret: string): Segment[] {
  const documents = [...Map.groupBy(segments, ({ document }) => document).values()];
  return secretOrder(secret, "order of documents", documents.length)
    .flatMap((number) => documents[number]!);
}

/** A public drawing: which documents every rater gets, and in which order the others are dealt out. */
function shared(segments: readonly Segment[], { seed, overlap }: Dealing) {
  const documents = [...Map.groupBy(segments, ({ document }) => document)]
    .map(([document, { length }]) => ({ document, length }));
  const shuffled = randomSource(`${seed}|dealt out`).shuffle(documents);
  const wanted = overlap * segments.length;
  const everyone = new Set<string>();
  let total = 0;
  for (const { document, length } of shuffled) {
    // It comes nearer by this document.
    if (Math.abs(total + length - wanted) >= Math.abs(total - wanted)) continue;
    everyone.add(document);
    total += length;
  }
  return { everyone, rest: shuffled.filter(({ document }) => !everyone.has(document)) };
}

/** How documents go to raters: `overlap` is the share of the segments that every rater gets. */
type Dealing = Pick<Preparation, "seed"> & { readonly overlap: number };

/**
 * Deals whole documents out to `raters`, those in common aside one rater each, the longest first to
 * who has least. Throws RangeError where somebody would get none of their own.
 */
export function dealOut(
  segments: readonly Segment[],
  raters: number,
  dealing: Dealing,
): readonly ReadonlySet<string>[] {
  const { everyone, rest } = shared(segments, dealing);
  const hands = Array.from({ length: raters }, () => ({ own: [] as string[], length: 0 }));
  for (const { document, length } of rest.toSorted((a, b) => b.length - a.length)) {
    const least = hands.reduce((one, other) => other.length < one.length ? other : one);
    least.own.push(document);
    least.length += length;
  }
  if (rest.length > 0 && hands.some(({ own }) => own.length === 0)) {
    throw new RangeError(
      `Cannot deal ${rest.length} documents out to ${raters} raters: somebody would get none of ` +
        "their own. Take fewer raters, more documents (window_length cuts long ones), or leave " +
        "out overlap, so that all rate everything.",
    );
  }
  return hands.map(({ own }) => everyone.union(new Set(own)));
}

/**
 * Documents for a rater who comes later: those in common, and of the others those that fewest have
 * rated, until there are as many segments as the others have on average. `before` has the documents
 * of each of them.
 */
export function dealLater(
  segments: readonly Segment[],
  before: readonly ReadonlySet<string>[],
  dealing: Dealing,
): ReadonlySet<string> {
  const { everyone, rest } = shared(segments, dealing);
  const lengthOf = (documents: ReadonlySet<string>) =>
    segments.filter(({ document }) => documents.has(document)).length;
  const wanted = sum(before.map(lengthOf)) / before.length;
  const holders = (document: string) => before.filter((own) => own.has(document)).length;
  const hand = new Set(everyone);
  for (const { document } of rest.toSorted((a, b) => holders(a.document) - holders(b.document))) {
    if (lengthOf(hand) >= wanted) break;
    hand.add(document);
  }
  return hand;
}

/** What stands at one place of the workbook: the sampled segment with index `of`, and why. */
export interface WorkbookSlot {
  readonly kind: "rated" | "repeat" | "attention";
  readonly of: number;
}

/** How many items are added to the sampled ones. */
interface ExtraOptions extends Pick<Preparation, "repeats" | "attention_checks" | "min_distance"> {
  readonly secret: string;
  /** Whether the segment with this index has a translation that can be spoiled for a check. */
  readonly isSpoilable: (of: number) => boolean;
}

/** Earliest place of a repeat or check, as a share of the run: who does not read is seen early. */
const FIRST_TENTH = 0.1;

/**
 * The order of the workbook: the sampled segments with repeats and attention checks between documents,
 * spread evenly from the first tenth to the end, each of another segment and at least `min_distance`
 * items after it. Only the secret gives which.
 *
 * Throws RangeError if so many cannot be placed so far away, or too few items can be spoiled.
 */
export function placeExtras(segments: readonly Segment[], options: ExtraOptions): WorkbookSlot[] {
  const { secret, repeats, attention_checks, min_distance, isSpoilable } = options;
  const [n, count] = [segments.length, repeats + attention_checks];
  const eligible = secretOrder(secret, "extras", n).filter((of) => of + min_distance <= n);
  if (count > eligible.length) {
    throw new RangeError(
      `Cannot place ${repeats} repeats and ${attention_checks} attention checks: only ` +
        `${eligible.length} of ${n} items have an end of a document ${min_distance} ` +
        "or more items after them. Take fewer, or a smaller min_distance.",
    );
  }
  const ends = segments.flatMap(({ document }, index) =>
    document === segments[index + 1]?.document ? [] : [index + 1]
  );
  const first = Math.max(FIRST_TENTH * n, min_distance);
  const kinds = secretOrder(secret, "kinds", count)
    .map((number) => number < attention_checks ? "attention" as const : "repeat" as const);
  const used = new Set<number>();
  const extras: { place: WorkbookSlot; end: number }[] = [];
  /** The nearest end of a document to where it should stand that has an original far enough before. */
  const put = (kind: "attention" | "repeat", slot: number) => {
    const target = first + (n - first) * slot / Math.max(1, count);
    const taken = (end: number) => extras.filter((extra) => extra.end === end).length;
    const nearest = ends.toSorted((a, b) =>
      taken(a) - taken(b) || Math.abs(a - target) - Math.abs(b - target) || a - b
    );
    for (const end of nearest) {
      const of = eligible.find((of) =>
        !used.has(of) && of + min_distance <= end && (kind === "repeat" || isSpoilable(of))
      );
      if (of === undefined) continue;
      used.add(of);
      return void extras.push({ place: { kind, of }, end });
    }
    // The last end takes whatever is eligible: of checks too few are left.
    throw new RangeError(
      `Cannot place ${attention_checks} attention checks: only ` +
        `${
          eligible.filter(isSpoilable).length
        } of ${eligible.length} items have a translation that ` +
        "can be spoiled and still looks like the others: one much like them, with words that can be " +
        "exchanged or negated, or with a clause of like length in another sentence.",
    );
  };
  // Checks first: repeats can be of anything.
  for (const wanted of ["attention", "repeat"] as const) {
    kinds.forEach((kind, slot) => kind === wanted && put(kind, slot));
  }
  return segments.flatMap((_, of): WorkbookSlot[] => [
    { kind: "rated", of },
    ...extras.filter(({ end }) => end === of + 1).map(({ place }) => place),
  ]);
}
