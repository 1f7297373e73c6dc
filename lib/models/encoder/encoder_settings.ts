import type { SentenceEncoder } from "./sentence_encoder.ts";

/** What of an encoder could change what is made with it, for settings: name, weights, precision. */
export function encoderSettings(
  { name, settings: { weightsSha256, precision } }: SentenceEncoder,
): Readonly<Record<string, string | number | boolean>> {
  return {
    encoder: name,
    ...(weightsSha256 === undefined ? {} : { encoderSha256: weightsSha256 }),
    ...(precision === undefined ? {} : { encoderPrecision: precision }),
  };
}
