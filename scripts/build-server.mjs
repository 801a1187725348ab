// Builds src/ and the packages that it uses into dist/: some hundred files instead of thousands, since opening each takes a
// process longer than reading it.
// What is imported when it is needed stays in files of its own, so that a command loads only what it uses. Types are
// checked by `npm run types`.
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root, runQuietly } from './set-up.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

/** Packages with native code, which npm installs for the machine; and what `pg` would only use if somebody installed it. */
const isInstalled = (id) => /^(?:@duckdb\/node-bindings|@node-rs\/argon2|pg-native)(?:[/-]|$)/.test(id);

const bundle = await rolldown({
  cwd: root,
  input: { plumb: join(root, 'src/cli/entry.ts'), 'heap-limit': join(root, 'src/cli/heap-limit.ts') },
  platform: 'node',
  external: (id) => isBuiltin(id) || isInstalled(id),
  tsconfig: join(root, 'tsconfig.json'),
  transform: { target: 'es2023' },
  plugins: [thirdPartyLicenses()],
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

// The typed client is for other programs: modules that a browser can load, with their types.
await runQuietly(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'src/client')]);
