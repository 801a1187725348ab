import { DataFolder } from '../../src/data-folder.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { openStore } from '../../src/store/open.ts';
import { fill } from './filled-store.ts';

/** Does something to a data folder until it is killed. One script for both, because bundling one takes a second. */
const [work, folder = '', file = ''] = process.argv.slice(2);
if (work === 'write') await write();
else await restore();

/** Writes without end, and says so after each commit that it was told has happened. */
async function write(): Promise<void> {
  await DataFolder.claim(folder);
  const store = await openStore({ folder });
  await fill(store);
  for (let i = 0; ; i += 1) {
    await store.note((session) => session.run('UPDATE cursors SET value = $1', [String(i)]));
    process.stdout.write(`${i}\n`);
  }
}

async function restore(): Promise<void> {
  process.stdout.write('ready\n');
  await restoreInto({ folder }, file);
}
