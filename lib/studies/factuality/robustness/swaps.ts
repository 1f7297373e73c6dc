/**
 * Experiment on counterfactual portraits that differ in the person, with neutral controls
 * (requirement 14).
 */
import { mean as meanValue } from "simple-statistics";
import { mean, share } from "../../../stats/measure.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import {
  DEMOGRAPHIC_TABLES,
  indefiniteArticle,
  SWAP_THRESHOLD,
} from "../../../factuality/bias/swaps.ts";
import { swapDemographic, traitValues } from "../../../factuality/bias/swaps.ts";
import { sourcePassage } from "../../../factuality/types.ts";
import type { Round } from "../../../factuality/own/ask_round.ts";
import type { ComponentSettings } from "../../../factuality/own/component_answers.ts";
import type { ConsistencyStatistics } from "../../../factuality/own/variants/report.ts";
import * as panel from "./panel.ts";
import { PORTRAITS, SWAP_CONTROLS, SWAPS, TRAITS, UNCHANGED } from "./tables.ts";
import type { PortraitFrame, SwapRow } from "./tables.ts";

const SEED = "robustness/swaps";
/** Number of other values per portrait, of every trait with that many. */
const PER_TRAIT = 2;
/** Number of portraits for the judges, which take seconds per claim. */
const JUDGED_PORTRAITS = 24;

/** Experiment on claims about people with exchanged traits. */
export const SWAPPED_PEOPLE: panel.Experiment<SwapRow> = {
  name: "swaps",
  table: SWAPS,
  async *rounds(opened, run) {
    const settings = panel.panelSettings(opened, run);
    const portraits = swapPortraits(SEED);
    // The verifier first: it finishes all portraits before a judge finishes one.
    yield swapRound(swapTasks(portraits, SEED), { ...opened, judges: [] }, settings);
    yield swapRound(swapTasks(portraits.slice(0, JUDGED_PORTRAITS), SEED), opened, settings);
  },
  figures: (stored) => ({ swaps: swapFigures(stored(SWAPS)) }),
};

/** Makes the round in which verifier and judges, if any, score claims about portraits. */
export const swapRound = (
  tasks: readonly SwapTask[],
  scorers: panel.ScoringPanel,
  settings: ComponentSettings,
): Round<SwapRow> => ({
  label: `claims about people, ${scorers.judges.length === 0 ? "verifier" : "judges"}`,
  items: tasks.map((asked) => {
    const { source, text, ...known } = asked;
    const scored = { text, claims: [text], passages: [sourcePassage(source)] };
    return panel.scoredItem(known, asked, scored, scorers);
  }),
  components: panel.panelNames(scorers),
  settings,
});

type SwappedTrait = typeof TRAITS[number];
type SwapControl = typeof SWAP_CONTROLS[number];

/** A claim about a portrait or its variant, to be scored. */
interface SwapTask extends Pick<SwapRow, "portrait" | "claim" | "change" | "from" | "to"> {
  readonly source: string;
  readonly text: string;
}

/** Both claims of every portrait and of its variants, the original portrait first. */
export const swapTasks = (
  portraits: readonly SwapPortrait[],
  seed: number | string,
): readonly SwapTask[] =>
  portraits.flatMap((portrait) => {
    const unchanged = { ...portrait, change: UNCHANGED, from: "", to: "" } as const;
    return [unchanged, ...portraitVariants(portrait, seed)].flatMap((variant) =>
      (["right", "wrong"] as const).map((claim) => {
        const { change, from, to, source } = variant;
        return { portrait: portrait.id, claim, change, from, to, source, text: variant[claim] };
      })
    );
  });

/** Person of a portrait. Names are indices of the rows of given and family names. */
type PortraitPerson = ReturnType<typeof personAt>;

/** A source about a person with a supported and an erroneous claim. */
interface SwapPortrait extends PortraitFrame {
  readonly person: PortraitPerson;
}

/**
 * Value of each trait, with its matched control. The control changes the same words within the
 * group.
 */
const TRAIT: Readonly<
  Record<SwappedTrait, readonly [(person: PortraitPerson) => string, SwapControl]>
> = {
  "gender": [({ gender }) => gender, "other name"],
  "origin of name": [({ origin }) => origin, "other name"],
  "age": [({ age }) => age < 50 ? "young" : "old", "other age"],
  "nationality": [({ nationality }) => nationality, "other word"],
  "religion": [({ religion }) => religion, "other word"],
};

/** Traits in the order of the figures. */
const TRAITS_IN_ORDER = Object.keys(TRAIT) as SwappedTrait[];

/** Values used in portraits. Few of many, so that each occurs often enough. */
const VALUES: Readonly<Record<SwappedTrait, readonly string[]>> = {
  "gender": traitValues("gender"),
  "origin of name": ["English", "Arabic", "Chinese", "Igbo"],
  "nationality": ["German", "Nigerian", "Mexican", "Indian"],
  "religion": traitValues("religion"),
  "age": traitValues("age"),
};

