import assert from "node:assert/strict";
import { parseRunConfig } from "../../lib/translation/configuration.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { assertAccessible, pageTest } from "./browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  focusedName,
  freshWorkbook,
  isAtSentence,
  next,
  only,
  press,
  row,
  saved,
  scoreBox,
  shown,
  slider,
  status,
  upload,
  validRatings,
} from "./interaction.ts";

const test = pageTest(builtPage);
const SMALL = { viewport: { width: 1280, height: 720 } };

/** A text about as long as WMT23's longest paragraphs. */
const PARAGRAPH = "Die Sitzung wurde nach kurzer Beratung auf Montag verschoben. ".repeat(10)
  .trim();

/**
 * Returns a workbook of paragraphs, one sentence per entry.
 * Row `wrong` (from 0) is out of order.
 */
function paragraphs(wrong: readonly (number | undefined)[]): RatingWorkbook {
  const fresh = freshWorkbook(wrong.length, PARAGRAPH);
  const items = fresh.items.map((item, index) => {
    const at = wrong[index];
    if (at === undefined) return item;
    const { displayMap } = item.evaluation;
    const given = validRatings().with(at, { bucket: 3, da: 99 });
    const ratings = displayMap.map((_, translation) => {
      const { bucket, da } = given[displayMap.indexOf(translation)]!;
      return { bucket: CONFIG.buckets[bucket]!.key, da };
    });
    return {
      ...item,
      evaluation: { ...item.evaluation, ratings, startedAt: "2026-01-01T00:00:00Z" },
    };
  });
  return { ...fresh, items };
}

test(
  "an invalid sentence is entered at its fault, in view above the footer, which says why, whatever led there",
  async ({ openTab }) => {
    const page = await openTab();
    const arrived = async (number: number, faulty: number) => {
      await isAtSentence(page, number);
      await status(page).getByText(new RegExp(`Row ${faulty} \\(Poor, 99\\) scores above`))
        .waitFor();
      assert.equal(await focusedName(page), `Row ${faulty}, Poor, score`);
      const hidden = await page.evaluate<string>(`(() => {
      const { top, bottom } = document.activeElement.closest(".row").getBoundingClientRect();
      const above = document.querySelector(".source").getBoundingClientRect().bottom;
      const below = document.querySelector(".foot").getBoundingClientRect().top;
      return top < above - 1 || bottom > below + 1 ? [above, top, bottom, below].join() : "";
    })()`);
      assert.equal(hidden, "", `sentence ${number}`);
    };
    // It opens at its first incomplete sentence, which is the first invalid one too.
    await upload(page, await writeWorkbook(paragraphs([8, undefined, 11]), CONFIG));
    await arrived(1, 9);
    await button(page, "Next invalid").click();
    await arrived(3, 12);
    await button(page, "First incomplete").click();
    await arrived(1, 9);
    const banner = page.getByRole("region", { name: /correct/ });
    await banner.getByRole("button", { name: "Sentence 3" }).click();
    await arrived(3, 12);
    const list = page.getByRole("combobox", { name: "Go to" });
    await list.selectOption("1");
    await isAtSentence(page, 2);
    await button(page, "Finish").click();
    await arrived(1, 9);
    await status(page).getByText(/^Not finished: 2 sentences need correcting, 3 .* incomplete\./)
      .waitFor();
    // The list names the sentence on screen.
    await list.selectOption("2");
    await arrived(3, 12);
    for (let back = 0; back < 2; back++) await button(page, "Back").click();
    await arrived(1, 9);
    assert.equal(await list.inputValue(), "0");
  },
  SMALL,
);

test(
  "compact rows: of twelve paragraphs four are whole at 1280 × 720, without a word of the rater",
  async ({ openTab }) => {
    const page = await openTab();
    const whole = () =>
      page.evaluate<number>(`(() => {
      const above = document.querySelector(".source").getBoundingClientRect().bottom;
      const below = document.querySelector(".foot").getBoundingClientRect().top;
      return [...document.querySelectorAll(".row")].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= above - 1 && bottom <= below + 1;
      }).length;
    })()`);
    await upload(page, await writeWorkbook(paragraphs([undefined]), CONFIG));
    await isAtSentence(page, 1);
    const compact = page.getByRole("checkbox", { name: "Compact" });
    assert.ok(await compact.isChecked());
    assert.ok(await whole() >= 4, `${await whole()}`);
    await compact.uncheck();
    assert.ok(await whole() < 4, `${await whole()}`);
  },
  SMALL,
);

