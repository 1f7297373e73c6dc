import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseRunConfig } from "../lib/translation/configuration.ts";
import {
  commandOf,
  type KeyPress,
  nudgeSteps,
  type Place,
  rowAfterEnter,
  type Setting,
} from "./keyboard.ts";

const PLAIN = { ctrl: false, shift: false, alt: false };

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, code: "", ...PLAIN, ...more };
}

function at(place: Place, more: Partial<Setting> = {}): Setting {
  return { place, bucketCount: 4, scoreEmpty: false, steps: { small: 1, big: 10 }, ...more };
}

test("commandOf() on a row takes a digit as the bucket, counted from the best", () => {
  assert.deepEqual(commandOf(press("1"), at("row")), { kind: "bucket", index: 0 });
  assert.deepEqual(commandOf(press("4"), at("row")), { kind: "bucket", index: 3 });
  assert.deepEqual(commandOf(press("5"), at("row")), { kind: "no-such-bucket" });
  assert.deepEqual(commandOf(press("0"), at("row")), { kind: "no-such-bucket" });
  assert.deepEqual(commandOf(press("5"), at("row", { bucketCount: 5 })), {
    kind: "bucket",
    index: 4,
  });
});

test("commandOf() in the number box leaves digits to the browser", () => {
  for (const digit of "0123456789") assert.equal(commandOf(press(digit), at("score")), undefined);
});

test("commandOf() reads Arabic, Persian, Devanagari and fullwidth digits", () => {
  for (const key of ["٣", "۳", "३", "３"]) {
    assert.deepEqual(commandOf(press(key), at("row")), { kind: "bucket", index: 2 });
    assert.deepEqual(commandOf(press(key), at("score")), { kind: "type", digit: "3" });
  }
});

test("commandOf() takes the digit row of a French keyboard without Shift", () => {
  const ampersand = press("&", { code: "Digit1" });
  assert.deepEqual(commandOf(ampersand, at("row")), { kind: "bucket", index: 0 });
  assert.deepEqual(commandOf(ampersand, at("score")), { kind: "type", digit: "1" });
});

test("commandOf() goes back from the score to the bucket by B, Escape, or Backspace when empty", () => {
  const back = { kind: "to-bucket" };
  assert.deepEqual(commandOf(press("b"), at("score")), back);
  assert.deepEqual(commandOf(press("и", { code: "KeyB" }), at("score")), back);
  assert.deepEqual(commandOf(press("Escape"), at("score")), back);
  assert.deepEqual(commandOf(press("Backspace"), at("score", { scoreEmpty: true })), back);
  assert.equal(commandOf(press("Backspace"), at("score")), undefined);
});

test("commandOf() goes from the bucket to the score by S", () => {
  assert.deepEqual(commandOf(press("s"), at("row")), { kind: "to-score" });
});

test("commandOf() keeps letters out of the number box, but not signs of a number", () => {
  assert.deepEqual(commandOf(press("x"), at("score")), { kind: "nothing" });
  for (const key of [".", ",", "-", "Tab", "Backspace", "F5"]) {
    assert.equal(commandOf(press(key), at("score")), undefined);
  }
});

test("commandOf() moves between rows with Up and Down, and the score with Left and Right", () => {
  assert.deepEqual(commandOf(press("ArrowDown"), at("score")), { kind: "row", by: 1 });
  assert.deepEqual(commandOf(press("ArrowUp"), at("row")), { kind: "row", by: -1 });
  assert.deepEqual(commandOf(press("ArrowRight"), at("row")), { kind: "nudge", points: 1 });
  const withShift = press("ArrowLeft", { shift: true });
  assert.deepEqual(commandOf(withShift, at("slider")), { kind: "nudge", points: -10 });
});

test("commandOf() leaves the arrow keys to radio buttons", () => {
  for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
    assert.equal(commandOf(press(key), at("bucket")), undefined);
  }
});

