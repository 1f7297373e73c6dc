import type { RatingWorkbook } from "../../item.ts";
import { parseRunConfig } from "../../run_config.ts";
import { newWorkbook } from "../new_workbook.ts";

/** Three translations of each sentence. */
export const SMALL_CONFIG = parseRunConfig("num_translations: 3", "test");

/** What the small workbook is read with. */
export const SMALL_OPTIONS = {
  config: SMALL_CONFIG,
  runId: "6a1f3c52-7e1b-4c7e-9f59-0d6a2f1f4b11",
};

const TEXTS = [
  ["The cat sleeps.", "Die Katze schläft.", "Der Kater pennt.", "Katze schlafen."],
  ["It rains.", "Es regnet.", "Es ist Regen.", ""],
  ["Good night!", "Gute Nacht!", "Gute _x0041_ Nacht!", "  Nacht gute\nzeilenweise"],
];

/** Three items: the first committed, the second begun, the third untouched. */
export function smallWorkbook(): RatingWorkbook {
  const items = TEXTS.map(([source = "", ...translations], index) => ({
    itemId: index + 1,
    source,
    translations,
  }));
  const fresh = newWorkbook(items, { ...SMALL_OPTIONS, keySha256: "ab".repeat(32) });
  const [first, second, third] = fresh.items;
  const [committed, begun] = [
    {
      ratings: [
        { bucket: "best", da: 91 },
        { bucket: "good", da: 70 },
        { bucket: "poor", da: 12 },
      ],
      comment: "the last has no inflection",
      startedAt: "2026-01-31T09:30:00.000Z",
      committedAt: "2026-01-31T09:31:12.500Z",
      editCount: 1,
      activeSeconds: 63.4,
      highlightSeconds: 2.5,
    },
    {
      ratings: [{ bucket: "best", da: undefined }, { bucket: undefined, da: 55 }, {
        bucket: undefined,
        da: undefined,
      }],
      startedAt: "2026-01-31T09:31:13.000Z",
      activeSeconds: 4.1,
    },
  ];
  return {
    ...fresh,
    items: [
      { ...first!, evaluation: { ...first!.evaluation, ...committed } },
      { ...second!, evaluation: { ...second!.evaluation, ...begun } },
      third!,
    ],
  };
}
