/** One item of a contrast set: two sentences that differ in exactly one token. */
export interface MinimalPair<Phenomenon extends string = string> {
  /** `{PREFIX}_{PHENOMENON}_{NNN}`, e.g. `ON_QUIRKY_CASE_001`. */
  readonly id: string;
  readonly phenomenon: Phenomenon;
  readonly grammatical: string;
  readonly ungrammatical: string;
  /** The token of the grammatical member that was changed, without its punctuation. */
  readonly target: string;
  /** What was done to it, e.g. `dative_to_nominative`. */
  readonly errorType: string;
  readonly context?: string;
}

/** Where a sentence stands in its source. */
export interface SourceLocation {
  readonly text: string;
  readonly chapter: number;
  /** 1-based position of the sentence in its chapter, exclusions counted. */
  readonly sentence: number;
}

/** Why a pair is believed valid: every claim that was checked, and on what ground. */
export interface Certificate {
  readonly pairId: string;
  readonly source: SourceLocation;
  /** Identifier of the linguistic fact that licensed the pair, e.g. `QC_VERB_LIKA`. */
  readonly rule: string;
  /** Lemma of the lexical item that is tested: the cluster unit of every interval. */
  readonly lemma: string;
  /** Frame in which it is tested, e.g. `passive`, `attributive_indefinite`; selection spreads over it. */
  readonly construction: string;
  /** Paradigm cell of the grammatical form, e.g. `dat.sg.masc.3`. */
  readonly cellFrom: string;
  /** Paradigm cell of the ungrammatical form. */
  readonly cellTo: string;
  /** The checks that passed, in the order taken. */
  readonly checks: readonly string[];
  /** What the pair tests besides its phenomenon, e.g. `verb_person_clash`; empty when nothing. */
  readonly marks: readonly string[];
  /** Why the ungrammatical member is wrong, in plain English, one sentence. */
  readonly explanation: string;
  /** The sentence in the edition's own spelling. */
  readonly sourceSpelling: string;
  /** Who proposed it: `rules` or a model's name. */
  readonly proposedBy: string;
  /** SHA-256 (hex) of the template a model was asked with; empty for rules. */
  readonly promptSha256: string;
  /** SHA-256 (hex) over phenomenon, grammatical, ungrammatical and rule. */
  readonly sha256: string;
}

/** A candidate that was looked at and not certified. */
export interface Rejection<Reason extends string = string> {
  readonly source: SourceLocation;
  readonly phenomenon: string;
  /** The token, and where one was made, the form proposed for it: `hann>hann`. */
  readonly candidate: string;
  readonly reason: Reason;
  /** One line more, where the reason alone does not say it. */
  readonly detail: string;
}
