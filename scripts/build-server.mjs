// Builds src/ into dist/: a hundred files instead of seven hundred, since opening each takes a process longer than reading it.
// What is imported when it is needed stays in files of its own, so that a command loads only what it uses. Types are
// checked by `npm run types`.
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './set-up.mjs';

/** Of nearly two hundred files itself. All other packages are loaded from where npm has put them. */
const bundledPackage = '@duckdb/node-api';

const bundle = await rolldown({
  cwd: root,
  input: { plumb: join(root, 'src/cli/entry.ts'), 'heap-limit': join(root, 'src/cli/heap-limit.ts') },
  platform: 'node',
  external: (id) => /^[^./]/.test(id) && id !== bundledPackage && !isAbsolute(id),
  tsconfig: join(root, 'tsconfig.json'),
  transform: { target: 'es2023' },
});
await bundle.write({
  dir: join(root, 'dist'),
  cleanDir: true,
  format: 'esm',
  // Which line of src/ a trace means: NODE_OPTIONS=--enable-source-maps.
  sourcemap: true,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
});
await bundle.close();