test("documents have numbers, C shows the sentences around; identical texts take one rating by =; O only looks", async ({ openTab }) => {
  const inputs = [1, 1, 2].map((document, index) => ({
    itemId: index + 1,
    document,
    source: `Source ${index + 1}.`,
    translations: Array.from({ length: 12 }, (_, version) => `Fassung ${version % 11}.`),
  }));
  const run = { runId: "7d0c5e1a-31f4-4d6b-9a70-0f1e2d3c4b5a", config: CONFIG, keySha256: "" };
  const page = await openTab();
  await upload(page, await writeWorkbook(newWorkbook(inputs, run), CONFIG));
  await isAtSentence(page, 1);
  await status(page).getByText("Sentence 1 of 3. Document 1 begins.").waitFor();
  await page.getByText("Document 1, 1 of 2").waitFor();
  const around = () => page.locator(".neighbour > :last-child").allTextContents();
  assert.deepEqual(await around(), []);
  await press(page, "c");
  assert.deepEqual(await around(), ["Source 2."]);
  await button(page, "Next invalid").focus();
  await row(page, 0).focus();
  await press(page, "c");
  assert.deepEqual(await around(), []);

  const [one, other] = newWorkbook(inputs, run).items[0]!.evaluation.displayMap
    .flatMap((translation, position) => translation % 11 === 0 ? [position] : []);
  await button(page, new RegExp(`^Row ${one! + 1} has the same text as row ${other! + 1}`))
    .waitFor();
  await row(page, one!).focus();
  await press(page, "2", "7", "0", "=");
  await status(page).getByText(`Rows ${one! + 1} and ${other! + 1}: Good, 70.`).waitFor();
  const expected = only().map((_, position) => [one, other].includes(position) ? "270" : "");
  assert.deepEqual(await shown(page), expected);
  await press(page, "Control+z");
  assert.deepEqual(await shown(page), expected.with(other!, ""));
  await press(page, "Control+y");

  const best = [...expected.keys()].find((position) => expected[position] === "")!;
  await row(page, best).focus();
  await press(page, "1", "9", "5", "o");
  const numbers = () => page.locator(".row > .number").allTextContents();
  const first = [best, one!, other!].map((position) => `${position + 1}`);
  assert.deepEqual((await numbers()).slice(0, 3), first);
  assert.match(await focusedName(page), new RegExp(`^Row ${best + 1} of 12`));
  await press(page, "ArrowDown");
  assert.match(await focusedName(page), new RegExp(`^Row ${one! + 1} of 12`));
  const evaluation = (await saved(page)).items[0]!.evaluation;
  assert.deepEqual(evaluation.displayMap, newWorkbook(inputs, run).items[0]!.evaluation.displayMap);
  await press(page, "o");
  assert.deepEqual(await numbers(), only().map((_, position) => `${position + 1}`));
});

test("scores: digits of any script, a click selects what is there, a click and a drag of the slider are a step each", async ({ openTab }) => {
  const page = await openTab();
  await upload(page, await writeWorkbook(freshWorkbook(1), CONFIG));
  await isAtSentence(page, 1);
  for (const [text, value] of [["６５", "65"], ["٦٥", "65"], ["७", "7"]] as const) {
    await scoreBox(page, 0).fill(text);
    await scoreBox(page, 1).focus();
    assert.equal((await shown(page))[0], value);
  }
  await scoreBox(page, 0).click();
  await page.keyboard.type("48");
  assert.deepEqual(await shown(page), only("48"));

  const { x, y, width, height } = (await slider(page, 1).boundingBox())!;
  const at = (da: number) => [x + 8 + (width - 16) * da / 100, y + height / 2] as const;
  await page.mouse.click(...at(30));
  await page.mouse.move(...at(30));
  await page.mouse.down();
  for (const da of [40, 60, 80]) await page.mouse.move(...at(da));
  await page.mouse.up();
  const given = async () => Number((await shown(page))[1]);
  assert.ok(Math.abs(await given() - 80) <= 1, `${await given()}`);
  await press(page, "Control+z");
  assert.ok(Math.abs(await given() - 30) <= 1, `${await given()}`);
  await press(page, "Control+z");
  assert.deepEqual(await shown(page), only("48"));
});

