import { readQuantities } from "../../features/quantities/read_quantities.ts";
import { oneOf, type VariantRule } from "../variant.ts";
import { type Bound, compareQuantities } from "../../features/quantities/quantity.ts";
import { readAgain } from "./reading.ts";

/** How a unit is written, and what else measures the same kind of thing. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(?:square kilomet(?:re|er)s|sq km|km²)$/u, "sq miles"],
  [/(?<!square )kilomet(?:re|er)s$/u, "miles"],
  [/(?<!sq )km$/u, "miles"],
  [/(?:sq(?:uare)? miles)$/u, "sq km"],
  [/(?<!sq |square |nautical )miles$/u, "km"],
  [/nautical miles$|\bnm$/u, "km"],
  [/(?<!square )met(?:re|er)s$/u, "feet"],
  [/(?<=\d )m$/u, "feet"],
  [/feet$|\bft$/u, "meters"],
  [/hectares$/u, "acres"],
  [/acres$/u, "hectares"],
  [/kilograms$|\bkg$/u, "pounds"],
  [/(?:metric )?tons$|tonnes$/u, "kg"],
  [/°C$/u, "°F"],
  [/years$/u, "months"],
  [/(?<=\d )months$/u, "weeks"],
  [/(?<=\d )days$/u, "weeks"],
  [/(?<=\d )hours$/u, "days"],
];

/** Another unit behind the same number, so that it measures something else. */
export const swapUnit: VariantRule = (text, _tools, random) => {
  const changes = readQuantities(text).flatMap((quantity) => {
    if (quantity.kind !== "amount" || !isPlain(quantity.bound)) return [];
    const money = /^(?:US)?\$/u.exec(quantity.text);
    // "About $2 billion" is about €2 billion, too.
    if (money !== null && quantity.bound === "about") return [];
    if (money !== null) {
      const { start } = quantity;
      return [{ start, end: start + money[0].length, to: "€" }];
    }
    return UNITS.flatMap(([written, to]) => {
      const unit = written.exec(quantity.text);
      if (unit === null) return [];
      const start = quantity.start + unit.index;
      const change = { start, end: start + unit[0].length, to };
      const now = readAgain(text, change, quantity);
      const reads = now === undefined ? "same" : compareQuantities(now, quantity);
      return reads === "different" ? [change] : [];
    }).slice(0, 1);
  });
  return oneOf(changes, random);
};

/** "Over 60 months" is true where "over 60 years" is. */
const isPlain = (bound: Bound) => bound === "exact" || bound === "about";
