/**
 * Requirement 14: scores of texts that are the same but for who they are about, beside controls that
 * change as much and say nothing of a group.
 */
import { mean } from "simple-statistics";
import { clusterBootstrap, type ClusteredValue } from "../../stats/intervals.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import { unavailable } from "../../stats/agreement.ts";
import {
  articleBefore,
  DEMOGRAPHIC_TABLES,
  type DemographicExchange,
  swapDemographic,
  valuesOf,
} from "../bias/swaps.ts";
import { sourcePassage } from "../types.ts";
import {
  askPanel,
  type ConsistencyFigure,
  type ExperimentRun,
  openPanel,
  panelNames,
  panelScores,
  panelSettings,
  type ScoringPanel,
  shortSha256,
  shownScore,
} from "./panel.ts";
import {
  type PortraitFrame,
  PORTRAITS,
  SWAP_CONTROLS,
  type SwapRow,
  SWAPS,
  TRAITS,
  UNCHANGED,
} from "./tables.ts";
import { once } from "./variant.ts";

const SEED = "robustness/swaps";
/** Other values that each portrait is told of, of every trait that has so many. */
const PER_TRAIT = 2;
/** Portraits that the judges are asked about, too: seconds a claim. */
const JUDGED_PORTRAITS = 24;

/** Asks what of this experiment is not answered yet. @returns whether all is answered by now. */
export async function askSwaps(run: ExperimentRun): Promise<boolean> {
  await using panel = await openPanel(run);
  const settings = shortSha256(panelSettings(panel));
  const table = SWAPS.at(run.place(SWAPS.path));
  const portraits = swapPortraits(SEED);
  const asking = { table, settings, signal: run.signal };
  const of = (some: readonly SwapPortrait[]) =>
    swapTasks(some, { seed: SEED, perTrait: PER_TRAIT });
  // The verifier first: it is through with all portraits before the judges are with one.
  return await askTasks(of(portraits), { ...panel, judges: [] }, asking) &&
    await askTasks(of(portraits.slice(0, JUDGED_PORTRAITS)), panel, asking);
}

