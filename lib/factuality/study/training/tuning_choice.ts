import { fileURLToPath } from "node:url";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { FineTuningResult } from "../../fine_tuning/results_table.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";
import { NETWORK, resultMeasure } from "./fine_tuning_views.ts";

/**
 * A trial of llama.cpp's own training entry points from Deno, made once before this study: SmolLM2-135M,
 * layers 15–29, 208 true or false statements twice, one thread. It is not part of the project.
 */
const TRIAL = {
  before: 0.52,
  after: 0.91,
  heldOut: 100,
  secondsAnExample: 0.71,
  gigabytes: 1.44,
} as const;

/** Lines of code by language. */
export interface CodeLines {
  readonly python: number;
  readonly typescript: number;
}

/** Folders with the files that only fine-tuning needs, and which files of them these are. */
const PLACES: readonly (readonly [string, RegExp])[] = [
  ["tasks/python", /^finetune_/],
  ["tasks/finetune", /./],
  ["lib/factuality/fine_tuning", /./],
  ["lib/factuality/verifiers", /^cross_encoder/],
  ["lib/models/encoder", /^(?:cross_encoder|gguf_file|safetensors)/],
];

/** Counts them; tests and empty lines are left out. */
export function fineTuningLines(): CodeLines {
  const paths = PLACES.flatMap(([folder, names]) => {
    const place = fileURLToPath(new URL(`../../../../${folder}/`, import.meta.url));
    return [...Deno.readDirSync(place)]
      .filter(({ name, isFile }) => isFile && names.test(name) && !name.endsWith("_test.ts"))
      .map(({ name }) => `${place}${name}`);
  });
  const linesOf = (ending: string) =>
    paths.filter((path) => path.endsWith(ending))
      .flatMap((path) => Deno.readTextFileSync(path).split("\n"))
      .filter((line) => line.trim() !== "").length;
  return { python: linesOf(".py"), typescript: linesOf(".ts") };
}

/** Two ways to change a model's own weights, side by side. */
export function tuningChoiceTable(
  rows: readonly FineTuningResult[],
  lines: CodeLines,
): string {
  const row = (model: string, set: string, metric: string) =>
    rows.find((one) =>
      one.model === model && one.set === set && one.metric === metric && one.labels !== "three-way"
    );
  const of = (...cell: Parameters<typeof row>) => {
    const found = row(...cell);
    return found === undefined ? "–" : writtenMeasure(resultMeasure(found), "decimal");
  };
  const ends = [NETWORK.frozen, NETWORK.fineTuned];
  const sets = [...new Set(rows.map(({ set }) => set))].filter((set) =>
    ends.every((model) => row(model, set, "balanced accuracy") !== undefined)
  );
  const change = (begin: string) => {
    const set = sets.find((one) => one.startsWith(begin)) ?? begin;
    return ends.map((model) => of(model, set, "balanced accuracy")).join(" → ");
  };
  return markdownTable(
    ["", "MiniLM with PyTorch, run in process", "SmolLM2 through llama.cpp’s entry points"],
    [
      [
        "held-out, before → after",
        `${change("factbook claims, test")}, balanced accuracy`,
        `${TRIAL.before} → ${TRIAL.after}, accuracy on ${TRIAL.heldOut} true or false statements`,
      ],
      ...["begin_wow", "halueval_qa"].map((set) => [`${set}, before → after`, change(set), "–"]),
      [
        "time",
        `${
          of(NETWORK.fineTuned, "training", "minutes of processor time")
        } minutes of processor time`,
        `${TRIAL.secondsAnExample} s an example, ${TRIAL.gigabytes} GB of memory`,
      ],
      [
        "code",
        `${lines.python} lines of Python, ${lines.typescript} of TypeScript`,
        "some 300 lines of workarounds",
      ],
      [
        "how long it will keep working",
        "PyTorch’s training interface has been the same for years; the versions are pinned, and what " +
        "is used afterwards is one GGUF file",
        "gradients have to be set to 0 by hand in this build, layers below the 14th overflow the " +
        "graph, three kinds of weights stay untrained: each may change with the next release",
      ],
    ],
  );
}
