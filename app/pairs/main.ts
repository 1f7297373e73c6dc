/** The pair browser: filters pairs by its form, twenty at a time, without a server. */
import { type BrowsedPair, type Collection, matchesFilter, outcomeOf } from "./filter.ts";

/** Number of pairs per page. */
const PAGE = 20;

const place = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const { pairs, checks }: Collection = JSON.parse(place("collection").textContent!);
const form = place<HTMLFormElement>("filters");
const [previous, next] = [place<HTMLButtonElement>("previous"), place<HTMLButtonElement>("next")];
const status = place("status");
let from = 0;

/** Displays the matching pairs from an index on. */
function draw(first = 0): void {
  from = first;
  const asked = [...new FormData(form) as Iterable<[string, string]>].filter(([, text]) => text);
  const matches = pairs.filter((pair) => matchesFilter(pair, Object.fromEntries(asked)));
  const shown = matches.slice(from, from + PAGE);
  place("list").innerHTML = shown.map(cardMarkup).join("");
  status.textContent = shown.length === 0
    ? "No pair is like that."
    : `Pairs ${from + 1}–${from + shown.length} of ${matches.length.toLocaleString("en-GB")}`;
  previous.disabled = from === 0;
  next.disabled = from + PAGE >= matches.length;
  // The address is a link to the present view.
  history.replaceState(null, "", `#${new URLSearchParams(asked)}`);
}

/** Returns a pair's complete card: checks in words, scores with measures down and models across. */
function cardMarkup({ html, scores }: BrowsedPair): string {
  const models = Object.entries(scores);
  const measures = new Set(models.flatMap(([, byMeasure]) => Object.keys(byMeasure)));
  // Long names may break at underscores and colons.
  const head = models.map(([model]) => `<th scope="col">${model.replace(/[_:]/g, "$&<wbr>")}</th>`);
  const rows = [...measures].map((measure) => {
    const cells = models.map(([, { [measure]: shown = "–" }]) =>
      `<td class="${outcomeOf(shown)}">${shown}</td>`
    );
    return `<tr><th scope="row">${measure}</th>${cells.join("")}</tr>`;
  });
  const table = `<table><thead><tr><td></td>${head.join("")}</tr></thead>
<tbody>${rows.join("")}</tbody></table>`;
  const items = (numbers: string) =>
    numbers.split(" ").map((number) => `<li>${checks[Number(number)]}</li>`).join("");
  return html.replace(/(<ul data-checks="(.*)">)/, (_, list, numbers) => list + items(numbers))
    .replace("</article>", () => (rows.length === 0 ? "" : table) + "</article>");
}

function turn(by: number): void {
  draw(from + by);
  status.focus();
  status.scrollIntoView();
}

for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
}
form.addEventListener("input", () => draw());
// The fields are empty only after the event.
form.addEventListener("reset", () => setTimeout(draw));
previous.addEventListener("click", () => turn(-PAGE));
next.addEventListener("click", () => turn(PAGE));
draw();
