import type { Evaluation } from "../../evaluation/evaluation.ts";
import { SOURCE_TEXT } from "../../retrieval/passage.ts";
import { type PlacedEvidence, type ShownPassage, shownPassages } from "./evidence_places.ts";
import { escaped } from "./markup.ts";
import { segmentsOf } from "./segments.ts";

/** Source text and passages, in them what each claim's verdict rests on. */
export function sourceTexts(evaluation: Evaluation): string {
  return shownPassages(evaluation).map(passageMarkup).join("\n");
}

function passageMarkup({ passage, evidence }: ShownPassage): string {
  const { collection, title, section, id, text } = passage;
  const name = collection === SOURCE_TEXT
    ? "Source text"
    : [collection, title, section, `passage ${id}`].filter((part) => part !== "").join(", ");
  const segments = segmentsOf(
    text,
    evidence.map(({ evidence }, index) => ({ ...evidence.span, of: index })),
  );
  const told = new Set<PlacedEvidence>();
  const running = segments.map(({ text, of }) => {
    const covering = of.map((index) => evidence[index]!);
    const fresh = covering.filter((placed) => !told.has(placed));
    for (const placed of fresh) told.add(placed);
    return covering.length === 0 ? escaped(text) : evidenceMark(text, covering, fresh);
  }).join("");
  return `<details class="passage"${collection === SOURCE_TEXT ? " open" : ""}>` +
    `<summary>${escaped(name)}</summary><div class="running">${running}</div></details>`;
}

/** The words, with an anchor where evidence begins and the numbers of the claims it is for. */
function evidenceMark(
  text: string,
  covering: readonly PlacedEvidence[],
  fresh: readonly PlacedEvidence[],
): string {
  const classes = [...new Set(covering.map(({ claim }) => `for-${claim}`))].join(" ");
  const anchors = fresh.map(({ anchor, claim }) =>
    `<a class="tag evidence" id="${anchor}" href="#claim-${claim}" ` +
    `aria-label="evidence for claim ${claim}">${claim}</a>`
  ).join("");
  return `${anchors}<mark class="${classes}">${escaped(text)}</mark>`;
}
