/** A sentence in pieces: plain text, and what is set in bold. Plain data, so that it can be tested. */
export type SaidPart = string | { readonly strong: string };

/** The same as plain text. */
export const saidText = (parts: readonly SaidPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.strong)).join('');