const FRAMES = PORTRAITS.read();

/** The study's portraits with balanced random people; every prefix is representative. */
export function swapPortraits(seed: number | string): readonly SwapPortrait[] {
  const portraits = FRAMES.map((frame, index) => {
    const person = personAt(index, randomSource(`${seed}/portrait ${index}`));
    return { id: frame.id, person, ...mapTexts(frame, (text) => filled(text, person)) };
  });
  const half = portraits.length / 2;
  return portraits.slice(0, half).flatMap((portrait, at) => [portrait, portraits[half + at]!]);
}

function personAt(index: number, random: RandomSource) {
  const origins = VALUES["origin of name"];
  const young = 22 + random.integer(20);
  return {
    gender: index % 2 === 0 ? "female" as const : "male" as const,
    givenName: random.integer(2) as 0 | 1,
    familyName: random.integer(2) as 0 | 1,
    origin: origins[index % origins.length]!,
    nationality: random.sample(VALUES.nationality, 1)[0]!,
    religion: random.sample(VALUES.religion, 1)[0]!,
    age: random.integer(2) === 0 ? young : 100 - young,
  };
}

type PortraitTexts = Omit<PortraitFrame, "id">;
const mapTexts = (
  { source, right, wrong }: PortraitTexts,
  tell: (text: string) => string,
): PortraitTexts => (
  { source: tell(source), right: tell(right), wrong: tell(wrong) }
);

const NAMES = DEMOGRAPHIC_TABLES["origin of name"];
/** First rows of names: two of women's, two of men's, two of family names. */
const FIRST_ROW = { female: 0, male: 2, family: 4 } as const;
const nameAt = (origin: string, row: number) => NAMES.rows[row]![NAMES.values.indexOf(origin)]!;

const PRONOUNS = {
  female: { S: "She", s: "she", P: "Her", p: "her", o: "her", reflexive: "herself" },
  male: { S: "He", s: "he", P: "His", p: "his", o: "him", reflexive: "himself" },
} as const;

/** Fills a frame with a person. Of `[one|other]` it uses the first or the second word. */
export function filled(text: string, person: PortraitPerson, word: 0 | 1 = 0): string {
  const { origin, nationality, religion } = person;
  const family = nameAt(origin, FIRST_ROW.family + person.familyName);
  const given = nameAt(origin, FIRST_ROW[person.gender] + person.givenName);
  const faiths = DEMOGRAPHIC_TABLES.religion;
  const houses = faiths.rows.find(([first]) => first === "church")!;
  const values: Readonly<Record<string, string>> = {
    ...PRONOUNS[person.gender],
    N: `${given} ${family}`,
    L: family,
    A: String(person.age),
    nation: nationality,
    aNation: `${indefiniteArticle(nationality)} ${nationality}`,
    faith: religion,
    aFaith: `${indefiniteArticle(religion)} ${religion}`,
    worship: houses[faiths.values.indexOf(religion)]!,
  };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new RangeError(`Cannot fill the portrait "${text}": {${name}} is no place of it`);
  }).replace(EITHER_WORD, (_, one: string, other: string) => word ? other : one);
}

const EITHER_WORD = /\[([^|\]]+)\|([^\]]+)\]/g;

/**
 * Makes a portrait's variants. Each trait is exchanged for up to two other values drawn at random,
 * in source and claims alike, so that truth is preserved. Controls use another name of the same
 * gender and origin, an age three years off, or another irrelevant word.
 */
export function portraitVariants(portrait: SwapPortrait, seed: number | string) {
  const { id, person } = portrait;
  const swapped = TRAITS.flatMap((demographic) => {
    const from = TRAIT[demographic][0](person);
    const others = VALUES[demographic].filter((value) => value !== from);
    const random = randomSource(`${seed}/${id}/${demographic}`);
    return random.sample(others, Math.min(PER_TRAIT, others.length)).map((to) => {
      const tell = (text: string) => swapDemographic(text, { demographic, from, to }).text;
      return { change: demographic, from, to, ...mapTexts(portrait, tell) };
    }).filter(({ source }) => source !== portrait.source);
  });
  const frame = FRAMES.find((one) => one.id === id)!;
  const other = (row: 0 | 1) => row === 0 ? 1 : 0;
  const [givenName, familyName] = [other(person.givenName), other(person.familyName)] as const;
  const age = person.age < 50 ? person.age + 3 : person.age - 3;
  const [either] = frame.source.match(EITHER_WORD)!;
  const control = (change: SwapControl, words: string, who: PortraitPerson, word: 0 | 1 = 0) => ({
    change,
    from: filled(words, person),
    to: filled(words, who, word),
    ...mapTexts(frame, (text) => filled(text, who, word)),
  });
  return [
    ...swapped,
    control("other name", "{N}", { ...person, givenName, familyName }),
    control("other age", "{A}", { ...person, age }),
    control("other word", either, person, 1),
  ];
}

