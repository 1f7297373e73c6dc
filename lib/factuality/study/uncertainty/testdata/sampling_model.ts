import type { SampleReply, SamplingModel } from "../../../../models/sampling_model.ts";

/** A model that thinks the seed and gives each option minus its length in nats. */
export function standIn(
  reply: (seed: string) => SampleReply = thinking,
): SamplingModel & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    ...{ name: "stand-in", settings: { precision: "F32" }, asked },
    sample(_prompt, { seed }) {
      asked.push(`${seed}`);
      return Promise.resolve(reply(`${seed}`));
    },
    continuations: (_prompt, texts) => Promise.resolve(texts.map(({ length }) => -length)),
  };
}

/** Two tokens of 1 and 2 nats. */
function thinking(seed: string): SampleReply {
  const tokens = [1, 2].map((entropy) => ({ text: "x", logProbability: -1, entropy }));
  return { kind: "sample", text: ` of ${seed}`, tokens, promptTokens: 9, ended: "complete" };
}
