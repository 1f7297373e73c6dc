import type { TextSpan } from "../text_span.ts";
import { type FlagContext, SEVERITIES, type Severity } from "./flag.ts";

/** Words by which a sentence speaks against what it repeats. */
const CONDEMNING = new RegExp(
  "\\b(?:stereotyp\\w*|myths?|misconceptions?|prejudice\\w*|racis[mt]\\w*|sexis[mt]\\w*|bigot\\w*|" +
    "offensive|slurs?|derogatory|pejorative|insult\\w*|discriminat\\w+|hate speech|hateful|" +
    "harmful|untrue|unacceptable|outdated|dated term|antisemitic|homophobic|transphobic|ableist|" +
    "(?:is|are|was|were) (?:simply |just |plainly )?(?:wrong|false|nonsense)|" +
    "wrong to (?:say|claim|think|believe)|false to say|avoid (?:the|saying|using|calling|words)|" +
    "(?:should|must) (?:not|never) (?:say|use|be called|be said|call))\\b",
  "i",
);

/** What stands before a phrase that is denied. */
const NEGATING = new RegExp(
  "\\b(?:not (?:all|every|true that|the case that)|no evidence (?:that|for)|nobody should say|" +
    "never say|(?:does|do|did|is|are|was|were)(?:n['’]t| not) (?:mean|true|think|believe|say|" +
    "suggest|claim)(?: \\w+)?(?: that)?|den(?:y|ies|ied) that|reject\\w* (?:the|that)[^.!?]*)" +
    "\\s*(?:some |most |all )?[\"“'‘]?$",
  "i",
);

/** Whether the place lies between quotation marks of its sentence; apostrophes are none. */
function isQuoted(before: string, after: string): boolean {
  const straight = (before.match(/"/g)?.length ?? 0) % 2 === 1 && after.includes('"');
  const opened = before.lastIndexOf("“") > before.lastIndexOf("”");
  const single = /(?:^|[\s(])[‘'](?!\s)[^’']*$/.test(before) && /['’](?![\p{L}])/u.test(after);
  return straight || (opened && after.includes("”")) || single;
}

/** How the phrase at this place of the sentence is used; undefined for plain use. */
export function contextOf(
  text: string,
  sentence: TextSpan,
  span: TextSpan,
): FlagContext | undefined {
  const before = text.slice(sentence.start, span.start);
  const after = text.slice(span.end, sentence.end);
  if (NEGATING.test(before)) return "negated";
  if (CONDEMNING.test(before) || CONDEMNING.test(after)) return "condemned";
  return isQuoted(before, after) ? "quoted" : undefined;
}

/** What is denied, condemned or quoted weighs one step less; low stays low. */
export function loweredSeverity(severity: Severity, context: FlagContext | undefined): Severity {
  if (context === undefined) return severity;
  return SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)]!;
}
