/** Every two of some values, in their order: a b c give ab, ac, bc. */
export function everyTwo<Value>(
  values: readonly Value[],
): readonly (readonly [first: Value, second: Value])[] {
  return values.flatMap((first, place) =>
    values.slice(place + 1).map((second) => [first, second] as const)
  );
}
