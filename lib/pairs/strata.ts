/**
 * Whole numbers for shares of n that sum to n, by largest remainder (Hamilton's method); equal
 * remainders go to the name that comes first.
 *
 * Throws RangeError for a negative share or shares that do not sum to 1.
 */
export function allotShares(
  shares: Readonly<Record<string, number>>,
  n: number,
): readonly (readonly [name: string, count: number])[] {
  const names = Object.keys(shares).sort();
  const total = names.reduce((sum, name) => sum + (shares[name] ?? 0), 0);
  const negative = names.find((name) => !((shares[name] ?? 0) >= 0));
  if (negative !== undefined || Math.abs(total - 1) > 1e-9) {
    throw new RangeError(
      `Cannot allot shares ${JSON.stringify(shares)}: each must be ≥ 0 and their sum 1.`,
    );
  }
  // A share such as 0.4 of 125 must not become 49.999…
  const exact = names.map((name) => Number(((shares[name] ?? 0) * n).toFixed(9)));
  const floors = exact.map(Math.floor);
  const left = n - floors.reduce((sum, count) => sum + count, 0);
  const remainder = (index: number) => (exact[index] ?? 0) - (floors[index] ?? 0);
  const byRemainder = [...names.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b);
  const raised = new Set(byRemainder.slice(0, left));
  return names.map((name, index) => [name, (floors[index] ?? 0) + (raised.has(index) ? 1 : 0)]);
}
