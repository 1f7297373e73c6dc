/** Judges and splitters ask models through this interface; the models' own room defines it. */
export type {
  JsonSchema,
  StructuredModel,
  StructuredReply,
} from "../../models/structured_model.ts";