test("a sentence with stored context shows it and its position in the document, not its neighbours in the file", async ({ openTab }) => {
  const around = [["First.\nSecond.", "Fourth."], ["", "Next."]] as const;
  const inputs = around.map(([before, after], index) => ({
    itemId: index + 1,
    document: index + 1,
    context: { place: 3 - 2 * index, of: 4, before, after },
    source: `Source ${index + 1}.`,
    translations: Array.from({ length: 12 }, (_, version) => `Fassung ${version}.`),
  }));
  const run = {
    runId: crypto.randomUUID(),
    config: CONFIG,
    keySha256: "",
    rater: "anna",
    batch: "2",
  };
  const page = await openTab();
  await upload(page, await writeWorkbook(newWorkbook(inputs, run), CONFIG));
  await isAtSentence(page, 1);
  await page.getByText("Document 1, 3 of 4", { exact: true }).waitFor();
  await status(page).getByText("Sentence 1 of 2. Document 1, 3 of 4.").waitFor();
  await press(page, "c");
  const shownAround = () => page.locator(".neighbour > :last-child").allTextContents();
  assert.deepEqual(await shownAround(), ["First.", "Second.", "Fourth."]);
  await page.getByRole("combobox", { name: "Go to" }).selectOption("1");
  await page.getByText("Document 2, 1 of 4", { exact: true }).waitFor();
  await status(page).getByText("Sentence 2 of 2. Document 2 begins.").waitFor();
  assert.deepEqual(await shownAround(), ["Next."]);
  const workbook = await saved(page);
  assert.deepEqual([workbook.rater, workbook.batch], ["anna", "2"]);
  assert.deepEqual(workbook.items[0]!.input.context, inputs[0]!.context);
});

const PRACTICE = `
num_translations: 2
practice:
  pass: 0.9
  items:
    - source: It rains.
      translations:
        - { text: Es regnet., bucket: best, da: 95 }
        - { text: Es., bucket: poor, da: 5 }
`;

pageTest(() => builtPage(PRACTICE))(
  "practice that must be passed shows its references and leads on when it is, with a total",
  async ({ openTab }) => {
    const config = parseRunConfig(PRACTICE, "the fixture");
    const translations = config.practice[0]!.translations.map(({ text }) => text);
    const inputs = ["It rains.", "It snows."].map((source, index) => {
      return {
        itemId: index + 1,
        source,
        translations: index === 0 ? translations : ["Es schneit.", "Nie."],
      };
    });
    const run = { runId: crypto.randomUUID(), config, keySha256: "" };
    const page = await openTab();
    await upload(page, await writeWorkbook(newWorkbook(inputs, run), config));
    await isAtSentence(page, 1);
    const first = (await page.locator(".row h3").allTextContents())[0] === "Es regnet.";
    await page.getByRole("combobox", { name: "Go to" }).selectOption("1");
    await isAtSentence(page, 1);
    await row(page, 0).focus();
    await press(page, "1", "9", "0", "Enter", "1", "8", "0", "Enter", "Control+Enter");
    await status(page).getByText(/^Practice: the reference is under each row/).waitFor();
    await press(page, "Control+Enter");
    await status(page).getByText("Practice first: 2 of 2 translations must be").waitFor();
    await page.getByText(/^Reference: Poor, 5/).waitFor();
    await isAtSentence(page, 1);
    // Row by row, since all of it is rated: of the wrong one bucket and score.
    await row(page, first ? 1 : 0).focus();
    await press(page, "4", "1", "0", "Control+Enter");
    await status(page).getByText(/^Practice: the reference is under each row/).waitFor();
    await press(page, "Control+Enter");
    await isAtSentence(page, 2);
    await status(page).getByText(
      `Practice is over: 2 of 2 translations in the reference’s bucket, scores ${
        first ? "5.0" : "10.0"
      } points`,
    ).waitFor();
    await row(page, 0).focus();
    await press(page, "1", "9", "0", "Enter", "2", "7", "0", "Enter", "Control+Enter");
    await button(page, "Finish").click();
    await page.getByRole("heading", { name: "The sentence is rated" }).waitFor();
  },
);

const FRACTIONS = "integer_only: false\nda_max: 7\n";

