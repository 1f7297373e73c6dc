import { type EnglishToken, readEnglish } from "../../claims/english.ts";
import { type TextChange, type VariantRule } from "../variant.ts";

const DENIED = /(?<=\b(?:is|are|was|were|has|have|had|will|can|could|would|must|does|did) )not /u;
const CANNOT = /\bcannot\b/u;
const NEVER = /\bnever /u;

/** Joined to what is denied, these change what the denial reaches. */
const OUTSIDE_REACH =
  /\b(?:not|never|no|nor|neither|without|only|all|every|each|both|some|few|many|most|any|unless|hardly|if|whether)\b/iu;

const AUXILIARY = /^(?:is|are|was|were|has|have|had|will|can|could|would|must|should|does|did)$/u;

/** Never participles, unlike "known" and "led" in "the area known as Bengal". */
const PAST =
  /^(?:began|took|rose|fell|grew|became|gave|went|came|saw|chose|drove|broke|withdrew|overthrew|won)$/u;

/** "Not" taken out, or else put in at the first verb of the main clause. */
export const flipNegation: VariantRule = (text) => takenOut(text) ?? putIn(text);

function takenOut(text: string): TextChange | undefined {
  const not = DENIED.exec(text) ?? NEVER.exec(text);
  if (not !== null) {
    if (/^(?:not|never) (?:only|yet|necessarily|just|until)/u.test(text.slice(not.index))) {
      return undefined;
    }
    return { start: not.index, end: not.index + not[0].length, to: "" };
  }
  const cannot = CANNOT.exec(text);
  return cannot === null
    ? undefined
    : { start: cannot.index, end: cannot.index + cannot[0].length, to: "can" };
}

function putIn(text: string): TextChange | undefined {
  if (OUTSIDE_REACH.test(text)) return undefined;
  const { tokens } = readEnglish(text);
  const place = firstVerb(tokens);
  return place === undefined ? undefined : denied(tokens, place);
}

/** The first finite verb behind a subject, where no clause has begun within it. */
function firstVerb(tokens: readonly EnglishToken[]): number | undefined {
  const place = tokens.findIndex(({ normal, partOfSpeech }, i) =>
    i > 0 && tokens[i - 1]!.text !== "-" &&
    (AUXILIARY.test(normal) || partOfSpeech === "VERB" && !normal.endsWith("ing"))
  );
  const before = tokens.slice(0, place);
  const hasSubject = before.some(({ partOfSpeech }) => /NOUN|PROPN|PRON/u.test(partOfSpeech));
  const inClause = before.some(({ normal }) =>
    /^(?:which|who|that|when|while|although|though|as|because|since|after|before|to|[:;“"])$/u
      .test(normal)
  );
  return place > 0 && hasSubject && !inClause ? place : undefined;
}

function denied(tokens: readonly EnglishToken[], place: number): TextChange | undefined {
  const [verb, next] = [tokens[place]!, tokens[place + 1]];
  if (next === undefined || next.partOfSpeech === "PUNCT") return undefined;
  const { start, end, text, normal, lemma } = verb;
  if (/^(?:has|have|had)$/u.test(normal) && !isParticiple(tokens, place + 1)) {
    return { start, end, to: `${helper(normal)} not have` };
  }
  if (AUXILIARY.test(normal)) {
    return { start, end, to: normal === "can" ? "cannot" : `${text} not` };
  }
  if (lemma === normal) return undefined;
  if (/s$/u.test(normal)) return { start, end, to: `does not ${lemma}` };
  const isPast = PAST.test(normal) ||
    /ed$/u.test(normal) && !/^(?:by|in|on|at|to|from|as|with|of)$/u.test(next.normal);
  return isPast ? { start, end, to: `did not ${lemma}` } : undefined;
}

const helper = (normal: string) => ({ has: "does", have: "do", had: "did" })[normal]!;

function isParticiple(tokens: readonly EnglishToken[], first: number): boolean {
  const next = tokens.slice(first).find(({ partOfSpeech }) => partOfSpeech !== "ADV");
  return next !== undefined &&
    (next.normal === "been" ||
      /(?:AUX|VERB)/u.test(next.partOfSpeech) && !/ing$/u.test(next.normal));
}
