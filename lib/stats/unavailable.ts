/** A figure that the data cannot give. It stands where a number would, so that none is invented. */
export interface Unavailable {
  readonly kind: "unavailable";
  /** Why, in a few words: shown to the reader in place of the number. */
  readonly reason: string;
}

/** Builds an {@link Unavailable}. */
export function unavailable(reason: string): Unavailable {
  return { kind: "unavailable", reason };
}
