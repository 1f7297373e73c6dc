/** Phrases as benchmarks look for them: anywhere in the answer, whatever stands around them. */
const PHRASES = [
  ...["i don't know", "i do not know", "not sure", "unsure", "unknown", "no idea"],
  ...["i'm sorry", "i am sorry", "i apologize", "unfortunately", "as an ai"],
  ...["cannot", "can't", "unable to", "could not find", "couldn't find"],
  ...["don't have", "do not have", "no information", "not aware", "not familiar"],
  ...["there is no", "does not exist", "doesn't exist", "not a real", "fictional", "no record"],
];

/** Whether a list of phrases takes the answer for an abstention: the baseline of the field. */
export function hasAbstentionPhrase(answer: string): boolean {
  const text = answer.toLowerCase().replaceAll("’", "'");
  return PHRASES.some((phrase) => text.includes(phrase));
}
