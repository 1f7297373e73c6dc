/** The network of a sentence encoder: numbers of tokens in, vectors in context out. */
export interface EncoderNetwork extends AsyncDisposable {
  /** Components of a vector. */
  readonly dimensions: number;
  /** Most sequences of one run. */
  readonly batchSequences: number;
  /**
   * The last layer's vectors of the sequences' tokens, row after row; valid until the next run.
   */
  run(sequences: readonly (readonly number[])[]): Promise<Float32Array>;
}