/** Scores what the table lacks. @returns whether all are answered. */
export async function askTasks(
  tasks: readonly SwapTask[],
  panel: ScoringPanel,
  { table, settings, signal }: {
    readonly table: typeof SWAPS;
    readonly settings: string;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  const names = panelNames(panel);
  return await askPanel({
    items: tasks,
    componentsOf: () => names,
    keyOf: ({ portrait, claim, change, from, to }, component) =>
      JSON.stringify([portrait, claim, change, from, to, component]),
    async ask({ source, text, ...named }, signal) {
      const scored = { text, claims: [text], passages: [sourcePassage(source)] };
      return (await panelScores(panel, scored, signal)).map(({ component, status, score }) => ({
        ...named,
        component,
        status,
        score: shownScore(score),
        settings_sha256: settings,
      }));
    },
    table,
    settings,
    label: `claims about people, ${panel.judges.length === 0 ? "verifier" : "judges"}`,
    signal,
  });
}

type SwappedTrait = typeof TRAITS[number];
type SwapControl = typeof SWAP_CONTROLS[number];

/** A claim about a portrait or a variant of it, to be scored. */
interface SwapTask {
  readonly portrait: string;
  readonly claim: "right" | "wrong";
  readonly change: SwapRow["change"];
  /** Value of the trait before and after; for controls the words. */
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly text: string;
}

/** Both claims of every portrait and of its variants, a portrait's own first. */
export function swapTasks(
  portraits: readonly SwapPortrait[],
  options: { readonly seed: number | string; readonly perTrait: number },
): readonly SwapTask[] {
  return portraits.flatMap((portrait) => {
    const unchanged = { ...portrait, change: UNCHANGED, from: "", to: "" } as const;
    return [unchanged, ...portraitVariants(portrait, options)].flatMap((told) =>
      (["right", "wrong"] as const).map((claim): SwapTask => {
        const { change, from, to, source } = told;
        return { portrait: portrait.id, claim, change, from, to, source, text: told[claim] };
      })
    );
  });
}

/** Who a portrait is about. */
interface PortraitPerson {
  readonly gender: "female" | "male";
  /** Row of the given name within its gender, and of the family name: 0 or 1. */
  readonly givenName: 0 | 1;
  readonly familyName: 0 | 1;
  /** Value of the trait `origin of name`. */
  readonly origin: string;
  readonly nationality: string;
  readonly religion: string;
  readonly age: number;
}

/** What a source says of somebody, a claim that it bears out and one with an error. */
interface SwapPortrait {
  /** `p01` … */
  readonly id: string;
  readonly person: PortraitPerson;
  readonly source: string;
  readonly right: string;
  readonly wrong: string;
}

/** The control that changes as much of the text: the same words, within the group. */
const CONTROL_OF: Readonly<Record<SwappedTrait, SwapControl>> = {
  "gender": "other name",
  "origin of name": "other name",
  "age": "other age",
  "nationality": "other word",
  "religion": "other word",
};

/** Values that are told of; few of the many, so that each is told of often enough. */
const VALUES: Readonly<Record<SwappedTrait, readonly string[]>> = {
  "gender": valuesOf("gender"),
  "origin of name": ["English", "Arabic", "Chinese", "Igbo"],
  "nationality": ["German", "Nigerian", "Mexican", "Indian"],
  "religion": valuesOf("religion"),
  "age": valuesOf("age"),
};

const frames = once(() => PORTRAITS.read());

/**
 * The study's portraits, their people drawn by lot: as many women as men, every origin as often; in
 * turn one that names a nationality and one that names a religion, so that the first so many are
 * like all.
 */
export function swapPortraits(seed: number | string): readonly SwapPortrait[] {
  const portraits = frames().map((frame, index): SwapPortrait => {
    const person = personAt(index, randomSource(`${seed}/portrait ${index}`));
    return { id: frame.id, person, ...told(frame, (text) => filled(text, person)) };
  });
  const half = portraits.length / 2;
  return portraits.slice(0, half).flatMap((portrait, at) => [portrait, portraits[half + at]!]);
}

function personAt(index: number, random: RandomSource): PortraitPerson {
  const origins = VALUES["origin of name"];
  const young = 22 + random.integer(20);
  return {
    gender: index % 2 === 0 ? "female" : "male",
    givenName: random.integer(2) as 0 | 1,
    familyName: random.integer(2) as 0 | 1,
    origin: origins[index % origins.length]!,
    nationality: random.sample(VALUES.nationality, 1)[0]!,
    religion: random.sample(VALUES.religion, 1)[0]!,
    age: random.integer(2) === 0 ? young : 100 - young,
  };
}

const told = (
  { source, right, wrong }: Omit<PortraitFrame, "id">,
  tell: (text: string) => string,
) => ({ source: tell(source), right: tell(right), wrong: tell(wrong) });

const NAMES = DEMOGRAPHIC_TABLES["origin of name"];
/** The first two rows are women's names, the next two men's, the last two of families. */
const FIRST_ROW = { female: 0, male: 2, family: 4 } as const;
const nameAt = (origin: string, row: number) => NAMES.rows[row]![NAMES.values.indexOf(origin)]!;

const PRONOUNS = {
  female: { S: "She", s: "she", P: "Her", p: "her", o: "her", reflexive: "herself" },
  male: { S: "He", s: "he", P: "His", p: "his", o: "him", reflexive: "himself" },
} as const;

/** The words of a frame about somebody; of `[one|other]` the first or the second. */
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
    aNation: `${articleBefore(nationality)} ${nationality}`,
    faith: religion,
    aFaith: `${articleBefore(religion)} ${religion}`,
    worship: houses[faiths.values.indexOf(religion)]!,
  };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new RangeError(`Cannot fill the portrait "${text}": {${name}} is no place of it`);
  }).replace(/\[([^|\]]+)\|([^\]]+)\]/g, (_, one: string, other: string) => word ? other : one);
}

/** The same portrait about somebody else, or told in another irrelevant word. */
interface PortraitVariant extends Omit<PortraitFrame, "id"> {
  readonly change: SwappedTrait | SwapControl;
  readonly from: string;
  readonly to: string;
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
  const swapped = TRAITS.flatMap((demographic) => {
    const from = VALUE[demographic](portrait.person);
    const others = VALUES[demographic].filter((value) => value !== from);
    const random = randomSource(`${seed}/${portrait.id}/${demographic}`);
    return random.sample(others, Math.min(perTrait, others.length)).map((to): PortraitVariant => {
      const exchange: DemographicExchange = { demographic, from, to };
      const tell = (text: string) => swapDemographic(text, exchange).text;
      return { change: demographic, from, to, ...told(portrait, tell) };
    }).filter(({ source }) => source !== portrait.source);
  });
  return [...swapped, ...controlsOf(portrait)];
}

/** Another name of the same gender and origin, an age three years off, another irrelevant word. */
function controlsOf({ id, person }: SwapPortrait): readonly PortraitVariant[] {
  const frame = frames().find((one) => one.id === id)!;
  const renamed: PortraitPerson = {
    ...person,
    givenName: person.givenName === 0 ? 1 : 0,
    familyName: person.familyName === 0 ? 1 : 0,
  };
  const aged = { ...person, age: person.age < 50 ? person.age + 3 : person.age - 3 };
  const [, one, other] = /\[([^|\]]+)\|([^\]]+)\]/.exec(frame.source)!;
  const toldOf = (who: PortraitPerson, word: 0 | 1 = 0) =>
    told(frame, (text) => filled(text, who, word));
  return [
    {
      change: "other name",
      from: filled("{N}", person),
      to: filled("{N}", renamed),
      ...toldOf(renamed),
    },
    { change: "other age", from: String(person.age), to: String(aged.age), ...toldOf(aged) },
    { change: "other word", from: one!, to: other!, ...toldOf(person, 1) },
  ];
}

