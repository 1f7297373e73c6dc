/**
 * The factbook writes family names in capitals ("Charles DE GAULLE"). No other source does, so that
 * claims and sources made of it would teach a habit of one book: they are written as elsewhere.
 * Abbreviations, which stand without a given name before them, stay.
 */
export function usualFamilyNames(text: string): string {
  const families = new Set<string>();
  const plain = text.replace(GIVEN_AND_FAMILY, (whole, given: string, name: string) => {
    const words = name.split(/[\s-]+/u);
    if (NO_GIVEN_NAME.test(given) || words.every((word) => word.length < 4)) return whole;
    words.filter((word) => word.length >= 4).forEach((word) => families.add(word));
    return whole.slice(0, -name.length) + titleCase(name);
  });
  return plain.replace(/\p{Lu}{4,}/gu, (word) => (families.has(word) ? titleCase(word) : word));
}

const GIVEN_AND_FAMILY =
  /(\p{Lu}\p{Ll}+) (?:\p{Lu}\. |al-|bin |ibn )?(\p{Lu}{2,}(?:[ -]\p{Lu}{2,})*)(?![\p{L}.])/gu;

const NO_GIVEN_NAME =
  /^(?:The|In|On|By|And|With|For|From|After|Under|Since|Both|When|While|As|Its)$/u;

function titleCase(name: string): string {
  return name.replace(/\p{L}+/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}
