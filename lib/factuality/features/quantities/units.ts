/** What a number measures; numbers of different dimensions are never compared. */
export type Dimension =
  | "count"
  | "percent"
  | "length"
  | "area"
  | "mass"
  | "volume"
  | "temperature"
  | "duration"
  | "speed"
  | "power"
  | "money"
  | "ordinal";

/** How a unit is written, and how it turns into its dimension's base unit: × factor, then + offset. */
export interface Unit {
  readonly dimension: Dimension;
  /** Source of a regular expression for what stands behind the number. */
  readonly written: string;
  readonly factor: number;
  readonly offset: number;
}

const unit = (dimension: Dimension, written: string, factor: number, offset = 0): Unit => ({
  dimension,
  written,
  factor,
  offset,
});

const SQUARE = "(?:square |sq\\.? ?)";

/** Exact by definition (international yard and pound, US gallon); money is in its own currency, see `currencyOf`. */
export const UNITS: readonly Unit[] = [
  unit("percent", "%|per ?cent(?:age points?)?\\b|percentage points?\\b", 1),
  unit("area", `(?:${SQUARE}(?:kilomet(?:re|er)s?|km)|km2|km²)(?![\\p{L}])`, 1e6),
  unit("area", `(?:${SQUARE}(?:miles?|mi)|mi²)(?![\\p{L}])`, 1609.344 ** 2),
  unit("area", `(?:${SQUARE}(?:feet|foot|ft))(?![\\p{L}])`, 0.3048 ** 2),
  unit("area", `(?:${SQUARE}(?:met(?:re|er)s?|m)|m²)(?![\\p{L}])`, 1),
  unit("area", "(?:hectares?|ha)\\b", 1e4),
  unit("area", "acres?\\b", 4046.8564224),
  unit("speed", "(?:km/h|kph|kmh|kilomet(?:re|er)s (?:per|an) hour)\\b", 1 / 3.6),
  unit("speed", "(?:mph|miles (?:per|an) hour)\\b", 0.44704),
  unit("speed", "(?:m/s|met(?:re|er)s per second)\\b", 1),
  unit("speed", "knots\\b", 1852 / 3600),
  unit("length", "nautical miles?\\b|nmi\\b|nm\\b", 1852),
  unit("length", "kilomet(?:re|er)s?\\b|kms?\\b", 1000),
  unit("length", "miles?\\b|mi\\b", 1609.344),
  unit("length", "centimet(?:re|er)s?\\b|cm\\b", 0.01),
  unit("length", "millimet(?:re|er)s?\\b|mm\\b", 0.001),
  unit("length", "met(?:re|er)s?\\b|m\\b", 1),
  unit("length", "(?:feet|foot|ft)\\b", 0.3048),
  unit("length", "(?:inch|inches)\\b", 0.0254),
  unit("length", "(?:yards?|yd)\\b", 0.9144),
  unit("mass", "(?:kilograms?|kilogrammes?|kilos?|kgs?)\\b", 1),
  unit("mass", "(?:pounds?|lbs?)\\b", 0.45359237),
  unit("mass", "(?:ounces?|oz)\\b", 0.028349523125),
  unit("mass", "(?:(?:metric )?tons?|tonnes?|mt)\\b", 1000),
  unit("mass", "(?:grams?|grammes?|g)\\b", 0.001),
  unit("volume", "(?:lit(?:re|er)s?)\\b", 1),
  unit("volume", "(?:gallons?|gal)\\b", 3.785411784),
  unit("volume", "(?:barrels?|bbl)\\b", 158.987294928),
  unit("volume", "(?:cubic met(?:re|er)s?|cu m|m³)(?![\\p{L}])", 1000),
  unit("temperature", "(?:°|º|degrees?) ?(?:C|Celsius|centigrade)\\b", 1),
  unit("temperature", "(?:°|º|degrees?) ?(?:F|Fahrenheit)\\b", 5 / 9, -160 / 9),
  unit("power", "(?:megawatts?|MW)\\b", 1e6),
  unit("power", "(?:kilowatts?|kW)\\b", 1e3),
  unit("duration", "(?:seconds?|secs?)\\b", 1 / 86400),
  unit("duration", "(?:minutes?|mins?)\\b", 1 / 1440),
  unit("duration", "(?:hours?|hrs?)\\b", 1 / 24),
  unit("duration", "days?\\b", 1),
  unit("duration", "weeks?\\b", 7),
  unit("duration", "months?\\b", 365.25 / 12),
  unit("duration", "(?:years?|yrs?)\\b", 365.25),
  unit("duration", "decades?\\b", 3652.5),
  unit("duration", "(?:century|centuries)\\b", 36525),
];

/** Written before or behind an amount of money; a bare "$" is the US dollar. */
const CURRENCIES: readonly (readonly [string, RegExp])[] = [
  ["USD", /^(?:US\$|\$|USD|(?:US |U\.S\. )?dollars?)$/i],
  ["EUR", /^(?:€|EUR|euros?)$/i],
  ["GBP", /^(?:£|GBP|pounds? sterling)$/i],
  ["JPY", /^(?:¥|JPY|yen)$/i],
  ["INR", /^(?:₹|INR|rupees?)$/i],
];

/** Source of a regular expression for what may stand before an amount. */
export const CURRENCY_BEFORE = "US\\$|[$€£¥₹]|USD ?|EUR ?|GBP ?";
/** … and behind it. */
export const CURRENCY_BEHIND =
  "(?:US |U\\.S\\. )?dollars?\\b|euros?\\b|pounds? sterling\\b|yen\\b|rupees?\\b|USD\\b|EUR\\b|GBP\\b";

/** ISO 4217 code of a currency as written; undefined for one that is not in the table. */
export function currencyOf(written: string): string | undefined {
  return CURRENCIES.find(([, pattern]) => pattern.test(written.trim()))?.[0];
}
