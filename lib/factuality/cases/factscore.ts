import { z } from "zod";
import { labelled, leftOut, loadCases, type LoadedCases } from "./load_cases.ts";

const SET = "factscore_labeled";

const ROW = z.object({
  model: z.string(),
  topic: z.string().min(1),
  facts: z.array(z.tuple([z.string().min(1), z.enum(["S", "NS", "IR"])])),
});

/**
 * FActScore's atomic facts of biographies (Min et al. 2023, arXiv 2305.14251), one response a line,
 * with people's word against Wikipedia: S supported, NS not supported, IR irrelevant and left out.
 * The articles are not in the file, so there are no passages. The cluster is the response.
 */
export function factscoreCases(path: string): LoadedCases {
  return loadCases(path, ROW, ({ model, topic, facts }) => {
    const cluster = `${model}/${topic}`;
    return facts.map(([claim, label], index) => {
      const id = `${cluster}/${index + 1}`;
      if (label === "IR") return leftOut(id, "irrelevant to what was asked");
      const read = label === "S" ? "supported" : "not supported";
      return labelled({ id, claim, passages: [], label: read, cluster, set: SET });
    });
  });
}
