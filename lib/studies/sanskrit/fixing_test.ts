import assert from "node:assert/strict";
import { excludesCell, headAllows } from "./fixing.ts";
import { CELLS, formatCell, parseCell } from "./paradigms.ts";
import { annotated, noun } from "./testdata/fixtures.ts";

/** By hand: noun, fixing words, cells that the first excludes, and cells it does not. */
const KEPT = `
  deva a_masculine nom.sg | subject jāyate 3.sg | acc.sg nom.pl | gen.sg
  deva a_masculine nom.pl | subject jāyante 3.pl | acc.pl nom.sg | gen.pl
  sūrya a_masculine loc.sg | absolute udite loc.sg.m | loc.pl | acc.sg gen.sg
  vidyā ā_feminine nom.sg | apposition paramā nom.sg.f | acc.sg nom.pl | gen.sg
  vidyā ā_feminine nom.sg | predicate paramā nom.sg.f | acc.sg nom.pl | abl.sg gen.sg
  deva a_masculine nom.pl | predicate paramāḥ nom.pl.m | acc.pl nom.du | nom.sg
  phala a_neuter nom.sg | predicate kāraṇam nom.sg.n acc.sg.n | acc.sg | nom.pl
  deva a_masculine ins.sg | governed saha ins | nom.sg acc.sg | gen.sg ins.pl
  ratha a_masculine acc.sg | object paśya 2.sg | nom.sg | gen.sg acc.pl
  bhūta a_neuter acc.pl | object x 3.pl | nom.pl | acc.sg
  deva a_masculine nom.sg | coordinated karṇaḥ nom.sg.m | acc.sg | ins.sg nom.pl
  deva a_masculine nom.sg | coordinated pauruṣam nom.sg.n acc.sg.n | | acc.sg
  deva a_masculine gen.sg | adnominal phalam nom.sg.n | acc.sg | nom.sg ins.sg gen.pl
  deva a_masculine nom.sg | adjunct sukham acc.sg.n | | acc.sg gen.sg nom.pl
  deva a_masculine acc.sg | agreement mahāntam acc.sg.m | nom.sg ins.sg gen.sg loc.sg acc.pl | dat.sg abl.sg acc.sg
  deva a_masculine nom.sg | agreement puṇyaḥ nom.sg.m | acc.sg nom.pl | dat.sg
  deva a_masculine nom.pl | agreement viśve nom.pl.m loc.sg.m | acc.pl | nom.sg
  bhūta a_neuter acc.pl | agreement x | nom.pl | acc.sg
  rūpa a_neuter acc.sg | agreement ghoram acc.sg.m nom.sg.n acc.sg.n | | gen.sg acc.pl
  kṛpā ā_feminine ins.sg | agreement parayā ins.sg.f | nom.sg acc.sg loc.sg | ins.pl dat.sg
  deva a_masculine gen.sg | agreement asya gen.sg.m gen.sg.n | | nom.sg acc.sg
  deva a_masculine acc.sg | agreement tam acc.sg.m | nom.sg | ins.sg acc.pl
  vidyā ā_feminine nom.pl | agreement tāḥ nom.pl.f acc.pl.f | ins.pl | nom.sg
  deva a_masculine acc.pl | agreement krūrān acc.pl.m; agreement tān acc.pl.m | nom.pl ins.pl | acc.sg
  deva a_masculine acc.pl | agreement krūrān acc.pl.m; apposition tān acc.pl.m | acc.sg | dat.pl
  deva a_masculine acc.pl | apposition narān acc.pl.m; agreement tān acc.pl.m | acc.sg | nom.pl
  sāgara a_masculine nom.sg | apposition aham nom.sg | acc.sg | nom.pl
  sāgara a_masculine nom.sg | predicate aham nom.sg | acc.sg | nom.pl
  sāgara a_masculine nom.sg | subject asmi 1.sg | acc.sg nom.pl | gen.sg
  śama a_masculine nom.sg | subject ucyate 3.sg | acc.sg | nom.pl
  śama a_masculine nom.sg | subject jāyate 3.sg; predicate kāraṇam nom.sg.n acc.sg.n | acc.sg | nom.pl
  śama a_masculine nom.sg | subject jāyate 3.sg; predicate aham nom.sg | nom.pl | gen.sg
  śama a_masculine nom.sg | subject jāyate 3.sg; apposition māyā nom.sg.f | nom.pl | gen.sg
  śama a_masculine nom.sg | agreement puṇyaḥ nom.sg.m; predicate māyā nom.sg.f | nom.pl | dat.sg
  śama a_masculine nom.sg | predicate māyā nom.sg.f | acc.sg | nom.pl
`.trim().split(/\n\s+/u).map((row) => row.split("|"));

Deno.test("breaks() gives what was worked by hand", () => {
  for (const row of KEPT) {
    const [stemAndCell, fixedBy, ...cells] = row.map((field) => field.trim());
    const fixed = annotated(noun("x", stemAndCell!, fixedBy!));
    for (const [at, expected] of cells.entries()) {
      for (const to of expected.split(" ").filter(Boolean)) {
        assert.equal(
          excludesCell(fixed, fixed.fixedBy[0]!, parseCell(to)),
          at === 0,
          `${row} ${to}`,
        );
      }
    }
  }
});

/** Cases: noun, head, its spelling and next word, and all agreeing cells. */
const ALLOWED = `
  deva a_masculine ins.sg | governed saha ins loc | | ins.sg ins.du ins.pl loc.sg loc.du loc.pl
  deva a_masculine nom.sg | agreement ye nom.pl.m | | nom.pl
  deva a_masculine nom.sg | absolute ye nom.pl.m | | nom.pl
  deva a_masculine nom.sg | apposition ye nom.pl.m | | nom.pl
  deva a_masculine nom.sg | predicate ye nom.pl.m | | nom.pl
  deva a_masculine nom.sg | coordinated ye nom.pl.m | |
  bhāṣā ā_feminine nom.sg | agreement kā nom.sg.f | kā bhāṣā | nom.sg nom.pl acc.pl
  bhāṣā ā_feminine nom.sg | agreement kāḥ | kā bhāṣā | nom.pl acc.pl
  deva a_masculine nom.sg | agreement kā | kā bhāṣā | nom.pl
  bhāṣā ā_feminine nom.sg | agreement kā nom.sg.f | kā | nom.sg
  bhāṣā ā_feminine nom.sg | agreement kā nom.sg.f | kā karoti | nom.sg
  deva a_masculine nom.sg | agreement sarvaḥ | sarva eva | nom.sg nom.pl loc.sg
  deva a_masculine nom.sg | agreement sarve | sarva eva | nom.sg nom.pl loc.sg
  bhūta a_neuter nom.sg | agreement sarva | sarva eva | loc.sg
  deva a_masculine nom.sg | agreement tasmai | tasmā eva |
`.trim().split(/\n\s+/u).map((row) => row.split("|"));

Deno.test("headAllows() gives what was worked by hand, also where sandhi hides another form of the head", () => {
  for (const row of ALLOWED) {
    const [stemAndCell, fixedBy, place, expected] = row.map((field) => field.trim());
    const [written, next] = place!.split(" ") as [string, string | undefined];
    const fixed = annotated(noun("x", stemAndCell!, fixedBy!));
    const inPlace = written ? { written, next } : undefined;
    const agreeing = CELLS.filter((to) => headAllows(fixed, fixed.fixedBy[0]!, to, inPlace));
    const allowed = agreeing.map(formatCell).toSorted();
    assert.deepEqual(allowed, expected!.split(" ").filter(Boolean).toSorted(), row.join("|"));
  }
});
