import { Fragment } from 'react';
import type { SaidPart } from './said-text.ts';

/** A computed sentence, as the page shows it under the title. */
export function Said({ parts }: { readonly parts: readonly SaidPart[] }) {
  return parts.map((part, at) => (
    <Fragment key={at}>{typeof part === 'string' ? part : <strong>{part.strong}</strong>}</Fragment>
  ));
}
