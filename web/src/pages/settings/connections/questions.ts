import type { Connection } from '../../../ask/sources.ts';
import { counted } from '../../../view/format.ts';

const states: Readonly<Record<Connection['state'], string>> = {
  waiting: 'Not read yet',
  syncing: 'Syncing',
  complete: 'Up to date',
  partial: 'Read in part',
  failed: 'Couldn’t be read',
};
export const stateInWords = (state: Connection['state']): string => states[state];

export const statePill = (state: Connection['state']): string =>
  ({ waiting: '', syncing: '', complete: 'good', partial: 'warn', failed: 'bad' })[state];

/** When everything was last read, or else the newest moment at which any part was. */
export function lastSuccessOf({ last_sync, streams }: Pick<Connection, 'last_sync' | 'streams'>): string | undefined {
  if (last_sync?.outcome === 'complete' && last_sync.finished_at) return last_sync.finished_at;
  return streams
    .flatMap(({ last_success_at }) => last_success_at ?? [])
    .toSorted()
    .at(-1);
}

/** The page's sentence: how many connections there are, and whether one of them fails. */
export function connectionsSentence(connections: readonly Connection[]): string {
  if (connections.length === 0) return 'Nothing is connected yet.';
  const all = counted(connections.length, 'connection', 'connections');
  const failing = connections.filter(({ state }) => state === 'failed');
  const partial = connections.filter(({ state }) => state === 'partial');
  const syncing = connections.filter(({ state }) => state === 'syncing');
  const parts = [
    ...(failing.length > 0 ? [`${names(failing)} could not be read`] : []),
    ...(partial.length > 0 ? [`${names(partial)} only in part`] : []),
    ...(syncing.length > 0 ? [`${names(syncing)} ${syncing.length === 1 ? 'is' : 'are'} syncing`] : []),
  ];
  return parts.length === 0 ? `${all}, nothing is wrong.` : `${all}: ${parts.join(', ')}.`;
}

const names = (connections: readonly Connection[]): string => connections.map(({ name }) => name).join(', ');
