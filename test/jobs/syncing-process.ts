// Run as a process of its own, to be killed: syncs a source once, and notes every progress it tells.
import { appendFileSync } from 'node:fs';
import { openApp } from '../../src/main.ts';
import { toySyncs } from './toy-sync.ts';

const [folder, sourceId, baseUrl, news] = process.argv.slice(2);
if (!folder || !sourceId || !baseUrl || !news) throw new Error('needs a folder, a source, an address and a file');
const app = await openApp({ folder, databaseUrl: undefined, threads: 1 });
await toySyncs(app, baseUrl).sync(sourceId, {
  signal: new AbortController().signal,
  tell: ({ stream }) => appendFileSync(news, `${JSON.stringify(stream)}\n`),
});
await app.close();
