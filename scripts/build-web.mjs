// Builds the pages of web/ into dist-web/, and puts compressed copies (br and gzip) beside each file that gets smaller by
// it: the server sends files as they lie there. It uses nothing but Node itself and the locked packages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root, runQuietly } from './set-up.mjs';

/** Smaller ones fit into one packet anyway. */
const minCompressed = 1_024;

await runQuietly(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web'], {
  env: { ...process.env, NODE_ENV: 'production' },
});
const files = readdirSync(join(root, 'dist-web/assets'), { recursive: true, withFileTypes: true });
for (const entry of files.filter((file) => file.isFile() && /\.(?:js|css|svg|json|map)$/.test(file.name))) {
  const file = join(entry.parentPath ?? entry.path, entry.name);
  const bytes = readFileSync(file);
  if (bytes.length < minCompressed) continue;
  for (const [extension, compressed] of [
    ['br', brotliCompressSync(bytes)],
    ['gz', gzipSync(bytes, { level: 9 })],
  ]) {
    if (compressed.length < bytes.length) writeFileSync(`${file}.${extension}`, compressed);
  }
}
