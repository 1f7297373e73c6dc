import { oneOf, type TextChange, type VariantRule } from "../variant.ts";

/** American and British, each way. */
const SPELLINGS: readonly (readonly [american: string, british: string])[] = [
  ["organization", "organisation"],
  ["organizations", "organisations"],
  ["colonized", "colonised"],
  ["recognized", "recognised"],
  ["labor", "labour"],
  ["neighboring", "neighbouring"],
  ["neighbors", "neighbours"],
  ["color", "colour"],
  ["colors", "colours"],
  ["center", "centre"],
  ["centers", "centres"],
  ["defense", "defence"],
  ["harbor", "harbour"],
  ["program", "programme"],
  ["programs", "programmes"],
  ["kilometers", "kilometres"],
  ["meters", "metres"],
  ["theater", "theatre"],
  ["percent", "per cent"],
  ["traveled", "travelled"],
  ["civilization", "civilisation"],
  ["industrialized", "industrialised"],
  ["modernization", "modernisation"],
  ["stabilize", "stabilise"],
  ["characterized", "characterised"],
  ["favorable", "favourable"],
];

/** Another spelling or mark that says nothing: labor ↔ labour, ' ↔ ’, "In 1963, …" without its comma, no full stop. */
export const respell: VariantRule = (text, _tools, random) => {
  const some = [...words(text), ...apostrophes(text), ...serialComma(text), ...openingComma(text)];
  return oneOf(some.length > 0 ? some : closingStop(text), random);
};

function words(text: string): readonly TextChange[] {
  return SPELLINGS.flatMap(([american, british]) =>
    [[american, british], [british, american]].flatMap(([from, to]) => {
      if (!text.includes(from!)) return [];
      const found = new RegExp(`(?<![\\p{L}-])${from}(?![\\p{L}-])`, "u").exec(text);
      return found === null
        ? []
        : [{ start: found.index, end: found.index + from!.length, to: to! }];
    })
  );
}

function apostrophes(text: string): readonly TextChange[] {
  return [...text.matchAll(/(?<=\p{L})['’](?=s\b)/gu)].map(({ 0: mark, index }) => ({
    ...{ start: index, end: index + 1, to: mark === "'" ? "’" : "'" },
  }));
}

/** "oil, gas, and gold" ↔ "oil, gas and gold". */
function serialComma(text: string): readonly TextChange[] {
  return [...text.matchAll(/(?<=, [\p{L}-]+), and (?=[\p{L}-]+[.,;])/gu)].map(({ index }) => ({
    ...{ start: index, end: index + ", and ".length, to: " and " },
  }));
}

function openingComma(text: string): readonly TextChange[] {
  const opening = /^In \d{4},/u.exec(text);
  return opening === null ? [] : [{ start: opening[0].length - 1, end: opening[0].length, to: "" }];
}

function closingStop(text: string): readonly TextChange[] {
  return text.endsWith(".") ? [{ start: text.length - 1, end: text.length, to: "" }] : [];
}
