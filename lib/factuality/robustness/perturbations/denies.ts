/** What is not so of one is not so of most others, either. */
export const DENIES = /\b(?:not|never|no|nor|neither|without|except|reject(?:ed|s)?|outside)\b/u;
