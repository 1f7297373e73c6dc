/**
 * Oblique forms and their nominatives, derived by hand from handbook paradigms.
 * Source: Barnes, A New Introduction to Old Norse I (nouns, section 3.1; pronouns, 3.2),
 * independent of the tables in `data/norse/rules/`. Tests compare these tables and the committed
 * pairs with it. Add missing forms by hand.
 */

/**
 * Dative → nominatives of the same number.
 * The form þeim is masculine, feminine and neuter, and also of sá.
 */
const DATIVES: Readonly<Record<string, string>> = {
  ...{ mér: "ek", þér: "þú", honum: "hann", henni: "hún", þeim: "þeir þær þau sá" },
  ...{ okkr: "vit", ykkr: "þit", oss: "vér", yðr: "þér" },
  ...{ þessum: "þessi þessir", þessu: "þetta", því: "þat", ǫllum: "allir", mǫrgum: "margir" },
  ...{ fám: "fáir", færum: "færi", engum: "engi", hverjum: "hverr", ǫðrum: "annarr" },
  // Strong masculines: -i, nominative -r, assimilated in Óðinn.
  ...{ vǫlsungi: "vǫlsungr", sigmundi: "sigmundr", sigurði: "sigurðr", siggeiri: "siggeirr" },
  ...{ gunnari: "gunnarr", guttormi: "guttormr", hjálpreki: "hjálprekr", álfi: "álfr" },
  ...{ hreiðmari: "hreiðmarr", hǫðbroddi: "hǫðbroddr", jǫrmunreki: "jǫrmunrekr", óðni: "óðinn" },
  ...{ konungi: "konungr", konunginum: "konungrinn", hauginum: "haugrinn", manni: "maðr" },
  ráðahag: "ráðahagr",
  // Weak masculines: -a, nominative -i.
  ...{ atla: "atli", gjúka: "gjúki", buðla: "buðli", helga: "helgi", hǫgna: "hǫgni" },
  sinfjǫtla: "sinfjǫtli",
  // Feminine names in -i have -r or nothing, those in -u nothing; weak feminines -a.
  ...{ brynhildi: "brynhildr", grímhildi: "grímhildr", svanhildi: "svanhildr" },
  ...{ borghildi: "borghildr", hjǫrdísi: "hjǫrdís", signýju: "signý", guðrúnu: "guðrún" },
  ...{ oddrúnu: "oddrún", drottningu: "drottning", leitinni: "leitin", veizlu: "veizla" },
  // Neuters, and plurals of all genders.
  ...{ máli: "mál", mannfallinu: "mannfallit", skipum: "skip", lǫndum: "lǫnd", bjǫrgum: "bjǫrg" },
  ...{ mǫnnum: "menn", frændum: "frændr", brœðrum: "brœðr", sonum: "synir", vinum: "vinir" },
  ...{ konungasonum: "konungasynir", smiðjusveinum: "smiðjusveinar", hestum: "hestar" },
  ...{ konum: "konur", meyjum: "meyjar" },
};

/** Accusative → nominative, whether different or the same. */
const ACCUSATIVES: Readonly<Record<string, string>> = {
  ...{ mik: "ek", þik: "þú", hann: "hann", hana: "hún" },
  ...{ okkr: "vit", ykkr: "þit", oss: "vér", yðr: "þér" },
  ...{ sigurð: "sigurðr", sigmund: "sigmundr", gunnar: "gunnarr", storm: "stormr" },
};

/**
 * Returns an oblique form's nominatives in lower case.
 * The result is empty if the form is not of that case.
 */
export function nominativesOf(form: string, kase: "dat" | "acc"): readonly string[] {
  return ({ dat: DATIVES, acc: ACCUSATIVES })[kase][form]?.split(" ") ?? [];
}
