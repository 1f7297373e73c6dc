import { type RandomSource, randomSource } from "../../stats/random.ts";
import { type DemographicExchange, swapDemographic, valuesOf } from "../bias/demographic_swap.ts";
import type { Demographic } from "../bias/demographic_table.ts";
import { PORTRAIT_FRAMES, type PortraitFrame } from "./swap_frames.ts";
import { filled, type PortraitPerson } from "./swap_person.ts";

/** What a source says of somebody, a claim that it bears out and one with an error. */
export interface SwapPortrait {
  /** `p01` … */
  readonly id: string;
  readonly person: PortraitPerson;
  readonly source: string;
  readonly right: string;
  readonly wrong: string;
}

/** What is changed that says nothing of a group: the measure of mere sensitivity to wording. */
export const SWAP_CONTROLS = ["other name", "other age", "other word"] as const;
export type SwapControl = typeof SWAP_CONTROLS[number];

/** Traits that are exchanged; of disability none of the portraits speaks. */
export const SWAPPED_TRAITS = [
  ...["gender", "origin of name", "nationality", "religion", "age"] as const,
] satisfies readonly Demographic[];
export type SwappedTrait = typeof SWAPPED_TRAITS[number];

/** The control that changes as much of the text: the same words, within the group. */
export const CONTROL_OF: Readonly<Record<SwappedTrait, SwapControl>> = {
  ...{ "gender": "other name", "origin of name": "other name", "age": "other age" },
  ...{ "nationality": "other word", "religion": "other word" },
};

/** The same portrait about somebody else, or told in another irrelevant word. */
export interface PortraitVariant {
  readonly change: SwappedTrait | SwapControl;
  /** Value of the trait before and after; for controls the words. */
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly right: string;
  readonly wrong: string;
}

/** Values that are told of; few of the many, so that each is told of often enough. */
const VALUES: Readonly<Record<SwappedTrait, readonly string[]>> = {
  "gender": valuesOf("gender"),
  "origin of name": ["English", "Arabic", "Chinese", "Igbo"],
  "nationality": ["German", "Nigerian", "Mexican", "Indian"],
  "religion": valuesOf("religion"),
  "age": valuesOf("age"),
};

function personAt(index: number, random: RandomSource): PortraitPerson {
  const origins = VALUES["origin of name"];
  const young = 22 + random.integer(20);
  return {
    gender: index % 2 === 0 ? "female" : "male",
    ...{ givenName: random.integer(2) as 0 | 1, familyName: random.integer(2) as 0 | 1 },
    origin: origins[index % origins.length]!,
    nationality: random.sample(VALUES.nationality, 1)[0]!,
    religion: random.sample(VALUES.religion, 1)[0]!,
    age: random.integer(2) === 0 ? young : 100 - young,
  };
}

const tellAll = (frame: PortraitFrame, tell: (text: string) => string) => ({
  ...{ source: tell(frame.source), right: tell(frame.right), wrong: tell(frame.wrong) },
});

/**
 * The study's portraits, their people drawn by lot: as many women as men, every origin as often; in
 * turn one that names a nationality and one that names a religion, so that the first so many are
 * like all.
 */
export function swapPortraits(seed: number | string): readonly SwapPortrait[] {
  const portraits = PORTRAIT_FRAMES.map((frame, index): SwapPortrait => {
    const person = personAt(index, randomSource(`${seed}/portrait ${index}`));
    const id = `p${String(index + 1).padStart(2, "0")}`;
    return { id, person, ...tellAll(frame, (text) => filled(text, person)) };
  });
  const half = portraits.length / 2;
  return portraits.slice(0, half).flatMap((portrait, at) => [portrait, portraits[half + at]!]);
}

const VALUE: Readonly<Record<SwappedTrait, (person: PortraitPerson) => string>> = {
  "gender": ({ gender }) => gender,
  "origin of name": ({ origin }) => origin,
  "nationality": ({ nationality }) => nationality,
  "religion": ({ religion }) => religion,
  "age": ({ age }) => age < 50 ? "young" : "old",
};

/**
 * A portrait about others: each trait that it names exchanged, for up to `perTrait` other values
 * drawn by lot, in source and claims alike, so that what was true stays true; and the controls.
 */
export function portraitVariants(
  portrait: SwapPortrait,
  { seed, perTrait }: { readonly seed: number | string; readonly perTrait: number },
): readonly PortraitVariant[] {
  const swapped = SWAPPED_TRAITS.flatMap((demographic) => {
    const from = VALUE[demographic](portrait.person);
    const others = VALUES[demographic].filter((value) => value !== from);
    const random = randomSource(`${seed}/${portrait.id}/${demographic}`);
    return random.sample(others, Math.min(perTrait, others.length))
      .map((to) => exchanged(portrait, { demographic, from, to }))
      .filter(({ source }) => source !== portrait.source);
  });
  return [...swapped, ...controlsOf(portrait)];
}

function exchanged(
  { source, right, wrong }: SwapPortrait,
  exchange: DemographicExchange & { readonly demographic: SwappedTrait },
): PortraitVariant {
  const { demographic: change, from, to } = exchange;
  const tell = (text: string) => swapDemographic(text, exchange).text;
  return { change, from, to, ...tellAll({ source, right, wrong }, tell) };
}

function frameOf({ id }: SwapPortrait): PortraitFrame {
  return PORTRAIT_FRAMES[Number(id.slice(1)) - 1]!;
}

/** Another name of the same gender and origin, an age three years off, another irrelevant word. */
function controlsOf(portrait: SwapPortrait): readonly PortraitVariant[] {
  const { person } = portrait;
  const frame = frameOf(portrait);
  const renamed: PortraitPerson = {
    ...person,
    givenName: person.givenName === 0 ? 1 : 0,
    familyName: person.familyName === 0 ? 1 : 0,
  };
  const aged = { ...person, age: person.age < 50 ? person.age + 3 : person.age - 3 };
  const [, one, other] = /\[([^|\]]+)\|([^\]]+)\]/.exec(frame.source)!;
  const told = (who: PortraitPerson, word: 0 | 1 = 0) =>
    tellAll(frame, (text) => filled(text, who, word));
  return [
    {
      ...{ change: "other name", from: filled("{N}", person), to: filled("{N}", renamed) },
      ...told(renamed),
    },
    { change: "other age", from: String(person.age), to: String(aged.age), ...told(aged) },
    { change: "other word", from: one!, to: other!, ...told(person, 1) },
  ];
}
