import { z } from "zod";
import { evidencePassage } from "./evidence_passage.ts";
import { labelled, loadCases, type LoadedCases } from "./load_cases.ts";

const SET = "begin_wow";

const ROW = z.object({
  model_name: z.string(),
  knowledge: z.string().min(1),
  response: z.string().min(1),
  begin_label: z.enum(["Fully attributable", "Not fully attributable", "Generic"]),
});

/**
 * BEGIN (Dziri et al. 2022, TACL 10): replies of dialogue models to Wizard of Wikipedia, one object
 * a line, with people's word on whether the reply says only what its knowledge says. Binary: a
 * reply that claims nothing ("generic") does not count as attributable. The same knowledge stands
 * with replies of several models and is the cluster.
 */
export function beginCases(path: string): LoadedCases {
  return loadCases(path, ROW, ({ model_name, knowledge, response, begin_label }, line) => {
    const id = `${model_name}-${line}`;
    return [labelled({
      id,
      claim: response,
      passages: [evidencePassage(SET, id, knowledge)],
      label: begin_label === "Fully attributable" ? "supported" : "not supported",
      cluster: knowledge,
      set: SET,
    })];
  });
}
