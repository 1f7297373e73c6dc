/** Where a JSON object, or what would have become one, stands in a text. */
export interface FoundObject {
  readonly start: number;
  /** After its closing brace; the text's length for one that was never closed. */
  readonly end: number;
  readonly closed: boolean;
  /** Where its last entry that is certainly whole ends: at its last own comma; undefined without. */
  readonly lastComma: number | undefined;
  /** Its own keys in double quotes, in order; one that stands twice is here twice. */
  readonly keys: readonly string[];
}

/** A brace that a key follows, or nothing more: others are prose. */
const OBJECT_START =
  /\{\s*(?:$|\}|"[^"]{0,80}$|(?:"[^"]{0,80}"|'[^']{0,80}'|[A-Za-z_]\w{0,80})\s*(?::|$))/y;

/** Only the end of a string that is a key is followed so. */
const COLON = /\s*:/y;

/** Reads from a brace to the one that closes it; braces and commas within strings do not count. */
function objectAt(text: string, start: number): FoundObject {
  let [depth, inString, opened, lastComma] = [0, false, 0, undefined as number | undefined];
  const keys: string[] = [];
  const closeString = (at: number) => {
    COLON.lastIndex = at + 1;
    if (depth === 1 && COLON.test(text)) keys.push(text.slice(opened + 1, at));
    return false;
  };
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = closeString(at);
    } else if (character === '"') [inString, opened] = [true, at];
    else if (character === "{" || character === "[") depth++;
    else if (character === "," && depth === 1) lastComma = at;
    else if ((character === "}" || character === "]") && --depth === 0) {
      return { start, end: at + 1, closed: true, lastComma, keys };
    }
  }
  return { start, end: text.length, closed: false, lastComma, keys };
}

/**
 * The outermost JSON objects of a text, in order, prose between them passed over. Only the last may
 * be unclosed. Takes time in proportion to the text.
 */
export function jsonObjects(text: string): readonly FoundObject[] {
  const objects: FoundObject[] = [];
  for (let at = text.indexOf("{"); at !== -1;) {
    OBJECT_START.lastIndex = at;
    const found = OBJECT_START.test(text) ? objectAt(text, at) : undefined;
    if (found !== undefined) objects.push(found);
    at = text.indexOf("{", found?.end ?? at + 1);
  }
  return objects;
}
