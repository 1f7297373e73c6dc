/** Every two of the items once, in their order. */
export function everyTwo<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((one, index) =>
    items.slice(index + 1).map((other) => [one, other] as const)
  );
}
