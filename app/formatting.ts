import type { RunConfig } from "../lib/translation/configuration.ts";
import { bucketLabel } from "../lib/translation/rules/violations.ts";
import { isolateText, type Texts, textsOf } from "../lib/translation/page_texts.ts";
import type { Rating } from "../lib/translation/types.ts";

/** Formats a duration in units common to all languages: `45 s`, `1 min 20 s`, `2 h 5 min`. */
export function durationWords(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const parts = whole < 60
    ? [`${whole} s`]
    : minutes < 60
    ? [`${minutes} min`, `${whole % 60} s`]
    : [`${Math.floor(minutes / 60)} h`, `${minutes % 60} min`];
  return parts.filter((part, index) => index === 0 || !part.startsWith("0 ")).join(" ");
}

/** Formats a moment in local time unambiguously: `22 Nov 2026, 14:05`. */
export function momentWords(iso: string, { locale }: Texts): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/** Describes a rating: `Best, 95`, `Best, no score`, `not sorted, 95` or `not rated`. */
export function ratingWords({ bucket, da }: Rating, config: RunConfig): string {
  const texts = textsOf(config);
  if (bucket === undefined && da === undefined) return texts("notRated");
  const label = bucket === undefined ? texts("notSorted") : bucketLabel(bucket, config);
  return `${isolateText(label)}, ${da ?? texts("noScore")}`;
}

/** Right-to-left scripts by ISO 15924 code. */
const RIGHT_TO_LEFT_SCRIPTS = "Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa".split(" ");

/** Returns a text's direction from its language (BCP 47); `auto` if unknown. */
export function directionOf(language: string | undefined): "ltr" | "rtl" | "auto" {
  if (language === undefined) return "auto";
  const locale = new Intl.Locale(language);
  const script = locale.language === "und" ? locale.script : locale.maximize().script;
  if (script === undefined) return "auto";
  return RIGHT_TO_LEFT_SCRIPTS.includes(script) ? "rtl" : "ltr";
}

/** Parses a rater's score: undefined for none, the text if it is no number. */
export function parseScore(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const plain = asciiDigits(trimmed).replace(/[−－]/, "-").replace(/[,，٫．]/, ".");
  return /^-?(?=\.?\d)\d{0,15}(?:\.\d{0,15})?$/.test(plain) ? Number(plain) : trimmed;
}

/** Non-digit characters of a score, in every script that {@link parseScore} reads. */
export const SCORE_SIGN = /^[.,\-−－，٫．]$/u;

/** Replaces digits of any script with 0 … 9. Unicode encodes each script's ten consecutively. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    let before = 0;
    while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before++;
    return String(before % 10);
  });
}

/** Formats a score for the number box. */
export function formatScore(da: number | string | undefined): string {
  return da === undefined ? "" : String(da);
}
