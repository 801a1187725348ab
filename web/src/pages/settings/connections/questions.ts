import type { Connection } from '../../../ask/sources.ts';
import { counted } from '../../../view/format.ts';

const states: Readonly<Record<Connection['state'], string>> = {
  waiting: 'not read yet',
  syncing: 'syncing',
  complete: 'up to date',
  partial: 'read in part',
  failed: 'could not be read',
};
export const stateInWords = (state: Connection['state']): string => states[state];

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
