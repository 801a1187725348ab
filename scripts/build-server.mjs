// Builds src/ into dist/: a hundred files instead of seven hundred, since opening each takes a process longer than reading it.
// What is imported when it is needed stays in files of its own, so that a command loads only what it uses. Types are
// checked by `npm run types`.
import { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root, runQuietly } from './set-up.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

/**
 * Packages that are copied into dist/: of nearly two hundred files themselves, or with far more around them than is used,
 * as the SDK of agents has (an Express and a Hono of its own) and what draws charts, or what every command loads. All others
 * are loaded from where npm has put them.
 */
const isBundled = (id, importer) =>
  /^(?:@duckdb\/node-api|@modelcontextprotocol\/sdk|echarts|zrender|tslib|get-east-asian-width)(?:\/|$)/.test(id) ||
  (importer !== undefined && ofSdk(importer));

/** What the SDK is made of, wherever npm has put it. */
const ofSdk = (file) =>
  /\/node_modules\/(?:@modelcontextprotocol\/sdk|zod|zod-to-json-schema|ajv|ajv-formats|fast-uri|fast-deep-equal|json-schema-traverse)\//.test(
    file.replaceAll('\\', '/'),
  );

const bundle = await rolldown({
  cwd: root,
  input: { plumb: join(root, 'src/cli/entry.ts'), 'heap-limit': join(root, 'src/cli/heap-limit.ts') },
  platform: 'node',
  external: (id, importer) => /^[^./]/.test(id) && !isAbsolute(id) && (isBuiltin(id) || !isBundled(id, importer)),
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
runQuietly(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'src/client')]);
