import type { Amount } from "../../features/quantities/quantity.ts";
import { readQuantities } from "../../features/quantities/read_quantities.ts";
import { readsTheSame } from "../perturbations/reading.ts";
import { oneOf, type TextChange, type VariantRule } from "../variant.ts";
import { isUnfit } from "../written_number.ts";

const SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen twenty").split(" ");

/** "39.2 million" ↔ "39,200,000", "12" ↔ "twelve", "45%" ↔ "45 percent". */
export const reformatNumber: VariantRule = (text, _tools, random) => {
  const changes = readQuantities(text).flatMap((amount) => {
    if (amount.kind !== "amount" || amount.dimension === "ordinal") return [];
    if (isUnfit(text, amount)) return [];
    return WAYS.flatMap((way) => placed(amount, way(amount)) ?? [])
      .filter((change) => readsTheSame(text, change, amount));
  });
  return oneOf(changes, random);
};

/** What of an amount's text is written otherwise. */
type Way = (amount: Amount) => readonly [from: string, to: string] | undefined;

const MILLIONS: Readonly<Record<string, number>> = { million: 1e6, billion: 1e9 };

const spelledOut: Way = ({ text }) => {
  const [from, digits, scale] = /(\d+(?:\.\d+)?) (million|billion)/u.exec(text) ?? [];
  if (from === undefined) return undefined;
  return [from, Math.round(Number(digits) * MILLIONS[scale!]!).toLocaleString("en-US")];
};

const scaled: Way = ({ text }) => {
  const [from] = /\d{1,3}(?:,\d{3})+/u.exec(text) ?? [];
  if (from === undefined) return undefined;
  const value = Number(from.replaceAll(",", ""));
  const scale = value >= 1e9 ? "billion" : "million";
  const told = value / MILLIONS[scale]!;
  return value < 1e6 || Number(told.toFixed(3)) !== told ? undefined : [from, `${told} ${scale}`];
};

const inWords: Way = ({ text, dimension, currency }) => {
  const [from] = /^\d{1,2}(?![\d.,%])/u.exec(text) ?? [];
  const word = SMALL[Number(from)];
  if (from === undefined || word === undefined || currency !== "") return undefined;
  return Number(from) > 1 && dimension !== "percent" ? [from, word] : undefined;
};

const inDigits: Way = ({ text }) => {
  const [from] = /^\p{L}+/u.exec(text) ?? [];
  const value = SMALL.indexOf(from?.toLowerCase() ?? "");
  return from === undefined || value < 2 ? undefined : [from, String(value)];
};

const percent: Way = ({ text }) => {
  const [sign] = /%$| per ?cent$/u.exec(text) ?? [];
  return sign === undefined ? undefined : [sign, sign === "%" ? " percent" : "%"];
};

const WAYS: readonly Way[] = [spelledOut, scaled, inWords, inDigits, percent];

function placed({ text, start }: Amount, way: ReturnType<Way>): TextChange | undefined {
  if (way === undefined) return undefined;
  const [from, to] = way;
  const begin = start + text.lastIndexOf(from);
  const told = begin === 0 ? to.charAt(0).toUpperCase() + to.slice(1) : to;
  return { start: begin, end: begin + from.length, to: told };
}
