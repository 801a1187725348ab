import { DataFolder } from '../../src/data-folder.ts';
import { openStore } from '../../src/store/open.ts';
import { fill } from './filled-store.ts';

// Writes until it is killed, and says so after each commit that it was told has happened.
const [folder = ''] = process.argv.slice(2);
await DataFolder.claim(folder);
const store = await openStore({ folder });
await fill(store);
for (let i = 0; ; i += 1) {
  await store.note((session) => session.run('UPDATE cursors SET value = $1', [String(i)]));
  process.stdout.write(`${i}\n`);
}
