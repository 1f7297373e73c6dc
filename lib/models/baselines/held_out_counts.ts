/** How often each key was seen, in all and in each fold: counts without a fold by subtraction. */
export class HeldOutCounts {
  readonly #all = new Map<string, number>();
  readonly #byFold = new Map<string, Map<string, number>>();

  add(key: string, fold: string): void {
    let own = this.#byFold.get(fold);
    if (own === undefined) this.#byFold.set(fold, own = new Map());
    this.#all.set(key, (this.#all.get(key) ?? 0) + 1);
    own.set(key, (own.get(key) ?? 0) + 1);
  }

  /** How often the key was seen outside the fold. */
  count(key: string, heldOut: string): number {
    return (this.#all.get(key) ?? 0) - (this.#byFold.get(heldOut)?.get(key) ?? 0);
  }

  /** Every key seen anywhere. */
  keys(): Iterable<string> {
    return this.#all.keys();
  }
}
