import { Fragment } from 'react';

/** A sentence in pieces: plain text, and what is set in bold. Plain data, so that it can be tested. */
export type SaidPart = string | { readonly strong: string };

export function Said({ parts }: { readonly parts: readonly SaidPart[] }) {
  return parts.map((part, at) => (
    <Fragment key={at}>{typeof part === 'string' ? part : <strong>{part.strong}</strong>}</Fragment>
  ));
}

/** The same as plain text. */
export const saidText = (parts: readonly SaidPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.strong)).join('');