pageTest(() => builtPage(FRACTIONS))(
  "fractions: what the slider gives is stored, shown and said as one number, and arrows move by 0.1",
  async ({ openTab }) => {
    const config = parseRunConfig(FRACTIONS, "the fixture");
    const page = await openTab();
    await upload(page, await writeWorkbook(freshWorkbook(1, "Wort", config), config));
    await isAtSentence(page, 1);
    const { x, y, width, height } = (await slider(page, 0).boundingBox())!;
    await page.mouse.move(x + width / 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2.3, y + height / 2);
    await page.mouse.up();
    const score = (await shown(page))[0]!;
    assert.match(score, /^\d\.\d{1,3}$/);
    const announced = async () => [
      await slider(page, 0).getAttribute("aria-valuetext"),
      await slider(page, 0).inputValue(),
    ];
    assert.deepEqual(await announced(), [score, score]);
    await scoreBox(page, 0).fill("2.5");
    await slider(page, 0).focus();
    await press(page, "ArrowRight", "Shift+ArrowLeft");
    assert.deepEqual([(await shown(page))[0], ...await announced()], ["1.6", "1.6", "1.6"]);
  },
);

const GERMAN = `language: de
source_language: en
target_language: ar
num_translations: 2
instructions: { de: "Achten Sie auf den **Sinn**. <script>1</script>" }
practice:
  - source: A trial.
    translations:
      - { text: تجربة أولى, bucket: best, da: 90, why: Genau. }
      - { text: تجربة, bucket: poor, da: 10 }
`;

/** Builds a page in German with a workbook of two sentences. The first is for practice. */
async function germanPage() {
  const config = parseRunConfig(GERMAN, "the fixture");
  const inputs = [["A trial.", "تجربة أولى", "تجربة"], ["It rains.", "إنها تمطر", ""]]
    .map(([source, ...translations], index) => ({
      itemId: index + 1,
      source: source!,
      translations,
    }));
  const run = { runId: crypto.randomUUID(), config, keySha256: "" };
  return await builtPage(GERMAN, await writeWorkbook(newWorkbook(inputs, run), config));
}

pageTest(germanPage)(
  "in German: the page brings its workbook, a practice item gives feedback, Arabic runs from the right, axe finds nothing",
  async ({ openTab }) => {
    const page = await openTab();
    await assertAccessible(page, "Anfang");
    const instructions = page.getByRole("region", { name: "Anleitung" });
    assert.equal(
      (await instructions.locator("p").textContent())!.trim(),
      "Achten Sie auf den Sinn. <script>1</script>",
    );
    assert.equal(await page.evaluate("document.documentElement.lang"), "de");
    await button(page, "Bewertung beginnen: demo.xlsx, 2 Sätze").click();
    await page.getByRole("heading", { name: "Satz 1 von 2" }).waitFor();
    await page.getByText("Übung: zählt nicht").waitFor();
    const text = page.locator(".row h3").first();
    assert.deepEqual([await text.getAttribute("dir"), await text.getAttribute("lang")], [
      "rtl",
      "ar",
    ]);
    const side = await page.evaluate<number>(`(() => {
    const text = document.querySelector(".row h3");
    const range = document.createRange();
    range.selectNodeContents(text);
    return Math.abs(text.getBoundingClientRect().right - range.getBoundingClientRect().right);
  })()`);
    assert.ok(side < 2, `${side} pixels from the right edge`);
    await press(page, "Control+Enter");
    await status(page).getByText(/^Noch nicht\. Die Zeilen 1 und 2 sind nicht ganz bewertet\./)
      .waitFor();
    for (const name of ["Kontext", "Kompakt"]) await page.getByRole("checkbox", { name }).check();
    await assertAccessible(page, "Bewertung");
    await press(page, "1", "9", "5", "Enter", "2", "6", "0", "Enter", "Control+Enter");
    await status(page).getByText(/^Übung: Der Vergleich/).waitFor();
    const references = await page.locator(".reference").allTextContents();
    assert.deepEqual(references.toSorted(), [
      "Vergleich: Best, 90. Genau.",
      "Vergleich: Poor, 10.",
    ]);
    await assertAccessible(page, "Übung");
    await next(page).or(button(page, /^Weiter/)).click();
    await page.getByRole("heading", { name: "Satz 2 von 2" }).waitFor();
    assert.equal(await page.locator(".reference").count(), 0);
    // The page's own words among texts from the right.
    const empty = await page.evaluate(
      "getComputedStyle(document.querySelector('h3 em')).direction",
    );
    assert.equal(empty, "ltr");
    await press(page, "1", "9", "5", "Enter", "2", "6", "0", "Enter", "Control+Enter");
    await button(page, "Beenden").click();
    await page.getByRole("heading", { name: "Der Satz ist bewertet" }).waitFor();
    await assertAccessible(page, "Ende");
  },
);