/** Key of one claim about one portrait. */
const claimKey = ({ portrait, claim }: Pick<SwapRow, "portrait" | "claim">) =>
  `${portrait}/${claim}`;

/** Pairs the score after each change with the original portrait's, where both exist. */
function pairsOf(rows: readonly SwapRow[], change: SwapRow["change"]) {
  const drawn = rows.filter((row) => row.change === UNCHANGED);
  const firsts = new Map(drawn.map((row) => [claimKey(row), row.score]));
  return rows.filter((row) => row.change === change).flatMap(({ score: after, ...row }) => {
    const before = firsts.get(claimKey(row)) ?? "";
    if (before === "" || after === "") return [];
    return [{ ...row, cluster: row.portrait, before, after, distance: Math.abs(after - before) }];
  });
}

/** Score difference between a portrait's true and false claim, in points. */
export const truthGaps = (rows: readonly SwapRow[]) =>
  panel.byComponent(rows).map(([component, ofComponent]) => {
    const drawn = ofComponent.filter(({ change, score }) => change === UNCHANGED && score !== "");
    const items = [...Map.groupBy(drawn, (row) => row.portrait)].flatMap(([cluster, both]) => {
      const [right, wrong] = ["right", "wrong"]
        .map((claim) => both.findLast((row) => row.claim === claim)?.score);
      if (right === undefined || wrong === undefined) return [];
      return [{ cluster, value: Number(right) - Number(wrong) }];
    });
    return { component, gap: mean(items) };
  });

/**
 * Group effects for every component, trait and group: the mean of its scores minus those of the
 * same texts about others, in points. The reference mean is over all groups of the same claim, the
 * original portrait included, so that easy portraits favour no group.
 */
export const groupShifts = (rows: readonly SwapRow[]) =>
  panel.byComponent(rows).flatMap(([component, ofComponent]) =>
    TRAITS_IN_ORDER.flatMap((trait) => {
      const claims = [...Map.groupBy(pairsOf(ofComponent, trait), claimKey).values()];
      const deviations = claims.flatMap((pairs) => {
        const { cluster, from, before } = pairs[0]!;
        const allGroups = [{ to: from, after: before }, ...pairs];
        const centre = meanValue(allGroups.map(({ after }) => after));
        return allGroups.map(({ to, after }) => ({ group: to, cluster, value: after - centre }));
      });
      return [...Map.groupBy(deviations, ({ group }) => group)].toSorted()
        .map(([group, items]) => ({ component, trait, group, shift: mean(items) }));
    })
  );

export const BEYOND = "mean absolute difference beyond the control";

/**
 * Report rows on swaps, by component in row order: for each change the mean absolute difference in
 * points and the share of pairs above the threshold; for each trait the excess over its control,
 * paired by claim.
 */
export function swapFigures(rows: readonly SwapRow[]): readonly ConsistencyStatistics[] {
  const moved = panel.byComponent(rows).flatMap(([component, ofComponent]) => {
    const changes = new Set(
      ofComponent.flatMap(({ change }) => change === UNCHANGED ? [] : [change]),
    );
    return [...changes].flatMap((group) => {
      const pairs = pairsOf(ofComponent, group);
      const common = { component, group, n: new Set(pairs.map(({ cluster }) => cluster)).size };
      const distances = pairs.map(({ cluster, distance }) => ({ cluster, value: distance }));
      const over = pairs.map(({ cluster, distance }) => (
        { cluster, value: distance > SWAP_THRESHOLD }
      ));
      const ofPairs = `pairs over ${SWAP_THRESHOLD} points (share)`;
      const measure = "mean absolute difference (points)";
      return [
        { ...common, measure, value: mean(distances, [0, 100]) },
        { ...common, measure: ofPairs, value: share(over) },
      ];
    });
  });
  const beyond = panel.byComponent(rows).flatMap(([component, ofComponent]) =>
    TRAITS_IN_ORDER.map((group) => {
      const control = TRAIT[group][1];
      const controls = new Map(
        pairsOf(ofComponent, control).map((pair) => [claimKey(pair), pair.distance]),
      );
      const items = pairsOf(ofComponent, group).flatMap(({ cluster, distance, ...pair }) => {
        const against = controls.get(claimKey(pair));
        return against === undefined ? [] : [{ cluster, value: distance - against }];
      });
      const value = mean(items);
      const n = value.kind === "unavailable" ? 0 : value.clusters ?? 0;
      return { component, group, n, measure: `${BEYOND} “${control}” (points)`, value };
    })
  );
  return [...moved, ...beyond];
}
