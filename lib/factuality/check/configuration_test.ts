import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { YAML_BOMB } from "../../files/testdata/yaml_bomb.ts";
import { QWEN_CODER } from "../../models/llama/local_models.ts";
import { readJudgeEntries, weightFromAccuracy } from "../judges/ensemble.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { parseEvaluationConfiguration } from "./configuration.ts";

const OWN = `
name: mine
verifier: { kind: overlap }
judges:
  - id: own
    kind: gguf
    path: models/own.gguf
    licence: MIT
`;

const read = (text: string) => parseEvaluationConfiguration(text, "folder/mine.yaml");

Deno.test("a judge that is named large is the packaged model, as it is published and was measured", () => {
  const [judge] = read(OWN.replace(/judges:[^]*/, "judges: [large]")).judges;
  assert.ok(judge?.kind === "gguf" && judge.readout === "next-token");
  const { id, quantisation, prompt } = judge;
  for (const key of ["id", "package", "licence"] as const) {
    assert.equal(judge[key], QWEN_CODER[key]);
  }
  // The contents of the study's file must be found by it: at another precision it would be worth nothing.
  const { judgeCalibration } = FACTUALITY_PATHS;
  const measured = readJudgeEntries(Deno.readTextFileSync(judgeCalibration), judgeCalibration)
    .find((entry) => entry.id === id && entry.prompt === prompt);
  assert.deepEqual([measured?.weights, measured?.modelSha256], [quantisation, QWEN_CODER.sha256]);
  assert.ok(weightFromAccuracy(measured!.measured) > 0.5);
});

Deno.test("parseEvaluationConfiguration() takes a verifier by one word, in the file or in its place", () => {
  const word = (name: string) => read(OWN.replace("{ kind: overlap }", name)).verifier;
  const { largeVerifier: calibration } = FACTUALITY_PATHS;
  assert.deepEqual(word("large"), { kind: "large", calibration, timeoutSeconds: 300 });
  assert.deepEqual(word("{ kind: large }"), word("large"));
  const files = { path: "folder/q.gguf", calibration: "folder/c.json" };
  const own = word("{ kind: large, path: q.gguf, calibration: c.json, timeoutSeconds: 9 }");
  assert.deepEqual(own, { kind: "large", ...files, timeoutSeconds: 9 });
  assert.ok(isAbsolute((word("default") as { path: string }).path));
  const chosen = parseEvaluationConfiguration(OWN, "folder/mine.yaml", "large");
  assert.deepEqual(chosen, { ...read(OWN), verifier: word("large") });
});

Deno.test("a server's model is named in one line, by its address or as Groq's", () => {
  const { verifier: own } = read(
    OWN.replace("{ kind: overlap }", "http://127.0.0.1:1/v1 lab/m:7b"),
  );
  assert.ok(own.kind === "prompted-server");
  assert.deepEqual([own.id, own.model, own.keyName], ["lab/m-7b", "lab/m:7b", undefined]);
  assert.deepEqual([own.baseUrl, own.prompt], ["http://127.0.0.1:1/v1", "verdict_words"]);
  const { verifier } = parseEvaluationConfiguration(OWN, "mine.yaml", "groq:host/model-8b");
  assert.ok(verifier.kind === "prompted-server");
  assert.deepEqual([verifier.model, verifier.keyName], ["host/model-8b", "GROQ_API_KEY_1"]);
  assert.match(verifier.baseUrl, /groq\.com/);
  for (const line of ["groq:", "http://127.0.0.1:1/v1", "constructor", "127.0.0.1 m"]) {
    assert.throws(() => parseEvaluationConfiguration(OWN, "mine.yaml", line), /verifier: must be/);
  }
});

const SERVED = OWN.replace("gguf", "openai-compatible")
  .replace("path: models/own.gguf", "baseUrl: http://127.0.0.1:1/v1");
const judge = OWN.slice(OWN.indexOf("  - id"));

/** A file with one fault, and what the message says of it. */
const FAULTS: readonly (readonly [string, RegExp])[] = [
  [OWN.replace("mine", "' '").replace("MIT", "MIT\n    weight: x"), /is blank; judges\.0\.weight/],
  ["name: [", /it is no YAML/],
  [YAML_BOMB, /mine\.yaml: it is no YAML\. Excessive alias count/],
  ["", /folder\/mine\.yaml: name: .*; verifier: /],
  [OWN.replace("overlap", "oracle"), /verifier\.kind: /],
  [
    OWN.replace("{ kind: overlap }", "huge"),
    /verifier: must be default, large, groq:MODEL, or the address .*, or an entry/,
  ],
  [OWN.replace("licence: MIT", ""), /judges\.0\.licence \(own\): /],
  [OWN.replace("licence", "rule: 3\n    licence"), /unknown key judges\.0\.rule \(own\)/],
  [OWN.replace("path: models/own.gguf", ""), /judges\.0 \(own\): must have either a package or/],
  [OWN.replace("licence", "sha256: ABC\n    licence"), /sha256 \(own\): must be 64 lower-case/],
  [OWN.replace("licence", "weight: 0\n    licence"), /judges: one of them must weigh more than 0/],
  [OWN + judge, /judges: the id own occurs twice/],
  [`${OWN}models:\n${judge}${judge}`, /^[^;]*models: the id own occurs twice/],
  [OWN.replace("id: own", "id: verifier"), /judges: the id verifier is what reports call/],
  [OWN.replace("judges", "splitter: { kind: language-model, judge: x }\njudges"), /x is none of/],
  [OWN + "retrieval: { kind: folder }", /retrieval\.path: /],
  [SERVED.replace("http://", "ftp://"), /baseUrl \(own\): must be an address/],
];

Deno.test("parseEvaluationConfiguration() names file, key and entry of what is wrong", () => {
  for (const [text, pattern] of FAULTS) {
    assert.throws(() => read(text), { name: "SyntaxError", message: pattern }, String(pattern));
  }
  assert.equal(read(SERVED).judges[0]?.kind, "openai-compatible");
});
