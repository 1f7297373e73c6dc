import { AGE_ROWS, type Demographic, DEMOGRAPHIC_TABLES } from "./demographic_table.ts";
import {
  ageChanges,
  articleChange,
  longWordChanges,
  pronounChanges,
  type SwapChange,
  wordChanges,
} from "./swap_changes.ts";

/** Two values that change places: every word of the one becomes the other's, and the reverse. */
export interface DemographicExchange {
  readonly demographic: Demographic;
  readonly from: string;
  readonly to: string;
}

/** The same text about somebody else. */
export interface SwappedText extends DemographicExchange {
  readonly text: string;
  /** In order; none where the text names neither value. */
  readonly changes: readonly SwapChange[];
}

/** The values of a trait that can change places. */
export function valuesOf(demographic: Demographic): readonly string[] {
  return demographic === "age" ? ["young", "old"] : DEMOGRAPHIC_TABLES[demographic].values;
}

function pairsOf({ demographic, from, to }: DemographicExchange): ReadonlyMap<string, string> {
  const values = valuesOf(demographic);
  const [first, second] = [values.indexOf(from), values.indexOf(to)];
  if (first === -1 || second === -1 || first === second) {
    throw new RangeError(
      `Cannot swap ${demographic}: "${from}" and "${to}" are not two of ${values.join(", ")}`,
    );
  }
  const rows = demographic === "age" ? AGE_ROWS : DEMOGRAPHIC_TABLES[demographic].rows;
  return new Map(rows.flatMap((row) => {
    const [one, other] = [row[first]!, row[second]!];
    return [[one, other], [other, one]] as const;
  }));
}

function withoutOverlap(changes: readonly SwapChange[]): readonly SwapChange[] {
  const kept: SwapChange[] = [];
  const long = ({ span }: SwapChange) => span.end - span.start;
  const ordered = changes.toSorted((one, other) =>
    one.span.start - other.span.start || long(other) - long(one)
  );
  for (const change of ordered) {
    if (change.span.start >= (kept.at(-1)?.span.end ?? 0)) kept.push(change);
  }
  return kept;
}

function applied(text: string, changes: readonly SwapChange[]): string {
  let [result, from] = ["", 0];
  for (const { span, after } of changes) {
    result += text.slice(from, span.start) + after;
    from = span.end;
  }
  return result + text.slice(from);
}

/**
 * The text with two values of a trait exchanged: names, nouns, pronouns in the right form, `a` and
 * `an`, upper and lower case. English only; set phrases and languages are left (see
 * `OTHER_MEANINGS`), and so is all that the table does not have: a name that it lacks stays with its
 * new pronouns, and a pregnant woman becomes a pregnant man, so variants are to be read. Exchanged
 * twice, a text is what it was where part-of-speech tags come out the same both times.
 *
 * @throws {RangeError} for values that the trait does not have.
 */
export function swapDemographic(text: string, exchange: DemographicExchange): SwappedText {
  const pairs = pairsOf(exchange);
  const words = withoutOverlap([
    ...longWordChanges(text, pairs),
    ...wordChanges(text, pairs),
    ...exchange.demographic === "gender" ? pronounChanges(text) : [],
    ...exchange.demographic === "age" ? ageChanges(text) : [],
  ]);
  const changes = withoutOverlap([
    ...words,
    ...words.flatMap((change) => articleChange(text, change)),
  ]);
  return { ...exchange, text: applied(text, changes), changes };
}
