import { gazetteerOf } from "../../../features/words.ts";
import type { VariantTools } from "../variant.ts";

const STATES = ["Kenya", "Uganda", "Tanzania", "Rwanda", "Ghana", "Togo", "Benin"];

/** Seven countries of one region, three people, and a source with few names. */
export const variantTools: VariantTools = {
  gazetteer: gazetteerOf(
    STATES.map((name) => ({ name, type: "country", also: [`${name}ns`] })),
  ),
  states: STATES.map((name) => ({ name, region: "africa" })),
  people: ["Jomo Kenyatta", "Julius Nyerere", "Kwame Nkrumah"],
  about: "Kenya",
  source: "Kenya and Uganda.",
};

/** Statements about an invented country. Every kind of change applies to one of them. */
export const TRUE_TEXTS: readonly string[] = [
  "Kenya became independent on 12 December 1963.",
  "In January 1999, Kenya joined the pact.",
  "Kenya's economy was worth $39.2 billion in 2024.",
  "The total area of Kenya is 580,367 sq km.",
  "The coastline of Kenya is 536 km long.",
  "About 34.9% of the land is wooded.",
  "Most of the people live in the south along the border with Tanzania.",
  "President Jomo Kenyatta was elected by the members of the UN.",
  "Uganda invaded Tanzania in 1978.",
  "Tanzania is the largest source of imports into Kenya.",
  "The island was ruled by Rwanda for twelve years.",
  "The infant mortality of Kenya is almost the same.",
  "Farmers export coffee, tea, and flowers.",
  "The defense industry employs 12 people.",
  "The country was not a member of NATO.",
  "Nairobi is the capital of Kenya.",
];
