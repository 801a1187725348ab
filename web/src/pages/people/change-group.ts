import { refresh } from '../../ask/refresh.ts';
import { postJson, sendJson } from '../../ask/send.ts';
import type { TreeLine } from './tree.ts';

/** What can be changed of a team or a squad; null clears, ids of people are added and removed. */
export interface GroupChange {
  readonly name?: string;
  readonly department?: string | null;
  readonly level?: number | null;
  readonly parent?: string | null;
  readonly lead?: string | null;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

const pathOf = ({ kind, id }: Pick<TreeLine, 'kind' | 'id'>): string =>
  `/app/groups/${encodeURIComponent(id)}?kind=${kind}`;

const ask = () => refresh('/app/groups', '/app/people', '/teams');

export async function changeGroup(group: Pick<TreeLine, 'kind' | 'id'>, change: GroupChange): Promise<void> {
  await sendJson('PATCH', pathOf(group), change);
  await ask();
}

export async function removeGroup(group: Pick<TreeLine, 'kind' | 'id'>): Promise<void> {
  await sendJson('DELETE', pathOf(group));
  await ask();
}

export async function makeGroup(kind: 'team' | 'squad', change: GroupChange): Promise<{ id: string; name: string }> {
  const made = await postJson<{ id: string; name: string }>('/app/groups', { kind, ...change });
  await ask();
  return made;
}
