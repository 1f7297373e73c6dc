import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { pageTest } from "./browser.ts";
import {
  builtPage,
  CONFIG,
  isAtSentence,
  only,
  opened,
  scoreBox,
  shown,
  slider,
  upload,
} from "./interaction.ts";

const test = pageTest(builtPage);
/** A phone: touch input, and a window in which twelve rows scroll. */
const TELEPHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

/** Drags a finger from a score on a row's slider by an offset. */
async function finger(page: Page, row: number, da: number, by: { x: number; y: number }) {
  await slider(page, row).scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await slider(page, row).boundingBox())!;
  const start = { x: x + 8 + (width - 16) * da / 100, y: y + height / 2 };
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", step: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd"
        ? []
        : [{ x: start.x + by.x * step / 10, y: start.y + by.y * step / 10 }],
    });
  await touch("touchStart", 0);
  for (let step = 1; step <= 10; step++) await touch("touchMove", step);
  await touch("touchEnd", 10);
  // The browser's own reading of the touch comes after it.
  await page.waitForTimeout(150);
}

test(
  "a finger that starts on a slider and scrolls scores nothing and changes no score; one that drags or taps does",
  async ({ openTab }) => {
    const page = await openTab();
    await opened(page, 1);
    const top = () => page.evaluate<number>("scrollY");
    const before = await top();
    await finger(page, 0, 72, { x: 4, y: -180 });
    assert.ok(await top() > before + 100, `${before} to ${await top()}`);
    assert.deepEqual(await shown(page), only());
    await scoreBox(page, 3).fill("12");
    for (const y of [-160, 160]) await finger(page, 3, 93, { x: -3, y });
    assert.deepEqual(await shown(page), only("", "", "", "12"));
    // Aslant, as thumbs go.
    await finger(page, 4, 60, { x: 40, y: -150 });
    assert.deepEqual(await shown(page), only("", "", "", "12"));

    const near = async (row: number, da: number) => {
      const given = Number((await shown(page))[row]);
      assert.ok(Math.abs(given - da) <= 3, `${given}, not ${da}`);
    };
    await slider(page, 5).scrollIntoViewIfNeeded();
    const { width, height } = (await slider(page, 5).boundingBox())!;
    await slider(page, 5).tap({ position: { x: 8 + (width - 16) * 0.3, y: height / 2 } });
    await near(5, 30);
    await finger(page, 5, 30, { x: (width - 16) * 0.5, y: 3 });
    await near(5, 80);
  },
  { ...TELEPHONE, only: "chromium" },
);

test("the slider scores when the pointer is let go, and what is cancelled is taken back, in every browser", async ({ openTab }) => {
  const page = await openTab();
  await opened(page, 1);
  /** Dispatches the events of a touch without one. */
  const touched = (row: number, da: number, end: "pointerup" | "pointercancel", late = "") =>
    page.evaluate<number>(`((slider) => {
      const { left, top, width, height } = slider.getBoundingClientRect();
      const at = { clientX: left + 8 + (width - 16) * ${da} / 100, clientY: top + height / 2 };
      const say = (type) => slider.dispatchEvent(new PointerEvent(type,
        { bubbles: true, pointerId: 7, pointerType: "touch", isPrimary: true, ...at }));
      const move = (da) => {
        slider.value = da;
        slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
      };
      say("pointerdown");
      move(${da});
      say("${end}");
      if ("${late}") move("${late}");
      return slider.valueAsNumber;
    })(document.querySelectorAll(".slider")[${row}])`);
  assert.equal(await touched(0, 72, "pointercancel"), 50);
  await scoreBox(page, 1).fill("12");
  assert.equal(await touched(1, 93, "pointercancel", "95"), 12);
  assert.deepEqual(await shown(page), only("", "12"));
  await touched(0, 72, "pointerup");
  await touched(1, 93, "pointerup");
  assert.deepEqual(await shown(page), only("72", "93"));
});

test(
  "fingers have 44 pixels to hit, whatever there is, and nothing scrolls sideways",
  async ({ openTab }) => {
    const page = await openTab();
    await opened(page, 1);
    const small = () =>
      page.evaluate<readonly string[]>(`[...document.querySelectorAll(
      "button, select, textarea, .score, .slider, .bucket, .toggle")].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width === 0 || width >= 44 && height >= 44
        ? []
        : [element.className + " " + element.textContent.slice(0, 20) + " " + width + "x" + height];
    })`);
    assert.deepEqual(await small(), []);
    await page.getByRole("checkbox", { name: "Compact" }).check();
    assert.deepEqual(await small(), []);
    const isWide = "((e) => e.scrollWidth > e.clientWidth)(document.documentElement)";
    assert.equal(await page.evaluate(isWide), false);
  },
  { ...TELEPHONE, only: "chromium" },
);

test("a source that has no room says that it goes on, until its end is in sight", async ({ openTab }) => {
  const run = { runId: crypto.randomUUID(), config: CONFIG, keySha256: "" };
  const translations = Array.from({ length: 12 }, (_, version) => `Fassung ${version}.`);
  const sources = ["The meeting was put off until Monday. ".repeat(60), "Short."];
  const inputs = sources.map((source, index) => ({ itemId: index + 1, source, translations }));
  const page = await openTab();
  await upload(page, await writeWorkbook(newWorkbook(inputs, run), CONFIG));
  await isAtSentence(page, 1);
  const sign = page.getByText("The source continues: scroll");
  // In the middle of its box, as any source that is too long.
  await page.evaluate("document.querySelector('.source').scrollTop = 0");
  await sign.waitFor();
  await page.evaluate("document.querySelector('.source').scrollTop = 1e6");
  await sign.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Next invalid" }).focus();
  await page.getByRole("combobox", { name: "Go to" }).selectOption("1");
  await isAtSentence(page, 2);
  assert.equal(await sign.count(), 0);
});
