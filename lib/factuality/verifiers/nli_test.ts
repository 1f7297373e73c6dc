import assert from "node:assert/strict";
import { join } from "node:path";
import { writeBytesAtomic } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { sourcePassage, VERDICT_LABELS } from "../types.ts";
import { checkInt8, checkNliNetwork, nliLabels, type NliNetwork } from "./nli.ts";
import { nliProbabilities, openOnnxNliVerifier, readClaim } from "./nli.ts";
import { tinyNliFiles } from "./testdata/tiny_models.ts";

type Files = ReadonlyMap<string, Uint8Array>;
type Entry = Parameters<typeof openOnnxNliVerifier>[0];
const withModel = (
  files: Files,
  work: (entry: (quantisation?: Entry["quantisation"]) => Entry) => Promise<void>,
) =>
  inFolder((path) => {
    for (const [name, content] of files) writeBytesAtomic(join(path, name), content);
    return work((quantisation = "none") => ({ id: "tiny", path, licence: "MIT", quantisation }));
  });

/** A source of two chunks: a claim of 3 tokens leaves 6. */
const SOURCE = "tells tells tells tells. denies denies denies denies.";

Deno.test("Requirement 1.3, 1.4: openOnnxNliVerifier() gives what was worked out by hand, in 8 bits compared with float32, or says why not", async () => {
  await withModel(tinyNliFiles(), async (entry) => {
    await using verifier = await openOnnxNliVerifier(entry(), 1);
    const [one] = await verifier.verify(["denies denies."], [sourcePassage("tells")]);
    const [both] = await verifier.verify(["tells tells."], [sourcePassage(SOURCE)]);
    assert.ok(one?.kind === "scored" && both?.kind === "scored");
    // The premise alone counts: logits 0, 2, 0.
    assert.ok(Math.abs(one.probabilities.supported - Math.E ** 2 / (Math.E ** 2 + 2)) < 1e-6);
    // Four times "tells" is 8 for entailment, e^8/(e^8 + 2); four times "denies" 12 against.
    const supported = Math.E ** 8 / (Math.E ** 8 + 2);
    assert.ok(Math.abs(both.probabilities.supported - supported) < 1e-6);
    assert.equal(both.evidence[0]?.text, "tells tells tells tells.");
    assert.equal(verifier.settings["precision"], "fp32");
    await using int8 = await openOnnxNliVerifier(entry("8-bit"), 1);
    const { precision, comparedWithFloat32 } = int8.settings;
    assert.deepEqual([precision, comparedWithFloat32], ["q8", true]);
  });
  // After MiniCheck: of two outputs without names the user says which is which.
  await withModel(tinyNliFiles({ 0: "LABEL_0", 1: "LABEL_1" }), async (entry) => {
    const labels = { LABEL_0: "not enough info", LABEL_1: "supported" } as const;
    await using verifier = await openOnnxNliVerifier({ ...entry(), labels }, 1);
    const [said] = await verifier.verify(["denies."], [sourcePassage("tells")]);
    // Logits 0, 2.
    const supported = Math.E ** 2 / (Math.E ** 2 + 1);
    assert.ok(said?.kind === "scored" && said.probabilities.refuted === 0);
    assert.ok(Math.abs(said.probabilities.supported - supported) < 1e-6);
    assert.equal(verifier.settings["tells"], "supported and not enough info");
  });
  // One output: three for each "denies", and a sigmoid of it.
  await withModel(tinyNliFiles({ 0: "consistent" }), async (entry) => {
    await using verifier = await openOnnxNliVerifier(entry(), 1);
    const [said] = await verifier.verify(["tells."], [sourcePassage("denies")]);
    const supported = said?.kind === "scored" && said.probabilities.supported;
    assert.ok(Math.abs(Number(supported) - Math.E ** 3 / (Math.E ** 3 + 1)) < 1e-6);
  });
  const broken = new Map([...tinyNliFiles(), ["onnx/model.onnx", new Uint8Array(9)] as const]);
  for (const files of [tinyNliFiles({ 0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2" }), broken]) {
    await withModel(files, async (entry) => {
      const opening = openOnnxNliVerifier(entry(), 1);
      await assert.rejects(opening, /^TypeError: Cannot open the NLI model tiny: /);
    });
  }
});

Deno.test("openOnnxNliVerifier() refuses another file than the one named, and names the files that a folder lacks", async () => {
  await withModel(tinyNliFiles(), async (entry) => {
    const opening = openOnnxNliVerifier({ ...entry(), sha256: "a".repeat(64) }, 1);
    await assert.rejects(
      opening,
      /NLI model tiny: the SHA-256 of onnx\/model\.onnx is [0-9a-f]{64}/,
    );
  });
  const files = [...tinyNliFiles()].filter(([name]) => !/model_q|tokenizer\.json/.test(name));
  await withModel(new Map(files), async (entry) => {
    await assert.rejects(
      openOnnxNliVerifier(entry("8-bit"), 1),
      /tiny: .* has no tokenizer\.json, no onnx\/model_int8\.onnx or onnx\/model_quantized\.onnx;/,
    );
  });
});

const TEXT = "First part. Second part.";
/** A network with these logits in turn. */
function network(answers: readonly (readonly number[])[], longest = 40): NliNetwork {
  let asked = 0;
  return {
    labels: ["supported", "not enough info", "refuted"],
    longest,
    frame: 3,
    countTokens: (text) => text.split(" ").length,
    logits: () => Promise.resolve(answers[asked++ % answers.length]!),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const PROVENANCE = { producedBy: "made", modelSha256: undefined, promptSha256: undefined };

const read = (made: NliNetwork, claim: string, text: string) =>
  readClaim(made, claim, [sourcePassage(text)], { provenance: PROVENANCE });

Deno.test("Requirement 9: no text, no room and no finite answer are unscored, each with its reason", async () => {
  const good = network([[1, 0, 0]]);
  const cases = [
    [await read(good, "A claim.", " "), "no evidence", /no source to hold/],
    [await read(network([[1, 0, 0]], 10), "a b c d e", TEXT), "too long", /leaves 2 of 10 tokens/],
    [await read(network([[NaN, 0, 0]]), "A claim.", TEXT), "failure", /not 3 finite numbers/],
  ] as const;
  for (const [verdict, reason, message] of cases) {
    assert.ok(verdict.kind === "unscored");
    assert.equal(verdict.reason, reason);
    assert.match(verdict.message, message);
  }
  assert.equal((await read(good, "A claim.", TEXT)).kind, "scored");
});

Deno.test("checkNliNetwork() and checkInt8() refuse a network that changes its mind, says nothing finite, or is noise", async () => {
  const float32 = network([[1, 0, 0]]);
  const difference = await checkInt8(network([[1.1, 0, 0]]), float32);
  // e / (e + 2) = 0.5761 and e^1.1 / (e^1.1 + 2) = 0.6003.
  assert.ok(Math.abs(difference - 0.0242) < 5e-5);
  await assert.rejects(checkInt8(network([[0, 0, 1]]), float32), /write quantisation: none/);
  await checkNliNetwork(network([[2, 1, 0]]));
  const wavering = network([[2, 1, 0], [0, 1, 2]]);
  await assert.rejects(checkNliNetwork(wavering), /for the same texts differ by 0\.\d+ from one/);
  await assert.rejects(checkNliNetwork(network([[Infinity, 0, 0]])), /not 3 finite numbers/);
});

Deno.test("nliLabels() reads published orders and spellings, and refuses to guess", () => {
  const [yes, no, silent] = VERDICT_LABELS;
  const cases = [
    [["entailment", "neutral", "contradiction"], [yes, silent, no]],
    [["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], [no, silent, yes]],
    [["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], [yes, no, silent]],
    [["entailment", "not_entailment"], [yes, silent]],
    [["unsupported", "Supported"], [silent, yes]],
    [["hallucinated", "consistent"], [silent, yes]],
    [["consistent"], [yes]],
  ] as const;
  for (const [labels, expected] of cases) {
    assert.deepEqual(nliLabels({ ...labels } as never), expected);
  }
  const [against, supported, none] = [0, Math.log(2), Math.log(5)];
  const found = nliProbabilities([against, supported, none], [no, yes, silent]);
  assert.ok(Math.abs(found.refuted - 1 / 8) + Math.abs(found.supported - 2 / 8) < 1e-12);
  const meanings = { LABEL_0: silent, "1": yes } as const;
  assert.deepEqual(nliLabels({ 0: "LABEL_0", 1: "LABEL_1" }, meanings), [silent, yes]);
  for (const labels of [{ LABEL_1: yes }, { 0: no, 1: silent }]) {
    const reading = () => nliLabels({ 0: "LABEL_0", 1: "LABEL_1" }, labels as never);
    assert.throws(reading, /^TypeError: its config\.json has the labels 0: LABEL_0, 1: LABEL_1;/);
  }
  // One output is a sigmoid's: 1 / (1 + 1 / 3); outputs of one meaning are taken together.
  const one = nliProbabilities([Math.log(3)], [yes]);
  assert.ok(Math.abs(one.supported - 0.75) + Math.abs(one["not enough info"] - 0.25) < 1e-12);
  const both = nliProbabilities([0, 0, Math.log(2)], [yes, silent, silent]);
  assert.ok(Math.abs(both["not enough info"] - 3 / 4) < 1e-12);
  const refused = "|LABEL_0 LABEL_1 LABEL_2|entailment neutral|entailment entailment contradiction";
  for (const labels of refused.split("|").map((names) => names.split(" "))) {
    assert.throws(() => nliLabels({ ...labels } as never), /^TypeError: the labels of its config/);
  }
});
