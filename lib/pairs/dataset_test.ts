import assert from "node:assert/strict";
import fc from "fast-check";
import { writeDataset, type WriteDatasetOptions } from "./dataset.ts";
import { readDataset } from "./read_dataset.ts";
import { inFolder } from "./testdata/folder.ts";
import { PHENOMENA, type Phenomenon } from "./testdata/norse.ts";
import { madeItems } from "./testdata/whole_run.ts";

const ITEMS = madeItems(8);
type At = (name: string) => string;

function paths(at: At) {
  return { pairsPath: at("minimal_pairs.csv"), certificatesPath: at("certificates.csv") };
}

function write(at: At, change: Partial<WriteDatasetOptions<Phenomenon>> = {}) {
  return writeDataset({
    ...paths(at),
    phenomena: PHENOMENA,
    items: ITEMS,
    settings: "seed 1",
    ...change,
  });
}

function contents(at: At): readonly string[] {
  return Object.values(paths(at)).map((path) => Deno.readTextFileSync(path));
}

Deno.test("writeDataset() writes both files, readDataset() joins them again", async () => {
  await inFolder((at) => {
    const steps: number[] = [];
    const report = write(at, { onProgress: (done) => steps.push(done) });
    assert.deepEqual(report, {
      written: 8,
      kept: 0,
      damaged: { pairs: [], certificates: [] },
    });
    assert.deepEqual(steps, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(readDataset(paths(at), PHENOMENA), { items: ITEMS, damaged: [] });
    const header = contents(at)[0]?.split("\n")[0];
    assert.equal(header, "id,phenomenon,grammatical,ungrammatical,target,error_type");
  });
});

Deno.test("writeDataset() has every pair on disk, certificate first, before it goes on", async () => {
  await inFolder((at) => {
    write(at, {
      onProgress: (done) => {
        const [pairs = "", certificates = ""] = contents(at);
        assert.equal(pairs.split("\n").length, done + 2);
        assert.equal(certificates.split("\n").length, done + 2);
      },
    });
  });
});

Deno.test("Feature: old-norse-minimal-pairs, Property 14: incremental saving with duplicate prevention", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const [pairs = "", certificates = ""] = whole;
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3 }), (p, c, runs) => {
        const cut = (text: string, at: number) =>
          new TextEncoder().encode(text).subarray(0, at % (text.length + 1));
        Deno.writeFileSync(at("minimal_pairs.csv"), cut(pairs, p));
        Deno.writeFileSync(at("certificates.csv"), cut(certificates, c));
        for (let run = 0; run < runs; run++) write(at);
        assert.deepEqual(contents(at), whole);
        const ids = readDataset(paths(at), PHENOMENA).items.map(({ pair }) => pair.id);
        assert.equal(new Set(ids).size, ids.length);
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("writeDataset() mends fuzzed files and loses no valid row", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const junk = fc.constantFrom('"', ",", "\n", "\u0000", "þ,þ\n", '"a\nb"\n', "\r", "xx,yy,zz\n");
    fc.assert(
      fc.property(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }), junk, (
        which,
        share,
        text,
      ) => {
        const name = which === 0 ? "minimal_pairs.csv" : "certificates.csv";
        const body = whole[which] ?? "";
        const start = body.indexOf("\n") + 1;
        const place = start + Math.floor(share * (body.length - start));
        Deno.writeTextFileSync(at(name), body.slice(0, place) + text + body.slice(place));
        // A row that is well formed but another one is refused, never overwritten.
        try {
          const { damaged, kept } = write(at);
          assert.ok(kept >= ITEMS.length - 2, `${kept} kept`);
          assert.ok(damaged.pairs.every(({ line, reason }) => line > 1 && reason !== ""));
          assert.deepEqual(contents(at), whole);
        } catch (error) {
          assert.match(String(error), /other settings/);
          assert.ok(Deno.readTextFileSync(at(name)).includes(text));
          Deno.writeTextFileSync(at(name), body);
        }
      }),
      { numRuns: 200 },
    );
  });
});

Deno.test("writeDataset() sets a bad line aside by number and writes its pair anew", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const lines = (whole[0] ?? "").split("\n");
    Deno.writeTextFileSync(at("minimal_pairs.csv"), lines.with(3, "ON_UMLAUT_001,half").join("\n"));
    const report = write(at);
    assert.deepEqual(report.damaged.pairs.map(({ line }) => line), [4]);
    assert.deepEqual([report.written, report.kept], [1, 7]);
    assert.deepEqual(contents(at), whole);
    assert.match(Deno.readTextFileSync(at("minimal_pairs.damaged.csv")), /^4,.*half/m);
  });
});

Deno.test("writeDataset() completes a pair without certificate and the reverse", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    for (const [index, name] of ["minimal_pairs.csv", "certificates.csv"].entries()) {
      const lines = (whole[index] ?? "").split("\n");
      Deno.writeTextFileSync(at(name), lines.toSpliced(5, 1).join("\n"));
      assert.equal(write(at).written, 1);
      assert.deepEqual(contents(at), whole);
    }
  });
});

Deno.test("writeDataset() refuses files of other settings and of other columns unchanged", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const other = ITEMS.map(({ pair, certificate }) => ({
      pair: { ...pair, errorType: "other" },
      certificate,
    }));
    assert.throws(
      () => write(at, { items: other, settings: "seed 2" }),
      /minimal_pairs\.csv: row ON_QUIRKY_CASE_001 .*other settings: this run has seed 2.*anew/,
    );
    const explained = ITEMS.map(({ pair, certificate }) => ({
      pair,
      certificate: { ...certificate, explanation: "Another." },
    }));
    assert.throws(() => write(at, { items: explained }), /certificates\.csv: row .*Another/);
    assert.throws(() => write(at, { items: ITEMS.slice(1) }), /this run gives "nothing"/);
    assert.deepEqual(contents(at), whole);
    Deno.removeSync(at("minimal_pairs.csv"));
    Deno.writeTextFileSync(at("certificates.csv"), "pair_id,text\n");
    assert.throws(() => write(at), SyntaxError);
    assert.throws(() => Deno.statSync(at("minimal_pairs.csv")), Deno.errors.NotFound);
    assert.equal(Deno.readTextFileSync(at("certificates.csv")), "pair_id,text\n");
  });
});

Deno.test("writeDataset() refuses an id given twice", async () => {
  await inFolder((at) => {
    assert.throws(() => write(at, { items: [...ITEMS, ...ITEMS.slice(0, 1)] }), RangeError);
  });
});

Deno.test("readDataset() refuses a pair whose certificate is missing or another's", async () => {
  await inFolder((at) => {
    write(at);
    const lines = (contents(at)[1] ?? "").split("\n");
    Deno.writeTextFileSync(at("certificates.csv"), lines.toSpliced(2, 1).join("\n"));
    assert.throws(() => readDataset(paths(at), PHENOMENA), /ON_ADJECTIVE_001.*no certificate/);
    const wrong = lines.with(2, (lines[2] ?? "").replace("QC_VERB_LIKA", "QC_VERB_SAMA"));
    Deno.writeTextFileSync(at("certificates.csv"), wrong.join("\n"));
    assert.throws(() => readDataset(paths(at), PHENOMENA), /ON_ADJECTIVE_001.*another pair's hash/);
  });
});
