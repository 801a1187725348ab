/** A sentence in pieces, plain text and bold text, as data that can be tested. */
export type SaidPart = string | { readonly strong: string };

/** The sentence as plain text. */
export const saidText = (parts: readonly SaidPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.strong)).join('');
