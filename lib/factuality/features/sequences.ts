/** Length of the longest common subsequence: common items in the same order, gaps allowed. */
export function commonSubsequence<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean,
): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const row = [0];
    b.forEach((other, index) => {
      row.push(isSame(item, other) ? above[index]! + 1 : Math.max(above[index + 1]!, row[index]!));
    });
    above = row;
  }
  return above[b.length]!;
}

/** Length of the longest common run: common items in the same order without gaps. */
export function commonRun<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean,
): number {
  let longest = 0;
  let above = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const row = [0];
    b.forEach((other, index) => {
      row.push(isSame(item, other) ? above[index]! + 1 : 0);
      longest = Math.max(longest, row[index + 1]!);
    });
    above = row;
  }
  return longest;
}
