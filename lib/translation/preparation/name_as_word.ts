/** Finds a name in any case, but not within a longer word: `Fir` in "the fir tree", not in "first". */
export function nameAsWord(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, "iu");
}
