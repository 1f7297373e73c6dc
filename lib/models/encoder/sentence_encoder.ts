/** One token as the encoder read it, with the text it stands for and its vector in context. */
export interface EncodedToken {
  /** UTF-16 offsets into the text as it was given, `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** Unit length. Shared with other readers of the same text: never to be written to. */
  readonly vector: Float32Array;
}

/** A text as the encoder sees it. */
export interface EncodedText {
  /** Mean of the token vectors, the special tokens' included, at unit length; not to be written to. */
  readonly sentence: Float32Array;
  /** Word pieces in the order of the text, without the special tokens; none for a blank text. */
  readonly tokens: readonly EncodedToken[];
  /** Offset up to which the text was read: its length, or less where it is over the model's limit. */
  readonly readTo: number;
}

/** A model that turns a text into one vector, and every word of it into one that knows its context. */
export interface SentenceEncoder extends AsyncDisposable {
  readonly name: string;
  /** File hashes, precision, threads, batch shape: whatever could change a vector. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Components of a vector. */
  readonly dimensions: number;
  /**
   * One encoded text a text, in order. Texts asked for again come from a cache of bounded size.
   * Throws the signal's reason when it aborts, after the run under way (some 0.1 s).
   */
  encode(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly EncodedText[]>;
  /** Forgets the encoded texts that were kept, for want of memory. */
  clear(): void;
}
