import { bytesToHex } from "@noble/hashes/utils.js";
import { sum } from "simple-statistics";
import { randomSource } from "../../stats/random.ts";
import { canonicalSha256 } from "../hashes.ts";
import type { Preparation } from "../configuration.ts";
import type { Segment } from "./outputs.ts";

/** Returns a random secret of 256 bits in hexadecimal, from the system's generator. */
export function newSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * Returns 0 … n−1 in an order that only the secret determines.
 * Numbers are sorted by SHA-256 over secret, purpose and number; the seed reveals nothing.
 */
export function secretOrder(secret: string, purpose: string, n: number): number[] {
  return Array.from({ length: n }, (_, number) => ({
    number,
    hash: canonicalSha256(["secret order", secret, purpose, number]),
  })).sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ number }) => number);
}

/**
 * Samples documents, or windows of consecutive segments, in random order.
 * The last one is cut to fit `items`. Segments of a document stay together and in order, so that a
 * rater can read on. The seed is public: it decides what is rated, never which system is which.
 * Throws RangeError if there are fewer segments than `items`.
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
  const units = [...Map.groupBy(segments, ({ document }) => document).values()].flatMap((group) => {
    const length = Math.min(window_length, group.length);
    const starts = Array.from({ length: Math.ceil(group.length / length) }, (_, it) => it * length);
    return starts.map((start) => group.slice(start, start + length));
  });
  const drawn = randomSource(seed).shuffle(units).flat().slice(0, items);
  const order = new Map(segments.map((segment, index) => [segment, index]));
  return [...Map.groupBy(drawn, ({ document }) => document).values()]
    .flatMap((group) => group.toSorted((a, b) => order.get(a)! - order.get(b)!));
}

/**
 * Returns the segments with documents shuffled by the secret, segments in order.
 * Each rater gets a different order, so that fatigue affects different documents.
 */
export function shuffledDocuments(segments: readonly Segment[], secret: string): Segment[] {
  const documents = [...Map.groupBy(segments, ({ document }) => document).values()];
  return secretOrder(secret, "order of documents", documents.length)
    .flatMap((number) => documents[number]!);
}

/** Divides documents into common ones and others. The public seed shuffles them. */
function splitDocuments(segments: readonly Segment[], { seed, overlap }: Dealing) {
  const documents = [...Map.groupBy(segments, ({ document }) => document)]
    .map(([document, { length }]) => ({ document, length }));
  const shuffled = randomSource(`${seed}|dealt out`).shuffle(documents);
  const wanted = overlap * segments.length;
  const common = new Set<string>();
  let total = 0;
  for (const { document, length } of shuffled) {
    // The total approaches the wanted size only with this document.
    if (Math.abs(total + length - wanted) >= Math.abs(total - wanted)) continue;
    common.add(document);
    total += length;
  }
  return { common, others: shuffled.filter(({ document }) => !common.has(document)) };
}

/** Settings of the division: `overlap` is the share of the segments that every rater gets. */
type Dealing = Pick<Preparation, "seed"> & { readonly overlap: number };

/**
 * Assigns whole documents to `raters`.
 * Apart from the common documents, each goes to one rater: the longest first, to the rater with the
 * fewest segments. Throws RangeError if a rater would get no document apart from the common ones.
 */
export function assignDocuments(
  segments: readonly Segment[],
  raters: number,
  dealing: Dealing,
): readonly ReadonlySet<string>[] {
  const { common, others } = splitDocuments(segments, dealing);
  const raterDocuments = Array.from(
    { length: raters },
    () => ({ documents: [] as string[], length: 0 }),
  );
  for (const { document, length } of others.toSorted((a, b) => b.length - a.length)) {
    const least = raterDocuments.reduce((one, other) => other.length < one.length ? other : one);
    least.documents.push(document);
    least.length += length;
  }
  if (others.length > 0 && raterDocuments.some(({ documents }) => documents.length === 0)) {
    throw new RangeError(
      `Cannot deal ${others.length} documents out to ${raters} raters: somebody would get none of ` +
        "their own. Take fewer raters, more documents (window_length cuts long ones), or leave " +
        "out overlap, so that all rate everything.",
    );
  }
  return raterDocuments.map(({ documents }) => common.union(new Set(documents)));
}

