import type { RandomSource } from "../../stats/random.ts";
import type { BaseClaim } from "./base_claim.ts";
import type { RobustnessCase } from "./robustness_case.ts";
import { type Variant, VARIANT_KINDS, type VariantKind } from "./variant.ts";

/** A claim with every variant that could be made of it. */
export interface VariedClaim {
  readonly base: BaseClaim;
  readonly variants: readonly Variant[];
}

export interface ChooseOptions {
  /** Cases a kind, at most. */
  readonly perKind: number;
  /** Of these, how many a kind are for language models, too. */
  readonly drawnPerKind: number;
  readonly random: RandomSource;
}

/**
 * So many cases a kind, about half of them of running text where there are enough; kinds share their
 * original claims as far as they can, so that few have to be asked about. Rare kinds choose first.
 */
export function chooseCases(
  claims: readonly VariedClaim[],
  { perKind, drawnPerKind, random }: ChooseOptions,
): readonly RobustnessCase[] {
  const shuffled = random.shuffle(claims);
  const having = (kind: VariantKind) =>
    shuffled.filter(({ variants }) => variants.some((variant) => variant.kind === kind));
  const rarestFirst = VARIANT_KINDS.toSorted((a, b) => having(a).length - having(b).length);
  const used = new Map<VariedClaim, VariantKind[]>();
  for (const kind of rarestFirst) {
    const inOrder = having(kind).toSorted((a, b) => timesUsed(used, b) - timesUsed(used, a));
    for (const claim of halfProse(inOrder, perKind)) {
      used.set(claim, [...used.get(claim) ?? [], kind]);
    }
  }
  return drawn([...used].flatMap(([claim, kinds]) => rows(claim, kinds)), drawnPerKind);
}

/** Whether a claim has been used, no matter how often: else a few claims would carry everything. */
const timesUsed = (used: ReadonlyMap<VariedClaim, unknown>, claim: VariedClaim) =>
  used.has(claim) ? 1 : 0;

function halfProse(claims: readonly VariedClaim[], count: number): readonly VariedClaim[] {
  const prose = claims.filter(({ base }) => base.isProse);
  const facts = claims.filter(({ base }) => !base.isProse);
  const ofProse = Math.min(prose.length, Math.max(Math.ceil(count / 2), count - facts.length));
  return [...prose.slice(0, ofProse), ...facts.slice(0, count - ofProse)];
}

function rows({ base, variants }: VariedClaim, kinds: readonly VariantKind[]) {
  return VARIANT_KINDS.filter((kind) => kinds.includes(kind)).map((kind): RobustnessCase => {
    const { text, from, to } = variants.find((variant) => variant.kind === kind)!;
    return {
      ...{ id: `${base.id}/${kind}`, base: base.id, country: base.country, kind },
      ...{ original: base.text, changed: text, from, to, source: base.passage.id, drawn: false },
    };
  });
}

/** Of each kind those whose originals serve the most kinds. */
function drawn(cases: readonly RobustnessCase[], count: number): readonly RobustnessCase[] {
  const serves = Map.groupBy(cases, ({ base }) => base);
  const byUse = cases.toSorted((a, b) => serves.get(b.base)!.length - serves.get(a.base)!.length);
  const chosen = new Set(
    VARIANT_KINDS.flatMap((kind) => byUse.filter((one) => one.kind === kind).slice(0, count)),
  );
  return cases.map((one) => ({ ...one, drawn: chosen.has(one) }));
}
