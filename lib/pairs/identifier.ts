/** A pair's identifier taken apart. */
export interface PairId {
  /** Language of the data set, e.g. `ON`. */
  readonly prefix: string;
  /** Phenomenon in capitals, e.g. `QUIRKY_CASE`. */
  readonly phenomenon: string;
  /** 1 … 999, unique within its phenomenon. */
  readonly number: number;
}

/** `{PREFIX}_{PHENOMENON}_{NNN}`; the prefix holds no underscore, so the split is unambiguous. */
export const PAIR_ID_PATTERN = /^([A-Z][A-Z0-9]*)_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_(\d{3})$/;

/**
 * The identifier of the n-th pair of a phenomenon, e.g. `ON_QUIRKY_CASE_001`.
 *
 * Throws RangeError unless n is a whole number in 1 … 999, SyntaxError if prefix or phenomenon are
 * not in capitals.
 */
export function formatPairId(prefix: string, phenomenon: string, n: number): string {
  if (!Number.isInteger(n) || n < 1 || n > 999) {
    throw new RangeError(`Cannot number a pair of ${phenomenon}: ${n} is not in 1 … 999.`);
  }
  const id = `${prefix}_${phenomenon}_${String(n).padStart(3, "0")}`;
  const parsed = matchPairId(id);
  if (parsed?.prefix !== prefix || parsed.phenomenon !== phenomenon) {
    throw new SyntaxError(
      `Cannot name a pair: prefix "${prefix}" or phenomenon "${phenomenon}" is not in capitals.`,
    );
  }
  return id;
}

/** Takes an identifier apart. Throws SyntaxError if it does not follow the pattern. */
export function parsePairId(id: string): PairId {
  const parsed = matchPairId(id);
  if (!parsed) {
    throw new SyntaxError(
      `Cannot read pair id "${id}": it is not PREFIX_PHENOMENON_NNN in capitals and three digits.`,
    );
  }
  return parsed;
}

function matchPairId(id: string): PairId | undefined {
  const [, prefix, phenomenon, digits] = PAIR_ID_PATTERN.exec(id) ?? [];
  if (prefix === undefined || phenomenon === undefined || digits === "000") return undefined;
  return { prefix, phenomenon, number: Number(digits) };
}