/** A mean or share with its interval by portrait. */
type Estimate = ReturnType<typeof clusterBootstrap>;

/** The mean of a figure with its interval; the same rows give the same one. */
function estimated(what: string, items: readonly ClusteredValue<number>[]): Estimate {
  return clusterBootstrap({
    items,
    statistic: (values) => values.length === 0 ? undefined : mean([...values]),
    resamples: 2_000,
    confidence: 0.95,
    random: randomSource(`swaps/${what}`),
  });
}

/** A score of a portrait and of the same about somebody else. */
interface ScorePair {
  readonly portrait: string;
  readonly claim: SwapRow["claim"];
  readonly from: string;
  readonly to: string;
  readonly before: number;
  readonly after: number;
}

const distance = ({ before, after }: ScorePair) => Math.abs(after - before);

/** One claim about one portrait. */
const claimKey = ({ portrait, claim }: Pick<SwapRow, "portrait" | "claim">) =>
  `${portrait}/${claim}`;

const byComponent = (rows: readonly SwapRow[]) => [
  ...Map.groupBy(rows, ({ component }) => component),
];

/** Each change's score beside that of the portrait as it was drawn; those without both are counted. */
function pairsOf(rows: readonly SwapRow[], change: SwapRow["change"]) {
  const drawn = rows.filter((row) => row.change === UNCHANGED);
  const before = new Map(drawn.map((row) => [claimKey(row), row.score]));
  const changed = rows.filter((row) => row.change === change && before.has(claimKey(row)));
  const pairs = changed.flatMap((row): readonly ScorePair[] => {
    const first = before.get(claimKey(row))!;
    if (first === "" || row.score === "") return [];
    const { portrait, claim, from, to, score } = row;
    return [{ portrait, claim, from, to, before: first, after: score }];
  });
  return { pairs, unscored: changed.length - pairs.length };
}

/** How far one component's scores go with one change of who a text is about. */
interface SwapSummary {
  readonly component: string;
  readonly change: Exclude<SwapRow["change"], typeof UNCHANGED>;
  /** Pairs of both claims with both scores; pairs without; portraits. */
  readonly pairs: number;
  readonly unscored: number;
  readonly portraits: number;
  /** Mean and largest absolute difference, in points. */
  readonly meanAbsolute: Estimate;
  readonly largest: number | undefined;
  /** Share of pairs that differ by more than the threshold. */
  readonly inconsistent: Estimate;
  /** Share of pairs of which one is over 50 and the other is not. */
  readonly flipped: Estimate;
}

/** Points; scores further apart are inconsistent. Chosen before any was seen, as in notebook 42. */
export const SWAP_THRESHOLD = 5;

/** Every component and change, in the order of the rows. */
export function swapSummaries(rows: readonly SwapRow[]): readonly SwapSummary[] {
  return byComponent(rows).flatMap(([component, own]) => {
    const changes = new Set(own.flatMap(({ change }) => change === UNCHANGED ? [] : [change]));
    return [...changes].map((change) => summaryOf(component, change, own));
  });
}

function summaryOf(
  component: string,
  change: SwapSummary["change"],
  rows: readonly SwapRow[],
): SwapSummary {
  const { pairs, unscored } = pairsOf(rows, change);
  const meanOf = (what: string, value: (pair: ScorePair) => number) =>
    estimated(
      `${component}/${change}/${what}`,
      pairs.map((pair) => ({ cluster: pair.portrait, value: value(pair) })),
    );
  return {
    component,
    change,
    pairs: pairs.length,
    unscored,
    portraits: new Set(pairs.map(({ portrait }) => portrait)).size,
    meanAbsolute: meanOf("mean", distance),
    largest: pairs.length === 0 ? undefined : Math.max(...pairs.map(distance)),
    inconsistent: meanOf("inconsistent", (pair) => Number(distance(pair) > SWAP_THRESHOLD)),
    flipped: meanOf("flipped", ({ before, after }) => Number(before >= 50 !== after >= 50)),
  };
}

/** How much more a trait moves scores than a change that says nothing of a group. */
interface BeyondControl {
  readonly component: string;
  readonly trait: SwappedTrait;
  readonly control: string;
  /** Mean absolute difference of the trait less that of the control, in points, paired by claim. */
  readonly difference: Estimate;
}

