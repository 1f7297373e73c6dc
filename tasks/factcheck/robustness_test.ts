import assert from "node:assert/strict";
import { join } from "node:path";
import { unscored } from "../../lib/factuality/decision.ts";
import { components, literalVerifier } from "../../lib/factuality/check/testdata/fakes.ts";
import { readRobustnessReport } from "../../lib/factuality/own/variants/report.ts";
import { variantTools } from "../../lib/factuality/own/variants/testdata/variant_tools.ts";
import type { Verifier } from "../../lib/factuality/types.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { EXIT } from "../command.ts";
import { checkOwnText } from "./robustness.ts";

Deno.test("checkOwnText() tells what its verifier is worth and could not answer, and that a text is not English", () =>
  inFolder(async (folder) => {
    const claim = "The coastline of Kenya is 536 km long.";
    let isDown = true;
    // At first nothing comes of the second claim, nor of the variants of the first.
    const verifier: Verifier = {
      ...literalVerifier,
      async verify(claims, passages) {
        const verdicts = await literalVerifier.verify(claims, passages);
        const down = unscored("literal", "failure", "Its server is down.");
        return verdicts.map((one, at) => isDown && claims[at] !== claim ? down : one);
      },
    };
    const opened = components({ verifier, problems: ["It is not calibrated."] });
    const check = async (source: string) => {
      const [said, log]: [string[], typeof console.log] = [[], console.log];
      console.log = (words: string) => void said.push(words);
      const texts = { candidate: `${claim} Nairobi has a mayor.`, source };
      const { signal } = new AbortController();
      const code = await checkOwnText(texts, opened, variantTools, { folder, signal })
        .finally(() => console.log = log);
      return [code, said.join("\n")] as const;
    };
    const [incomplete, outage] = await check(`${claim} Nairobi has a mayor.`);
    assert.equal(incomplete, EXIT.incomplete);
    assert.match(outage, /^It is not calibrated\.\n1 of 2 claims accepted; [1-9]\d* variants\./);
    assert.match(
      outage,
      /^\d+ verdicts are missing, .*: Its server is down\. Run the same command/m,
    );
    isDown = false;
    const [done, said] = await check(
      `Die Küste von Kenia ist lang, das Handbuch sagt: ${claim} Nairobi hat einen Bürgermeister.`,
    );
    assert.equal(done, EXIT.done);
    assert.match(said, /^The source text seems to be in German\./m);
    const file = join(folder, "report.json");
    const { foreign } = readRobustnessReport(Deno.readTextFileSync(file), file);
    assert.match(foreign ?? "", /seems to be in German/);
  }));
