import type { Operations } from './operations.ts';

/**
 * How an operation reaches the running server and comes back. Its result is one JSON value, or it comes piece by piece:
 * `bytes` as they are, `steps` as one JSON value each. Of `lines`, records follow the input as they come.
 */
type FormOf<F extends (...input: never[]) => unknown> =
  Parameters<F> extends [unknown, unknown]
    ? 'lines'
    : ReturnType<F> extends AsyncIterable<Uint8Array>
      ? 'bytes'
      : ReturnType<F> extends AsyncIterable<unknown>
        ? 'steps'
        : 'value';

export type OperationForm = 'value' | 'bytes' | 'steps' | 'lines';

/** The operations that are more than one JSON value in and one out. A forgotten one does not compile. */
const others: {
  readonly [N in keyof Operations as FormOf<Operations[N]> extends 'value' ? never : N]: FormOf<Operations[N]>;
} = {
  putRecords: 'lines',
  putStrictly: 'lines',
  exportRows: 'bytes',
  askMetrics: 'bytes',
  backup: 'bytes',
  syncSources: 'steps',
  fillDemo: 'steps',
  migrate: 'steps',
};

const forms: ReadonlyMap<string, OperationForm> = new Map(Object.entries(others));

export const formOf = (name: string): OperationForm => forms.get(name) ?? 'value';
