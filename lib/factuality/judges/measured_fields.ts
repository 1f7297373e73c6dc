import { z } from "zod";

const SHARE = z.number().min(0).max(1);

/** Fields of a balanced accuracy as calibration files keep it; see `MeasuredAccuracy`. */
export const MEASURED_FIELDS = {
  balancedAccuracy: SHARE,
  low: SHARE,
  high: SHARE,
  n: z.int().min(1),
  on: z.string().min(1),
};