test("commandOf() shows the keys by ? in a row only, where no dictation can hit it (WCAG 2.1.4)", () => {
  for (const place of ["row", "bucket", "slider", "score", "source"] as const) {
    assert.deepEqual(commandOf(press("?", { shift: true }), at(place)), { kind: "show-keys" });
  }
  assert.equal(commandOf(press("?", { shift: true }), at("elsewhere")), undefined);
});

test("commandOf() goes from the source to the first row, and leaves scrolling to the browser", () => {
  assert.deepEqual(commandOf(press("ArrowDown"), at("source")), { kind: "row", by: 1 });
  for (const key of ["PageDown", " ", "2", "ArrowUp"]) {
    assert.equal(commandOf(press(key), at("source")), undefined);
  }
});

test("commandOf() does not let a slider without a score go off from its middle", () => {
  for (const key of ["Home", "End", "PageUp", "PageDown"]) {
    const untouched = commandOf(press(key), at("slider", { scoreEmpty: true }));
    assert.deepEqual(untouched, { kind: "nudge", points: 0 });
    assert.equal(commandOf(press(key), at("slider")), undefined);
  }
});

test("commandOf() goes back by Ctrl+Shift+Enter", () => {
  const back = press("Enter", { ctrl: true, shift: true });
  assert.deepEqual(commandOf(back, at("score")), { kind: "back" });
});

test("commandOf() with Ctrl commits, undoes, redoes and saves from anywhere", () => {
  const ctrl = { ctrl: true };
  for (const place of ["row", "score", "comment", "elsewhere"] as const) {
    assert.deepEqual(commandOf(press("Enter", ctrl), at(place)), { kind: "commit" });
    assert.deepEqual(commandOf(press("z", ctrl), at(place)), { kind: "undo" });
    assert.deepEqual(commandOf(press("Z", { ctrl: true, shift: true }), at(place)), {
      kind: "redo",
    });
    assert.deepEqual(commandOf(press("y", ctrl), at(place)), { kind: "redo" });
    assert.deepEqual(commandOf(press("s", ctrl), at(place)), { kind: "save" });
    assert.equal(commandOf(press("c", ctrl), at(place)), undefined);
  }
});

test("commandOf() leaves every plain key in the comment to the comment", () => {
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 2 }), fc.boolean(), (key, shift) => {
    assert.equal(commandOf(press(key, { shift }), at("comment")), undefined);
  }));
});

test("FR-3: commandOf() never takes a key with Alt, which types characters on many keyboards", () => {
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 1 }), fc.boolean(), (key, ctrl) => {
    assert.equal(commandOf(press(key, { ctrl, alt: true }), at("score")), undefined);
  }));
});

test("rowAfterEnter() goes to the next unfinished row, then to the first, then nowhere", () => {
  assert.equal(rowAfterEnter(0, [true, true, false]), 2);
  assert.equal(rowAfterEnter(0, [true, true, true]), undefined);
  assert.equal(rowAfterEnter(2, [true, false, true]), 1);
  assert.equal(rowAfterEnter(2, [true, true, true]), undefined);
});

test("FR-3: a screen of N translations with two-digit scores takes 4N keystrokes and one", () => {
  const keysOfARow = ["2", "6", "5", "Enter"];
  for (let n = 2; n <= 40; n++) {
    let [position, keys]: [number | undefined, number] = [0, 0];
    while (position !== undefined) {
      keys += keysOfARow.length;
      const reached = position;
      position = rowAfterEnter(position, Array.from({ length: n }, (_, row) => row <= reached));
    }
    assert.equal(keys + 1, 4 * n + 1);
  }
});

const stepsOn = (scale: string) => nudgeSteps(parseRunConfig(scale, "the test"));

test("nudgeSteps() are one point and a tenth of the scale, never less than a point", () => {
  assert.deepEqual(stepsOn(""), { small: 1, big: 10 });
  assert.deepEqual(stepsOn("da_max: 10"), { small: 1, big: 1 });
  assert.deepEqual(stepsOn("da_max: 4"), { small: 1, big: 1 });
});

test("nudgeSteps() on a scale with fractions are its hundredth and its tenth", () => {
  assert.deepEqual(stepsOn("integer_only: false\nda_max: 1"), { small: 0.01, big: 0.1 });
});
