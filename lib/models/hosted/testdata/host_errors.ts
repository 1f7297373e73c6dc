import { Groq } from "groq-sdk";

export function statusError(
  status: number,
  message: string,
  { code }: { readonly code?: string } = {},
): Error {
  return Groq.APIError.generate(status, { error: { message, code } }, undefined, new Headers());
}

export function limitError(
  limit: string,
  wait?: string,
  { organisation = "org_a" }: { readonly organisation?: string } = {},
): Error {
  const again = wait === undefined ? "" : ` Please try again in ${wait}.`;
  const message =
    `Rate limit reached for model \`m\` in organization \`${organisation}\` service ` +
    `tier \`on_demand\` on ${limit}: Limit 100, Used 97, Requested 36.${again} Need more tokens?`;
  return statusError(429, message, { code: "rate_limit_exceeded" });
}
