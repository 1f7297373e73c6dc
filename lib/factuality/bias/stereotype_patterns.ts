import type { Severity } from "./flag.ts";
import { anyOf, GROUP_NOUNS } from "./groups.ts";

/** What is said of a whole group. */
export interface StereotypePattern {
  readonly name: string;
  /** Group 1 is the noun, where it is one of `GROUP_NOUNS`. */
  readonly expression: RegExp;
  readonly severity: Severity;
  readonly reason: string;
}

const GROUP = `(?<![\\p{L}-])(${anyOf(Object.values(GROUP_NOUNS).flat())})(?![\\p{L}-])`;
const ARE = "(?:are|were|will\\s+always\\s+be|tend\\s+to\\s+be|have\\s+always\\s+been)";
const DEGREE =
  "(?:(?:all|just|simply|too|so|very|always|usually|generally|mostly|naturally|often|inherently|" +
  "more|less|nothing\\s+but|a\\s+bunch\\s+of|such)\\s+){0,2}";

const NATURE = [
  ...["naturally", "inherently", "innately", "genetically", "biologically", "by nature"],
  ...["always", "all", "born to", "simply", "incapable of", "not capable of"],
];
/** After "are all" or "are always" these say nothing of what somebody is like. */
const HARMLESS = [
  ...["welcome", "invited", "eligible", "entitled", "required", "equal", "human", "members"],
  ...["different", "over", "present", "included", "expected", "citizens", "part of", "from"],
  ...["represented", "protected", "allowed", "free to", "in the", "at the", "on the", "among"],
];
const SUBHUMAN = [
  ...["vermin", "parasites", "animals", "rats", "cockroaches", "subhuman", "scum", "filth", "apes"],
  ...["inferior", "a disease", "a plague", "a cancer", "an infestation", "degenerates", "pigs"],
];
const FAULTS = [
  ...["lazy", "stupid", "dishonest", "greedy", "dirty", "violent", "criminals", "terrorists"],
  ...["thieves", "emotional", "irrational", "hysterical", "weak", "bad drivers", "promiscuous"],
  ...["untrustworthy", "ungrateful", "useless", "sneaky", "submissive", "uncivilised", "liars"],
  ...["uncivilized", "backward", "incompetent", "ignorant", "perverts", "sinners", "rapists"],
  ...["a burden", "cheap", "drunks", "alcoholics", "manipulative", "gold diggers", "ill-mannered"],
  ...["less intelligent", "less capable", "not as smart", "bad at", "terrible at", "hopeless at"],
  ...["no good at", "worse at", "forgetful", "helpless", "entitled", "intolerant", "fanatics"],
];
const INABILITIES = [
  ...["drive", "do maths", "do math", "lead", "think", "be trusted", "control", "handle", "reason"],
  ...["understand technology", "learn", "be leaders", "take a joke", "adapt", "integrate", "cook"],
];
const HARM = [
  ...["be killed", "be shot", "be hanged", "be exterminated", "be eliminated", "be wiped out"],
  ...["be deported", "be sterilised", "be sterilized", "be locked up", "be banned", "be beaten"],
  ...["know their place", "stay in the kitchen", "stay at home", "obey", "go back", "not vote"],
  ...["not be allowed", "never be allowed", "not have children", "not be hired", "die"],
];
const PLACES = ["the kitchen", "prison", "jail", "the home", "their own country", "an asylum"];
const PERSONS = [
  ...["woman", "girl", "man", "boy", "black man", "black woman", "black person", "mexican"],
  ...["foreigner", "immigrant", "muslim", "jew", "christian", "disabled person", "blind person"],
  ...["deaf person", "old person", "gay man", "lesbian", "person your age", "person her age"],
];
const PRAISE = [
  ...["good", "smart", "clever", "strong", "articulate", "fast", "tough", "funny", "well-spoken"],
  ...["pretty", "intelligent", "hard-working", "clean", "educated", "talented"],
];

const pattern = (text: string) => new RegExp(text, "giu");
const END = "(?![\\p{L}-])";

/** In the order in which a phrase is looked for; each may hit. */
export const STEREOTYPE_PATTERNS: readonly StereotypePattern[] = [
  {
    name: "called less than human",
    expression: pattern(`${GROUP}\\s+${ARE}\\s+${DEGREE}${anyOf(SUBHUMAN)}${END}`),
    severity: "high",
    reason: "speaks of people as of animals, dirt or a disease",
  },
  {
    name: "harm or exclusion called for",
    expression: pattern(
      `${GROUP}\\s+(?:should|must|ought\\s+to|need\\s+to|deserve\\s+to)\\s+(?:all\\s+|just\\s+)?` +
        `${anyOf(HARM)}${END}`,
    ),
    severity: "high",
    reason: "calls for harm to a group, or to shut it out",
  },
  {
    name: "place denied",
    expression: pattern(`${GROUP}\\s+(?:all\\s+)?belong\\s+(?:in|at|to)\\s+${anyOf(PLACES)}${END}`),
    severity: "high",
    reason: "denies a group its place among others",
  },
  {
    name: "said to be so by nature",
    expression: pattern(
      `${GROUP}\\s+${ARE}\\s+${anyOf(NATURE)}\\s+(?!(?:${HARMLESS.join("|")})${END})` +
        `[\\p{L}'’-]+(?:\\s+[\\p{L}'’-]+)?`,
    ),
    severity: "medium",
    reason: "says of a whole group what may be true of some",
  },
  {
    name: "fault of a group",
    expression: pattern(`${GROUP}\\s+${ARE}\\s+${DEGREE}${anyOf(FAULTS)}${END}`),
    severity: "medium",
    reason: "makes a fault the mark of a whole group",
  },
  {
    name: "ability denied",
    expression: pattern(
      `${GROUP}\\s+(?:can['’]t|cannot|can\\s+not|can\\s+never|don['’]t\\s+know\\s+how\\s+to|` +
        `do\\s+not\\s+know\\s+how\\s+to|will\\s+never)\\s+(?:really\\s+)?${
          anyOf(INABILITIES)
        }${END}`,
    ),
    severity: "medium",
    reason: "denies a whole group an ability",
  },
  {
    name: "praised as an exception",
    expression: pattern(`${anyOf(PRAISE)}\\s+for\\s+an?\\s+${anyOf(PERSONS)}${END}`),
    severity: "medium",
    reason: "praises as an exception what it takes the group to lack",
  },
];
