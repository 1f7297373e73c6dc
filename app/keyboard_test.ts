import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseRunConfig } from "../lib/translation/configuration.ts";
import {
  commandOf,
  type FocusTarget,
  type KeyPress,
  nudgeSteps,
  rowAfterEnter,
} from "./keyboard.ts";

/** Returns a key's command in short, e.g. `bucket 0`; modifiers precede it: `ctrl shift Enter`. */
function asked(keys: string, place: FocusTarget, scoreEmpty = false, more: Partial<KeyPress> = {}) {
  const [key = "", ...held] = keys === " " ? [" "] : keys.split(" ").toReversed();
  const [ctrl, shift, alt] = ["ctrl", "shift", "alt"].map((name) => held.includes(name));
  const press = { key, code: "", ctrl: ctrl!, shift: shift!, alt: alt!, ...more };
  const setting = { place, bucketCount: 4, scoreEmpty, steps: { small: 1, big: 10 } };
  const command = commandOf(press, setting);
  return command && Object.values(command).join(" ");
}

test("commandOf() says what each key asks for, where it falls", () => {
  const cases: readonly (readonly [string, FocusTarget, string | undefined])[] = [
    ["4", "row", "bucket 3"],
    ["0", "row", "no-such-bucket"],
    ["3", "slider", "type 3"],
    ["s", "row", "to-score"],
    ["b", "score", "to-bucket"],
    ["Escape", "score", "to-bucket"],
    ["Backspace", "row", "clear-bucket"],
    ["s", "score", "nothing"],
    ["Enter", "score", "enter"],
    ["=", "score", "alike"],
    ["c", "source", "context"],
    ["o", "bucket", "by-score"],
    ["c", "elsewhere", undefined],
    // Arrows move between rows and scores, but not among radio buttons.
    ["ArrowDown", "score", "row 1"],
    ["ArrowUp", "row", "row -1"],
    ["ArrowRight", "row", "nudge 1"],
    ["shift ArrowLeft", "slider", "nudge -10"],
    ["ArrowUp", "bucket", undefined],
    ["ArrowRight", "bucket", undefined],
    ["ArrowDown", "source", "row 1"],
    ["ArrowUp", "source", undefined],
    ["ctrl shift Enter", "score", "back"],
    ["shift ?", "bucket", "show-keys"],
    ["shift ?", "elsewhere", undefined],
  ];
  for (const [keys, place, expected] of cases) assert.equal(asked(keys, place), expected, keys);
  for (const key of [..."0123456789.,-", "Tab", "Backspace", "F5"]) {
    assert.equal(asked(key, "score"), undefined);
  }
  assert.equal(asked("Backspace", "score", true), "to-bucket");
  // A slider without a score must not go off from its middle.
  for (const key of ["Home", "End", "PageUp", "PageDown"]) {
    assert.deepEqual([asked(key, "slider", true), asked(key, "slider")], ["nudge 0", undefined]);
  }
  for (const place of ["row", "score", "comment", "elsewhere"] as const) {
    const commands = ["Enter", "z", "shift Z", "y", "s", "c"]
      .map((keys) => asked(`ctrl ${keys}`, place));
    assert.deepEqual(commands, ["commit", "undo", "redo", "redo", "save", undefined]);
  }
});

test("commandOf() reads digits of any script, and keys by where they are on the keyboard", () => {
  for (const key of ["٣", "۳", "३", "３"]) {
    assert.deepEqual([asked(key, "row"), asked(key, "score")], ["bucket 2", "type 3"]);
  }
  const ampersand = (place: FocusTarget) => asked("&", place, false, { code: "Digit1" });
  assert.deepEqual([ampersand("row"), ampersand("score")], ["bucket 0", "type 1"]);
  assert.equal(asked("и", "score", false, { code: "KeyB" }), "to-bucket");
  for (const sign of ["٫", "．", "－", "−", ","]) assert.equal(asked(sign, "score"), undefined);
});

test("FR-3: commandOf() takes no plain key in the comment, and none with Alt, which types characters", () => {
  const plain = { code: "", ctrl: false, shift: false, alt: false };
  const setting = { bucketCount: 4, scoreEmpty: false, steps: { small: 1, big: 10 } };
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 2 }), fc.boolean(), (key, held) => {
    const inComment = commandOf({ ...plain, key, shift: held }, { ...setting, place: "comment" });
    const alt = { ...plain, key, ctrl: held, alt: true };
    assert.equal(inComment ?? commandOf(alt, { ...setting, place: "row" }), undefined);
  }));
});

test("FR-3: rowAfterEnter() goes to the next unfinished row: N translations take 4N keystrokes and one", () => {
  assert.equal(rowAfterEnter(0, [true, true, false]), 2);
  assert.equal(rowAfterEnter(2, [true, false, true]), 1);
  assert.equal(rowAfterEnter(2, [true, true, true]), undefined);
  for (const n of [2, 12, 40]) {
    let [position, keys]: [number | undefined, number] = [0, 0];
    while (position !== undefined) {
      keys += ["2", "6", "5", "Enter"].length;
      const reached = position;
      position = rowAfterEnter(position, Array.from({ length: n }, (_, row) => row <= reached));
    }
    assert.equal(keys + 1, 4 * n + 1);
  }
});

test("nudgeSteps() are a point, with fractions a power of ten, and a tenth of the scale", () => {
  const stepsOn = (scale: string) => nudgeSteps(parseRunConfig(scale, "the test"));
  assert.deepEqual(stepsOn(""), { small: 1, big: 10 });
  assert.deepEqual(stepsOn("da_max: 4"), { small: 1, big: 1 });
  assert.deepEqual(stepsOn("integer_only: false\nda_max: 1"), { small: 0.01, big: 0.1 });
  assert.deepEqual(stepsOn("integer_only: false\nda_max: 7"), { small: 0.1, big: 1 });
  assert.deepEqual(stepsOn("integer_only: false\nda_min: 1"), { small: 1, big: 10 });
});
