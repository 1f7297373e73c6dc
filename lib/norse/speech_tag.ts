import { wordsOf } from "./segmentation.ts";

/** Verbs that introduce speech; "Þá mælti Sigurðr:" is a tag, a longer clause with one is a sentence. */
const SPEECH_VERB =
  /(?<!\p{L})(?:mælti|mæltu|mælir|mæla|segir|sagði|segja|sögðu|svarar|svaraði|svöruðu|svara|spyrr|spurði|kvað|kallar|kveðr|biðr)(?!\p{L})/iu;
const LONGEST_SPEECH_TAG = 7;

/** Whether a unit, in the edition's spelling, only says that somebody begins to speak. */
export function isSpeechTag(unit: string): boolean {
  return unit.endsWith(":") && wordsOf(unit).length <= LONGEST_SPEECH_TAG && SPEECH_VERB.test(unit);
}
