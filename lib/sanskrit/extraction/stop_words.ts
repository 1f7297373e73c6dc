import type { StopKind } from "./lexicon_entry.ts";

/** A word that is no noun in a place of the text, though it has a noun's form. */
interface StopWord {
  readonly kind: StopKind;
  /** The tokens that are meant (`BG_05_03.b.4`); every one of this form where left out. */
  readonly places?: readonly string[];
}

/** Words of the text, as written, that look like a noun of the lexicon and are none. */
const STOP_WORDS: Readonly<Record<string, StopWord>> = {
  स्थितौ: { kind: "participle", places: ["BG_01_14.a.5"] },
  समे: { kind: "adjective", places: ["BG_02_38.a.2"] },
  हुतम्: { kind: "participle", places: ["BG_04_24.a.5"] },
  सुखं: { kind: "indeclinable", places: ["BG_05_03.b.4", "BG_05_13.a.4"] },
  सुखेन: { kind: "indeclinable", places: ["BG_06_28.b.1"] },
  सिद्धानां: { kind: "participle", places: ["BG_07_03.b.2"] },
  प्रकाशः: { kind: "adjective", places: ["BG_07_25.a.2"] },
  साङ्ख्यानां: { kind: "adjective", places: ["BG_03_03.b.2"] },
  साङ्ख्येन: { kind: "adjective", places: ["BG_13_25.b.2"] },
  पापेभ्यः: { kind: "adjective", places: ["BG_04_36.a.3"] },
  पापेषु: { kind: "adjective", places: ["BG_06_09.b.3"] },
  हुतं: { kind: "participle", places: ["BG_17_28.a.2"] },
  पुण्यं: { kind: "adjective", places: ["BG_18_76.b.2"] },
  स्थाने: { kind: "indeclinable", places: ["BG_11_36.a.1"] },
  मतं: { kind: "participle", places: ["BG_13_03.b.3"] },
  // An adjective in the first place, an adverb in the second.
  सत्यं: { kind: "adjective", places: ["BG_17_15.a.3", "BG_18_65.b.2"] },
  // 17.16 is printed मनः प्रसादः, one compound in two words.
  प्रसादः: { kind: "compound's last member", places: ["BG_17_16.a.2"] },
};

/** Why a token is no noun; nothing where it may be one. */
export function stopKind(form: string, place: string): StopKind | undefined {
  const word = STOP_WORDS[form];
  return word && (word.places?.includes(place) ?? true) ? word.kind : undefined;
}
