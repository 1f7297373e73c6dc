import { gazetteerOf } from "../words.ts";

/** A gazetteer of two countries. */
export const gazetteer = gazetteerOf([
  { name: "France", type: "country", also: ["French"] },
  { name: "Germany", type: "country", also: ["German", "Germans"] },
]);
