import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const session = (id: string) =>
  `INSERT INTO sessions VALUES ('${id}', 'org', 'person', '${id.repeat(64)}', 'password', now(), now())`;

/** What a process that is killed leaves on the disk. */
function asIfKilled(folder: string): string {
  const copy = join(temporaryFolder(), 'copy');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const count = (store: Store) =>
  store.read((reading) => reading.rows<{ n: number }>('SELECT count(*) AS n FROM sessions'));

test('Rows that were written before a crash can be deleted, however often the store was opened since', async () => {
  const folder = temporaryFolder();
  const store = await openStore({ folder });
  await store.note((writing) => writing.run(session('a')));
  const left = asIfKilled(folder);
  await store.close();
  for (let opened = 0; opened < 2; opened += 1) await (await openStore({ folder: left })).close();
  const again = await openStore({ folder: left });
  await again.note((writing) => writing.run('DELETE FROM sessions'));
  expect(await count(again)).toEqual([{ n: 0 }]);
  await again.close();
});

test('A store whose indexes the engine has damaged is whole again once it is opened', async () => {
  const folder = temporaryFolder();
  await (await openStore({ folder })).close();
  const file = (of: string) => DuckDBInstance.create(join(of, 'store.duckdb'));
  const earlier = await file(folder);
  const writer = await earlier.connect();
  await writer.run('CREATE UNIQUE INDEX sessions_by_hash ON sessions (hash)');
  await writer.run(session('a'));
  const left = asIfKilled(folder);
  writer.closeSync();
  earlier.closeSync();
  (await file(left)).closeSync();
  const damaged = await file(asIfKilled(left));
  // If this no longer fails, the engine keeps its indexes, and the store may have some again.
  await expect((await damaged.connect()).run('DELETE FROM sessions')).rejects.toThrow('Failed to delete all rows');
  const store = await openStore({ folder: left });
  await store.note((writing) => writing.run('DELETE FROM sessions'));
  expect(await count(store)).toEqual([{ n: 0 }]);
  await store.close();
});
