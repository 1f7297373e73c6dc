/** Scripts that are written from the right, by their ISO 15924 codes. */
const FROM_THE_RIGHT = new Set([
  ...["Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"],
]);

/**
 * The direction of a text in a language (BCP 47). The language decides and not the first letter: an
 * Arabic sentence that begins with a Latin name still runs from the right. Only where the language
 * or its script is not known is the direction left to the text.
 */
export function directionOf(language: string | undefined): "ltr" | "rtl" | "auto" {
  if (language === undefined) return "auto";
  const locale = new Intl.Locale(language);
  const script = locale.language === "und" ? locale.script : locale.maximize().script;
  if (script === undefined) return "auto";
  return FROM_THE_RIGHT.has(script) ? "rtl" : "ltr";
}
