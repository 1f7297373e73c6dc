import { openTemporary, writeWhole } from "../../lib/files/atomic.ts";
import { fitTemperature } from "../../lib/factuality/training/temperature.ts";
import type { TrainingPair } from "../../lib/factuality/fine_tuning/training_pairs.ts";
import { VERDICT_LABELS } from "../../lib/factuality/verdicts/verdict.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { type CrossEncoder, openCrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import {
  crossEncoderMetadata,
  crossEncoderTensors,
} from "../../lib/models/encoder/cross_encoder_gguf.ts";
import { ggufBytes } from "../../lib/models/encoder/gguf_file.ts";
import { readSafetensors } from "../../lib/models/encoder/safetensors.ts";
import type { WordPieceVocabulary } from "../../lib/models/encoder/word_pieces.ts";

/** What a file of a network is made of. */
export interface NetworkSource {
  /** Safetensors that the training kept. */
  readonly weights: string;
  readonly name: string;
  readonly vocabulary: WordPieceVocabulary;
  readonly longest: number;
}

function write(path: string, source: NetworkSource, temperature: number): void {
  const { weights, name, vocabulary, longest } = source;
  const tensors = crossEncoderTensors(readSafetensors(weights, Deno.readFileSync(weights)));
  const content = { name, labels: VERDICT_LABELS, longest, temperature };
  const metadata = crossEncoderMetadata([...vocabulary.ids.keys()], content);
  const temporary = openTemporary(path);
  try {
    for (const piece of ggufBytes(metadata, tensors)) writeWhole(temporary.file, piece);
    temporary.commit();
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

async function temperatureOf(
  network: CrossEncoder,
  pairs: readonly TrainingPair[],
  signal: AbortSignal,
): Promise<number | undefined> {
  using progress = openProgress("temperature", pairs.length);
  const rows = [];
  for (const { ids, label } of pairs) {
    if (signal.aborted) return undefined;
    rows.push({ logits: await network.logits(ids), label, weight: 1 });
    progress.advance();
  }
  return fitTemperature(rows);
}

/**
 * Writes what PyTorch trained as one GGUF file, with the temperature that fits the development pairs
 * best as they are evaluated here.
 *
 * @returns whether it is written; not where Ctrl-C came first.
 */
export async function writeNetwork(
  path: string,
  source: NetworkSource,
  development: readonly TrainingPair[],
  { threads, signal }: { readonly threads: number; readonly signal: AbortSignal },
): Promise<boolean> {
  // Under another name: what stands under the final one is calibrated.
  const uncalibrated = `${path}.uncalibrated`;
  write(uncalibrated, source, 1);
  const temperature = await (async () => {
    await using network = await openCrossEncoder(uncalibrated, { threads });
    return await temperatureOf(network, development, signal);
  })();
  Deno.removeSync(uncalibrated);
  if (temperature === undefined) return false;
  write(path, source, temperature);
  return true;
}
