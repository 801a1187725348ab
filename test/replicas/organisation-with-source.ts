import { expect } from 'vitest';
import { listSyncs, type SourceSyncRow } from '../../src/store/source-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { callPlumb } from '../setup/plumb-call.ts';

interface SomeOrganisation {
  readonly org: string;
  readonly owner: string;
  /** Where its source is read. */
  readonly githubUrl: string;
  /** Whether everything is read once before anybody asks. */
  readonly isSynced?: boolean;
  /** More settings of the source. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface MadeOrganisation {
  readonly id: string;
  /** Of its Owner. */
  readonly key: string;
  readonly sourceId: string;
  /** Where the Owner chooses a password. */
  readonly signInPath: string;
}

/** An organisation with one source, made by the commands that an operator has. */
export async function organisationWithSource(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { org, owner, githubUrl, isSynced = false, settings: more = {} }: SomeOrganisation,
): Promise<MadeOrganisation> {
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await callPlumb(folder, [...words, '--json'], { environment });
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, string>;
  };
  const { id = '', sign_in_url = '' } = await run('org', 'create', '--name', org, '--owner-email', owner);
  const settings = { base_url: githubUrl, token: 'replay-token', repositories: 'acme/web', ...more };
  const words = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const { id: sourceId = '' } = await run('source', 'add', 'github', '--org', org, '--name', 'Code', ...words);
  if (isSynced) await run('sync', '--org', org);
  const { key = '' } = await run('key', 'create', '--org', org, '--as', owner, '--name', 'k');
  return { id, key, sourceId, signInPath: new URL(sign_in_url).pathname };
}

/** How reading the one source of a store goes. */
export async function onlySync(store: Store): Promise<SourceSyncRow> {
  const [row] = await store.read((session) => listSyncs(session));
  if (!row) throw new Error('there is no source');
  return row;
}