/**
 * Returns the documents of a rater who joins later.
 * These are the common ones, and of the others those with the fewest raters, until the number of
 * segments reaches the mean of the earlier raters. `before` has the documents of each earlier
 * rater.
 */
export function assignLaterDocuments(
  segments: readonly Segment[],
  before: readonly ReadonlySet<string>[],
  dealing: Dealing,
): ReadonlySet<string> {
  const { common, others } = splitDocuments(segments, dealing);
  const lengthOf = (documents: ReadonlySet<string>) =>
    segments.filter(({ document }) => documents.has(document)).length;
  const wanted = sum(before.map(lengthOf)) / before.length;
  const holders = (document: string) =>
    before.filter((documents) => documents.has(document)).length;
  const hand = new Set(common);
  for (const { document } of others.toSorted((a, b) => holders(a.document) - holders(b.document))) {
    if (lengthOf(hand) >= wanted) break;
    hand.add(document);
  }
  return hand;
}

/** One slot of the workbook: the index of a sampled segment, and the slot's purpose. */
export interface WorkbookSlot {
  readonly kind: "rated" | "repeat" | "attention";
  readonly segment: number;
}

/** Number and spacing of the items added to the sampled ones. */
interface ExtraOptions extends Pick<Preparation, "repeats" | "attention_checks" | "min_distance"> {
  readonly secret: string;
  /** Tests whether a segment has a translation that can be spoiled. */
  readonly isSpoilable: (segment: number) => boolean;
}

/** Earliest position of a repeat or check, as a share of the run. Inattention thus shows early. */
const FIRST_TENTH = 0.1;

/**
 * Returns the order of the workbook: sampled segments, repeats and attention checks.
 * Repeats and checks stand between documents, evenly spaced from the first tenth to the end, each
 * of a different segment and at least `min_distance` items after it. The secret determines which.
 *
 * Throws RangeError if there is no room at this distance or too few items can be spoiled.
 */
export function placeExtras(segments: readonly Segment[], options: ExtraOptions): WorkbookSlot[] {
  const { secret, repeats, attention_checks, min_distance, isSpoilable } = options;
  const [n, count] = [segments.length, repeats + attention_checks];
  const eligible = secretOrder(secret, "extras", n).filter((segment) =>
    segment + min_distance <= n
  );
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
  /**
   * Adds a repeat or check at the document end nearest to its slot.
   * Its original must lie far enough before.
   */
  const addExtra = (kind: "attention" | "repeat", slot: number) => {
    const target = first + (n - first) * slot / Math.max(1, count);
    const taken = (end: number) => extras.filter((extra) => extra.end === end).length;
    const nearest = ends.toSorted((a, b) =>
      taken(a) - taken(b) || Math.abs(a - target) - Math.abs(b - target) || a - b
    );
    for (const end of nearest) {
      const segment = eligible.find((segment) =>
        !used.has(segment) && segment + min_distance <= end &&
        (kind === "repeat" || isSpoilable(segment))
      );
      if (segment === undefined) continue;
      used.add(segment);
      return void extras.push({ place: { kind, segment }, end });
    }
    // The last end accepts every eligible item, so only checks can run out.
    throw new RangeError(
      `Cannot place ${attention_checks} attention checks: only ` +
        `${
          eligible.filter(isSpoilable).length
        } of ${eligible.length} items have a translation that ` +
        "can be spoiled and still looks like the others: one much like them, with words that can be " +
        "exchanged or negated, or with a clause of like length in another sentence.",
    );
  };
  // Checks first, since any item can be repeated.
  for (const wanted of ["attention", "repeat"] as const) {
    kinds.forEach((kind, slot) => kind === wanted && addExtra(kind, slot));
  }
  return segments.flatMap((_, segment): WorkbookSlot[] => [
    { kind: "rated", segment },
    ...extras.filter(({ end }) => end === segment + 1).map(({ place }) => place),
  ]);
}
