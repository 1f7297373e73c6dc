/**
 * How a middle form is built on an active one, and so how the active is restored.
 *
 * -sk is added to the active form; -r of the 2nd and 3rd person singular is dropped before it, t (and
 * tt) + s is written z: setr → sezk, leynt → leynzk, sett → setzk. The 1st person has -umsk.
 * Source: Noreen, Altisländische Grammatik, § 544; Barnes, A New Introduction to Old Norse I,
 * section 3.6 on -sk verb forms.
 */
export interface ActiveParts {
  readonly infinitive: string;
  /** 3rd person singular present indicative. */
  readonly present: string;
  /** 3rd person singular preterite indicative. */
  readonly preterite: string;
  /** 3rd person plural preterite indicative. */
  readonly preteritePlural: string;
  readonly supine: string;
}

export type VerbCell =
  | "infinitive"
  | "pres.3pl"
  | "pres.2|3sg"
  | "pres.1pl"
  | "pres.subj.2sg"
  | "imp.2pl"
  | "pret.1sg"
  | "pret.subj.1sg"
  | "pret.3sg"
  | "pret.3pl"
  | "pret.1pl"
  | "supine";

export interface MiddleForm {
  readonly middle: string;
  readonly active: string;
  readonly cell: VerbCell;
}

/** Reads the five parts of an active verb, e.g. `"berja berr barði bǫrðu barit"`. @throws SyntaxError unless there are five. */
export function readActiveParts(text: string): ActiveParts {
  const [infinitive, present, preterite, preteritePlural, supine, ...more] = text.split(" ");
  if (!infinitive || !present || !preterite || !preteritePlural || !supine || more.length > 0) {
    throw new SyntaxError(`Cannot read verb "${text}": five parts separated by one space expected`);
  }
  return { infinitive, present, preterite, preteritePlural, supine };
}

/** Adds -sk to a form: t or tt with s is written z. */
export function addMiddleSuffix(form: string): string {
  return /t$/u.test(form) ? `${form.slice(0, -1)}zk` : `${form}sk`;
}

/** A weak preterite ends in -i (gerði), a strong one in its stem (tók): -a or nothing in the 1st person. */
const firstPerson = (preterite: string) => preterite.replace(/i$/u, "a");

/** The middle forms of a verb beside the active forms they stand for. */
export function middleFormsOf(parts: ActiveParts): readonly MiddleForm[] {
  const { infinitive, present, preterite, preteritePlural, supine } = parts;
  const firstPlural = `${preteritePlural}m`;
  return [
    { middle: addMiddleSuffix(infinitive), active: infinitive, cell: "infinitive" },
    { middle: addMiddleSuffix(infinitive), active: infinitive, cell: "pres.3pl" },
    { middle: addMiddleSuffix(present.replace(/r$/u, "")), active: present, cell: "pres.2|3sg" },
    { middle: addMiddleSuffix(preterite), active: preterite, cell: "pret.3sg" },
    { middle: addMiddleSuffix(preteritePlural), active: preteritePlural, cell: "pret.3pl" },
    { middle: addMiddleSuffix(firstPlural), active: firstPlural, cell: "pret.1pl" },
    { middle: addMiddleSuffix(firstPlural), active: firstPerson(preterite), cell: "pret.1sg" },
    { middle: addMiddleSuffix(supine), active: supine, cell: "supine" },
  ];
}
