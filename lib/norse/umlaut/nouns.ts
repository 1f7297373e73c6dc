import { umlautStems } from "./patterns.ts";

/**
 * Nouns of the saga whose a becomes ǫ. Paradigms: Noreen, Altisländische Grammatik (declension);
 * glosses: Zoëga, A Concise Dictionary of Old Icelandic.
 */
const UMLAUT_NOUNS_PROPER = umlautStems("noun", [
  ["HOND", "hǫnd", "hand", "handar", "hǫnd", "strong_feminine"],
  ["HOLL", "hǫll", "hall", "hallar", "hǫll", "strong_feminine", { prefixes: ["konungs"] }],
  ["SOK", "sǫk", "cause", "sakar", "sǫk", "strong_feminine", { prefixes: ["bana"] }],
  ["SOGN", "sǫgn", "tale", "sagnar", "sǫgn", "strong_feminine"],
  ["RODD", "rǫdd", "voice", "raddar", "rǫdd", "strong_feminine", {
    prefixes: ["fugla", "fugls", "vargs", "úlfs"],
  }],
  ["VEROLD", "verǫld", "world", "veraldar", "verǫld", "strong_feminine"],
  ["STYRJOLD", "styrjǫld", "strife", "styrjaldar", "styrjǫld", "strong_feminine"],
  ["SKOMM", "skǫmm", "shame", "skammar", "skǫmm", "strong_feminine"],
  ["KVOL", "kvǫl", "torment", "kvalar", "kvǫl", "strong_feminine"],
  ["GROF", "grǫf", "pit", "grafar", "grǫf", "strong_feminine"],
  ["GRON", "grǫn", "moustache", "granar", "grǫn", "strong_feminine"],
  ["VORN", "vǫrn", "defence", "varnar", "vǫrn", "strong_feminine"],
  ["HOFN", "hǫfn", "harbour", "hafnar", "hǫfn", "strong_feminine"],
  ["THOKK", "þǫkk", "thanks", "þakkar", "þǫkk", "strong_feminine"],
  ["NOS", "nǫs", "headland", "nasar", "nǫs", "strong_feminine", { prefixes: ["berg"] }],
  ["FOR", "fǫr", "journey", "farar", "fǫr", "strong_feminine", {
    prefixes: ["sendi", "her"],
    compoundOnly: true,
  }],
  ["FONN", "fǫnn", "snowdrift", "fannar", "fǫnn", "strong_feminine", {
    prefixes: ["snjó", "breða"],
  }],
  ["OND", "ǫnd", "breath", "andar", "ǫnd", "strong_feminine"],
  ["TONN", "tǫnn", "tooth", "tannar", "tǫnn", "strong_feminine", { prefixes: ["víg"] }],
  ["MORK", "mǫrk", "forest", "markar", "mǫrk", "strong_feminine"],
  ["DANMORK", "Danmǫrk", "Denmark", "Danmarkar", "danmǫrk", "strong_feminine", { tier: 2 }],
  ["SAGA", "saga", "story", "saga", "sǫg", "weak_feminine", { prefixes: ["forn", "her"] }],
  ["GATA", "gata", "path", "gata", "gǫt", "weak_feminine"],
  ["HARPA", "harpa", "harp", "harpa", "hǫrp", "weak_feminine"],
  ["FORTALA", "fortala", "persuasion", "fortala", "fortǫl", "weak_feminine"],
  ["HARMTALA", "harmtala", "lament", "harmtala", "harmtǫl", "weak_feminine"],
  ["FRAMGANGA", "framganga", "advance", "framganga", "framgǫng", "weak_feminine"],
  ["UPPTAKA", "upptaka", "taking", "upptaka", "upptǫk", "weak_feminine"],
  ["VOLLR", "vǫllr", "field", "vallar", "vǫll", "u_stem_masculine"],
  ["VOXTR", "vǫxtr", "growth, stature", "vaxtar", "vǫxt", "u_stem_masculine"],
  ["KOTTR", "kǫttr", "cat", "kattar", "kǫtt", "u_stem_masculine", { prefixes: ["hreysi"] }],
  ["GOLTR", "gǫltr", "boar", "galtar", "gǫlt", "u_stem_masculine", { prefixes: ["villi"] }],
  ["MOGR", "mǫgr", "son", "magar", "mǫg", "u_stem_masculine"],
  ["ORN", "ǫrn", "eagle", "arnar", "ǫrn", "u_stem_masculine_in_n"],
  ["MADR", "maðr", "man", "manni", "mǫnn", "masculine", { prefixes: ["konungs", "sendi"] }],
  ["DAGR", "dagr", "day", "dagar", "dǫg", "masculine"],
  ["VAGN", "vagn", "waggon", "vagnar", "vǫgn", "masculine"],
  ["VARGR", "vargr", "wolf", "vargar", "vǫrg", "masculine"],
  ["HAMR", "hamr", "skin, shape", "hamar", "hǫm", "masculine", { prefixes: ["úlfa", "úlf"] }],
  ["HAMARR", "hamarr", "hammer", "hamri", "hǫmr", "masculine", { prefixes: ["øxar"] }],
  ["BRAGD", "bragð", "trick", "bragð", "brǫgð", "neuter"],
  ["FANG", "fang", "provision, catch", "fang", "fǫng", "neuter", { prefixes: ["veiði"] }],
  ["LAND", "land", "land", "land", "lǫnd", "neuter", { prefixes: ["norðr"] }],
  ["BARN", "barn", "child", "barn", "bǫrn", "neuter"],
  ["BAND", "band", "bond", "band", "bǫnd", "neuter"],
  ["SVAR", "svar", "answer", "svar", "svǫr", "neuter"],
  ["TAL", "tal", "count", "tal", "tǫl", "neuter"],
  ["GRAS", "gras", "grass", "gras", "grǫs", "neuter"],
  ["BAKFALL", "bakfall", "stroke of an oar", "bakfall", "bakfǫll", "neuter"],
  ["UPPHAF", "upphaf", "beginning", "upphaf", "upphǫf", "neuter"],
  ["OHAPP", "óhapp", "mishap", "óhapp", "óhǫpp", "neuter"],
  ["SKOP", "skǫp", "fate", "skapa", "skǫp", "neuter_plural_only", { prefixes: ["ó"] }],
  ["FORLOG", "forlǫg", "fate", "forlaga", "forlǫg", "neuter_plural_only"],
  ["ORLOG", "ørlǫg", "fate", "ørlaga", "ørlǫg", "neuter_plural_only", { tier: 2 }],
  ["FADIR", "faðir", "father", "faðir", "fǫð", "kinship", {
    prefixes: ["móður"],
    suffixes: ["hefnda", "bana", "arfsins"],
  }],
  ["FOGNUDR", "fǫgnuðr", "joy", "fagnaðar", "fǫgn", "suffix_udr", { tier: 3 }],
  ["SVORFUN", "svǫrfun", "havoc", "svarfan", "svǫrf", "suffix_un", { tier: 3 }],
  ["FORUNEYTI", "fǫruneyti", "company", "fara", "fǫr", "first_element", {
    suffixes: ["neyti"],
    tier: 2,
  }],
]);

