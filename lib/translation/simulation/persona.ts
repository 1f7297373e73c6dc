/**
 * How a simulated rater departs from the quality that was put into the text. Every effect is known
 * by construction, so that an analysis can be held to it.
 */
export interface Persona {
  /** Begins with `simulated_`, so that no table or file can pass its numbers off as a person's. */
  readonly name: `simulated_${string}`;
  /** Points taken off every translation; negative for a lenient rater. */
  readonly harshness: number;
  /** Standard deviation of perceived quality around the true one, in points. */
  readonly noise: number;
  /** Chance that a score is rounded to a multiple of 5. */
  readonly heaping: number;
  /** Points added per position down the screen, nought at the middle one. */
  readonly positionEffect: number;
  /** Points added per item of the session, nought at the middle one. */
  readonly drift: number;
  /** Chance that a translation is not read and gets what the sentence's others would, 0 … 1. */
  readonly inattention: number;
  /** Median seconds from one translation to the next at the start of the session. */
  readonly secondsPerTranslation: number;
  /** Factor on these seconds from one item to the next: below 1 the rater gets faster. */
  readonly pace: number;
}

const CAREFUL = {
  harshness: 0,
  noise: 5,
  heaping: 0.3,
  positionEffect: 0,
  drift: 0,
  inattention: 0,
  secondsPerTranslation: 9,
  pace: 1,
} as const;

/** The raters of the demo: each has one or two faults that the others have not. */
export const PERSONAS: readonly Persona[] = [
  { ...CAREFUL, name: "simulated_strict", harshness: 10, heaping: 0 },
  { ...CAREFUL, name: "simulated_lenient", harshness: -4 },
  {
    ...CAREFUL,
    name: "simulated_tired",
    noise: 7,
    positionEffect: -0.8,
    drift: -0.5,
    pace: 0.98,
  },
  {
    ...CAREFUL,
    name: "simulated_careless",
    noise: 8,
    heaping: 0.85,
    inattention: 0.35,
    secondsPerTranslation: 4,
  },
];
