import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { shownPath } from "../../files/shown_path.ts";
import { TRANSLATION_PATHS } from "../paths.ts";
import { DEFAULT_RUN_CONFIG } from "../run_config.ts";
import { canonicalText } from "../canonical_text.ts";
import { checkKey } from "./check_key.ts";
import { LONG_FORM } from "./outputs.ts";
import { readOutputs } from "./outputs_files.ts";
import { prepareRun } from "./prepare_run.ts";

const LAYOUT = { ...LONG_FORM, segment: "seg", document: "doc" };
const ignore = !existsSync(TRANSLATION_PATHS.wmt23);

Deno.test({
  name: "WMT23: the key gives every translation of 12 systems back as it stands in the file",
  ignore,
  async fn() {
    const options = { layout: LAYOUT, quotes: false, exclude: ["refA"] };
    const outputs = await readOutputs(TRANSLATION_PATHS.wmt23, options);
    assert.deepEqual([outputs.systems.length, outputs.segments.length], [12, 110]);
    const { workbook, key, report } = prepareRun(outputs, {
      ...{ runId: "3b1f7c7e-5a0d-4a52-8f6e-2f7f1d0c9b8a", secret: "0123456789abcdef".repeat(2) },
      ...{ seed: 23, config: DEFAULT_RUN_CONFIG, repeats: { share: 0.05 }, attentionChecks: 5 },
    });
    assert.equal(workbook.items.length, 110 + 6 + 5);
    assert.equal(report.partialDocuments, 0);
    checkKey(key, workbook);
    const inFile = linesOf(TRANSLATION_PATHS.wmt23);
    let compared = 0;
    for (const [index, { segment, systems, role }] of key.items.entries()) {
      for (const [t, text] of workbook.items[index]!.input.translations.entries()) {
        const isSpoiled = role.kind === "attention" && role.translation === t;
        const wanted = inFile.get(`${segment}\t${systems[t]}`)!;
        assert.equal(text === canonicalText(wanted), !isSpoiled);
        compared++;
      }
    }
    assert.equal(compared, 121 * 12);
  },
});

Deno.test({
  name: "WMT23: read with quoting, the file is refused with the way to read it",
  ignore,
  async fn() {
    await assert.rejects(
      readOutputs(TRANSLATION_PATHS.wmt23, { layout: LAYOUT }),
      new RegExp(
        `Cannot read ${RegExp.escape(shownPath(TRANSLATION_PATHS.wmt23))}.*quotes: false`,
        "s",
      ),
    );
  },
});

/** Translations by segment and system, read without the code under test. */
function linesOf(path: string): ReadonlyMap<string, string> {
  const lines = Deno.readTextFileSync(path).trimEnd().split("\n").slice(1);
  return new Map(lines.map((line) => {
    const [seg, , , system, , , translation] = line.split("\t");
    return [`${seg}\t${system}`, translation!];
  }));
}
