import type { SourceKind } from './source.ts';

/** Every kind of source, as the help lists them. */
export const sourceKinds: readonly SourceKind[] = [];
