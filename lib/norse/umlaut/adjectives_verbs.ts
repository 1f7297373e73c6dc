import { umlautStems } from "./patterns.ts";

/** Adjectives of the saga whose a becomes ǫ (Noreen; Barnes, chapter 3, on adjectives). */
export const UMLAUT_ADJECTIVES = umlautStems("adjective", [
  ["ALLR", "allr", "all", "allr", "ǫll", "adjective"],
  ["MARGR", "margr", "many", "margr", "mǫrg", "adjective"],
  ["FAGR", "fagr", "fair", "fagr", "fǫgr", "adjective"],
  ["GAMALL", "gamall", "old", "gamall", "gǫml", "adjective"],
  ["GAMALL", "gamall", "old", "gamall", "gǫm", "gamall_uncontracted"],
  ["GLADR", "glaðr", "glad", "glaðr", "glǫð", "adjective"],
  ["HARDR", "harðr", "hard", "harðr", "hǫrð", "adjective", { prefixes: ["all"] }],
  ["HVASS", "hvass", "keen", "hvassir", "hvǫss", "adjective"],
  ["LANGR", "langr", "long", "langr", "lǫng", "adjective"],
  ["SANNR", "sannr", "true", "sannr", "sǫnn", "adjective"],
  ["SKAMMR", "skammr", "short", "skammr", "skǫmm", "adjective"],
  ["SNARR", "snarr", "keen", "snarr", "snǫr", "adjective"],
  ["STRANGR", "strangr", "strong", "strangr", "strǫng", "adjective"],
  ["VANR", "vanr", "accustomed", "vanr", "vǫn", "adjective", { tier: 2 }],
  ["VANDR", "vandr", "trained", "vandr", "vǫnd", "adjective", { tier: 2 }],
]);

/** Pronouns. */
export const UMLAUT_PRONOUNS = umlautStems("pronoun", [
  ["ANNARR", "annarr", "other", "annarr", "ǫnn", "annarr_nn"],
  ["ANNARR", "annarr", "other", "annarr", "ǫð", "annarr_dh"],
]);

/** Verbs of the saga whose a becomes ǫ before a u of the ending (Barnes, chapter 3, on verbs). */
export const UMLAUT_VERBS = umlautStems("verb", [
  ["HAFA", "hafa", "have", "hafa", "hǫf", "present"],
  ["FARA", "fara", "go", "fara", "fǫr", "present"],
  ["GANGA", "ganga", "walk", "ganga", "gǫng", "present"],
  ["TAKA", "taka", "take", "taka", "tǫk", "present"],
  ["BERJA", "berja", "beat", "barði", "bǫrð", "weak_preterite"],
  ["LETJA", "letja", "dissuade", "latti", "lǫtt", "weak_preterite"],
  ["SEGJA", "segja", "say", "sagði", "sǫgð", "weak_preterite"],
  ["VERJA", "verja", "defend", "varði", "vǫrð", "weak_preterite"],
  ["BLANDA", "blanda", "mix", "blandaði", "blǫnd", "a_verb"],
  ["FAGNA", "fagna", "welcome", "fagnaði", "fǫgn", "a_verb"],
  ["FASTNA", "fastna", "betroth", "fastnaði", "fǫstn", "a_verb"],
  ["KALLA", "kalla", "call", "kallaði", "kǫll", "a_verb"],
  ["KLAKA", "klaka", "twitter", "klakaði", "klǫk", "a_verb"],
  ["VAKNA", "vakna", "wake", "vaknaði", "vǫkn", "a_verb"],
  ["VANDA", "vanda", "make with care", "vandaði", "vǫnd", "a_verb"],
]);