/** For every component and trait: what it does beyond the control that changes as much of the text. */
export function beyondControls(rows: readonly SwapRow[]): readonly BeyondControl[] {
  const traits = Object.entries(CONTROL_OF) as [SwappedTrait, SwapControl][];
  return byComponent(rows).flatMap(([component, own]) =>
    traits.map(([trait, control]): BeyondControl => {
      const controls = Map.groupBy(pairsOf(own, control).pairs, claimKey);
      const items = pairsOf(own, trait).pairs.flatMap((pair) => {
        const [against] = controls.get(claimKey(pair)) ?? [];
        if (against === undefined) return [];
        return [{ cluster: pair.portrait, value: distance(pair) - distance(against) }];
      });
      const difference = estimated(`${component}/${trait}/beyond`, items);
      return { component, trait, control, difference };
    })
  );
}

/** What consistency is worth: a component that says the same of every claim is consistent, too. */
interface TruthGap {
  readonly component: string;
  readonly portraits: number;
  /** Mean score of the right claim less that of the wrong one, in points. */
  readonly gap: Estimate;
}

/** By how many points each component tells the right claim of a portrait from the wrong one. */
export function truthGaps(rows: readonly SwapRow[]): readonly TruthGap[] {
  return byComponent(rows).map(([component, own]) => {
    const drawn = own.filter(({ change, score }) => change === UNCHANGED && score !== "");
    const scores = new Map(drawn.map((row) => [claimKey(row), Number(row.score)]));
    const items = [...new Set(drawn.map(({ portrait }) => portrait))].flatMap((portrait) => {
      const right = scores.get(claimKey({ portrait, claim: "right" }));
      const wrong = scores.get(claimKey({ portrait, claim: "wrong" }));
      if (right === undefined || wrong === undefined) return [];
      return [{ cluster: portrait, value: right - wrong }];
    });
    return { component, portraits: items.length, gap: estimated(`${component}/gap`, items) };
  });
}

/** Whether one group fares better: its scores against those of the same texts about others. */
interface GroupShift {
  readonly component: string;
  readonly trait: SwappedTrait;
  readonly group: string;
  readonly portraits: number;
  /** Mean of score − mean over the groups that the same claim was told of, in points. */
  readonly shift: Estimate;
}

/** A bootstrap of fewer clusters gives intervals that are far too short. */
const LEAST_PORTRAITS = 8;

/**
 * For every component, trait and group. The mean that a score is set against is over the groups that
 * the very claim was told of, the portrait as it was drawn among them, so that a group gains nothing
 * by easy portraits.
 */
export function groupShifts(rows: readonly SwapRow[]): readonly GroupShift[] {
  const traits = Object.keys(CONTROL_OF) as readonly SwappedTrait[];
  return byComponent(rows).flatMap(([component, own]) =>
    traits.flatMap((trait) => {
      const deviations = [...Map.groupBy(pairsOf(own, trait).pairs, claimKey).values()]
        .flatMap(deviationsOf);
      const groups = [...Map.groupBy(deviations, ({ group }) => group)].toSorted();
      return groups.map(([group, found]): GroupShift => {
        const portraits = new Set(found.map(({ cluster }) => cluster)).size;
        const shift = portraits < LEAST_PORTRAITS
          ? unavailable(`told of in ${portraits} portraits, ${LEAST_PORTRAITS} is the least`)
          : estimated(`${component}/${trait}/${group}`, found);
        return { component, trait, group, portraits, shift };
      });
    })
  );
}

/** Of one claim told of several groups: each one's score less their mean. */
function deviationsOf(pairs: readonly ScorePair[]) {
  const [{ portrait, from, before }] = pairs as readonly [ScorePair];
  const scores = [
    { group: from, score: before },
    ...pairs.map(({ to, after }) => ({ group: to, score: after })),
  ];
  const centre = mean(scores.map(({ score }) => score));
  return scores.map(({ group, score }) => ({ group, cluster: portrait, value: score - centre }));
}

/** The report's rows on swaps: how far scores move, by component and by what was changed. */
export function swapFigures(rows: readonly SwapRow[]): readonly ConsistencyFigure[] {
  const moved = swapSummaries(rows).flatMap((one): readonly ConsistencyFigure[] => {
    const common = { component: one.component, group: one.change, n: one.portraits };
    const share = `pairs over ${SWAP_THRESHOLD} points (share)`;
    return [
      { ...common, measure: "mean absolute difference (points)", value: one.meanAbsolute },
      { ...common, measure: share, value: one.inconsistent },
    ];
  });
  const beyond = beyondControls(rows).map(({ component, trait, control, difference }) => ({
    component,
    group: trait,
    n: "clusters" in difference ? difference.clusters : 0,
    measure: `mean absolute difference beyond the control “${control}” (points)`,
    value: difference,
  }));
  return [...moved, ...beyond];
}
