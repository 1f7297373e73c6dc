/** Letters say how most words begin; these begin otherwise. */
const CONSONANT_SOUND = /^(?:eu|u(?:krain|niv|nit|nique|ni[fo]|s[ae]|topi|rugu)|one\b|once\b)/i;
const VOWEL_SOUND = /^(?:hour|honest|honou?r|heir)/i;

/** Numbers that begin with a vowel when read aloud: 8, 11, 18, 80 to 89. */
const VOWEL_NUMBER = /^(?:8\d?(?!\d)|11(?!\d)|18(?!\d))/;

/** `a` or `an`, as the word that follows wants it. */
export function articleBefore(word: string): "a" | "an" {
  if (/^\d/.test(word)) return VOWEL_NUMBER.test(word) ? "an" : "a";
  if (VOWEL_SOUND.test(word)) return "an";
  return /^[aeiouáéíóú]/i.test(word) && !CONSONANT_SOUND.test(word) ? "an" : "a";
}
