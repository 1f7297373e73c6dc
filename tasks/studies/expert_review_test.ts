import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { expertForm, readExpertForm } from "../../lib/pairs/review.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { FORM, reviewSets, TASK } from "./expert_review.ts";

const COMMITTED = new URL("../../docs/expert_review.md", import.meta.url);

Deno.test("docs/expert_review.md is the form of the committed pairs, ungraded; else: deno task study expert-review --out docs/expert_review.md", () => {
  const form = Deno.readTextFileSync(COMMITTED);
  assert.ok(form === expertForm(reviewSets(), FORM.pairs, FORM.seed));
  assert.deepEqual(readExpertForm(form, reviewSets(), { file: "form", partial: true }), []);
});

Deno.test("study expert-review writes a form, reads it filled by hand, and writes over no grade", () =>
  inFolder(async (folder) => {
    const [form, report] = [join(folder, "form.md"), join(folder, "report.md")];
    const make = ["--study", "norse", "--pairs", "4", "--out", form];
    assert.equal(await exitCodeOf(TASK, make), EXIT.done);
    assert.equal(await exitCodeOf(TASK, make), EXIT.done, "an empty form is made anew");
    const read = ["--read", form, "--out", report];
    assert.equal(await exitCodeOf(TASK, read), EXIT.failed, "nothing is graded yet");
    const graded = Deno.readTextFileSync(form)
      .replaceAll("Grade of A:", "Grade of A: 2").replaceAll("Grade of B:", "Grade of B: 2");
    Deno.writeTextFileSync(form, graded);
    assert.equal(await exitCodeOf(TASK, make), EXIT.failed);
    assert.equal(Deno.readTextFileSync(form), graded);
    assert.equal(await exitCodeOf(TASK, read), EXIT.done);
    // Equal grades agree with neither member: 0 of 4, Wilson up to 49.0.
    const text = Deno.readTextFileSync(report);
    assert.match(text, /\| Old Norse \| all \| 4 \| 0 \| 4 \| 0 \| 0\.0 \[0\.0, 49\.0\] \|/);
    assert.match(text, /Doubted pairs \(4\)/);
    assert.equal(await exitCodeOf(TASK, read), EXIT.failed, "a report is not written over");
    assert.equal(await exitCodeOf(TASK, []), EXIT.failed);
  }));