/** Nouns with ja beside jǫ: historically breaking of e, kept apart (tier 3). */
const BREAKING_NOUNS = umlautStems("noun", [
  ["JORD", "jǫrð", "earth", "jarðar", "jǫrð", "strong_feminine", { vowel: "breaking" }],
  ["GJOF", "gjǫf", "gift", "gjafar", "gjǫf", "strong_feminine", {
    vowel: "breaking",
    prefixes: ["fé"],
  }],
  ["FJODR", "fjǫðr", "feather", "fjaðrar", "fjǫðr", "strong_feminine", { vowel: "breaking" }],
  ["SKJOLDR", "skjǫldr", "shield", "skjaldar", "skjǫld", "u_stem_masculine", {
    vowel: "breaking",
  }],
  ["FJORDR", "fjǫrðr", "fjord", "fjarðar", "fjǫrð", "u_stem_masculine", {
    vowel: "breaking",
    prefixes: ["varins"],
  }],
  ["HJARTA", "hjarta", "heart", "hjarta", "hjǫrt", "weak_neuter", { vowel: "breaking" }],
  ["HJORTR", "hjǫrtr", "stag", "hjartar", "hjǫrt", "u_stem_masculine", { vowel: "breaking" }],
  ["KJOLR", "kjǫlr", "keel", "kjalar", "kjǫl", "u_stem_masculine", { vowel: "breaking" }],
  ["MJODR", "mjǫðr", "mead", "mjaðar", "mjǫð", "u_stem_masculine", { vowel: "breaking" }],
  ["BJORN", "bjǫrn", "bear", "bjarnar", "bjǫrn", "u_stem_masculine_in_n", {
    vowel: "breaking",
    prefixes: ["hvíta"],
  }],
  ["HJALT", "hjalt", "hilt", "hjalt", "hjǫlt", "neuter", {
    vowel: "breaking",
    prefixes: ["sverðs"],
  }],
  ["TJALD", "tjald", "hanging", "tjald", "tjǫld", "neuter", { vowel: "breaking" }],
  ["BJARG", "bjarg", "rock", "bjarg", "bjǫrg", "neuter", { vowel: "breaking" }],
  ["GJALD", "gjald", "payment", "gjald", "gjǫld", "neuter", {
    vowel: "breaking",
    prefixes: ["otrs"],
  }],
]);

/** All umlauting nouns. */
export const UMLAUT_NOUNS = [...UMLAUT_NOUNS_PROPER, ...BREAKING_NOUNS];
