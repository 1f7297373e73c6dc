import { gazetteerOf } from "../words.ts";

/** Two countries. */
export const gazetteer = gazetteerOf([
  { name: "France", type: "country", also: ["French"] },
  { name: "Germany", type: "country", also: ["German", "Germans"] },
]);
