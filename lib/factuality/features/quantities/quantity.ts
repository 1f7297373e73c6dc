import type { TextSpan } from "../../text_span.ts";
import type { Dimension } from "./units.ts";

/** "over 20 million" holds for 23 million, "about 20 million" for 21. */
export type Bound = "exact" | "about" | "over" | "under";

/** A number as it stands in a text, in the base unit of its dimension. */
export interface Amount extends TextSpan {
  readonly kind: "amount";
  /** As written, unit included. */
  readonly text: string;
  readonly dimension: Dimension;
  /** ISO 4217; the empty string for what is not money. */
  readonly currency: string;
  readonly value: number;
  /** What rounding to the digits written can have moved; a range's ends. low ≤ value ≤ high. */
  readonly low: number;
  readonly high: number;
  readonly bound: Bound;
}

/** A day, month, year, decade, century or span of years. */
export interface CalendarDate extends TextSpan {
  readonly kind: "date";
  readonly text: string;
  /** First and last year meant; negative before Christ; undefined for "May 3". */
  readonly years: readonly [number, number] | undefined;
  /** 1–12. */
  readonly month: number | undefined;
  /** 1–31. */
  readonly day: number | undefined;
}

export type Quantity = Amount | CalendarDate;

/** `incomparable`: they measure different things, or say nothing of one another. */
export type QuantityRelation = "same" | "near" | "different" | "incomparable";

/** Off by so much of the greater, a number is near: rounded more roughly than its digits say. */
const NEAR = 0.02;
/** "About" stretches both ways by so much. */
const ABOUT = 0.1;
/** "Over 20 million" is odd for 60 million, but not false. */
const OVER = 2;

/** What the source's quantity says of the claim's. */
export function compareQuantities(claim: Quantity, source: Quantity): QuantityRelation {
  if (claim.kind === "date") {
    return source.kind === "date" ? compareDates(claim, source) : "incomparable";
  }
  return source.kind === "amount" ? compareAmounts(claim, source) : "incomparable";
}

function compareAmounts(claim: Amount, source: Amount): QuantityRelation {
  if (claim.dimension !== source.dimension || claim.currency !== source.currency) {
    return "incomparable";
  }
  if (areOpposed(claim.bound, source.bound)) return "different";
  if (holds(claim, source.value) || holds(source, claim.value)) return "same";
  const greater = Math.max(Math.abs(claim.value), Math.abs(source.value));
  const exact = claim.dimension === "ordinal" || (greater < 100 && isWhole(claim, source));
  const distance = Math.abs(claim.value - source.value);
  return !exact && distance <= NEAR * greater ? "near" : "different";
}

/** "Over 170" is not "under 170", nor "under 200": nobody says both of one number. */
const areOpposed = (a: Bound, b: Bound) =>
  a === "over" && b === "under" || a === "under" && b === "over";

/** Small counts are counted, not measured: 17 is not nearly 18. */
const isWhole = (a: Amount, b: Amount) =>
  a.dimension === "count" && Number.isInteger(a.value) && Number.isInteger(b.value);

function holds({ low, high, value, bound }: Amount, other: number): boolean {
  const slack = 1e-9 * Math.max(Math.abs(value), 1);
  const stretch = bound === "about" ? ABOUT * Math.abs(value) : 0;
  if (bound === "over" && other >= low && other <= OVER * high) return true;
  if (bound === "under" && other <= high && other * OVER >= low) return true;
  return other >= low - stretch - slack && other <= high + stretch + slack;
}

function compareDates(claim: CalendarDate, source: CalendarDate): QuantityRelation {
  const years = compareYears(claim.years, source.years);
  const months = compareFields(claim.month, source.month);
  const days = compareFields(claim.day, source.day);
  if ([years, months, days].includes("different")) return "different";
  if (years === "incomparable" && months === "incomparable") return "incomparable";
  const saysMore = (claim.years !== undefined && source.years === undefined) ||
    (claim.month !== undefined && source.month === undefined) ||
    (claim.day !== undefined && source.day === undefined);
  return saysMore || years === "near" ? "near" : "same";
}

function compareFields(claim: number | undefined, source: number | undefined): QuantityRelation {
  if (claim === undefined || source === undefined) return "incomparable";
  return claim === source ? "same" : "different";
}

/** A claim's year within the source's span is near; a claim's decade that holds the source's year is the same. */
function compareYears(
  claim: CalendarDate["years"],
  source: CalendarDate["years"],
): QuantityRelation {
  if (claim === undefined || source === undefined) return "incomparable";
  const [from, to] = claim;
  const [start, end] = source;
  if (from <= start && end <= to) return "same";
  if (start <= from && to <= end) return from === start || to === end ? "same" : "near";
  return "different";
}
