/** Words for a kappa. */
export type AgreementBand = "poor" | "fair" | "moderate" | "substantial" | "almost perfect";

/**
 * What a kappa is called: poor below 0.2, fair from 0.2, moderate from 0.4, substantial from 0.6 to
 * 0.8, almost perfect above 0.8. A convention and no test (after Landis & Koch 1977, Biometrics 33,
 * 159–174, whose two lowest bands are one here).
 *
 * @throws {RangeError} for what is no finite number up to 1.
 */
export function agreementBand(kappa: number): AgreementBand {
  if (!(Number.isFinite(kappa) && kappa <= 1)) {
    throw new RangeError(`Cannot name an agreement: ${kappa} is no kappa.`);
  }
  if (kappa < 0.2) return "poor";
  if (kappa < 0.4) return "fair";
  if (kappa < 0.6) return "moderate";
  return kappa <= 0.8 ? "substantial" : "almost perfect";
}
