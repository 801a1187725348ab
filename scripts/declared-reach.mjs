// What no import shows: files that run or read others. A test that starts a process, serves the pages or reads a page of
// the documentation is affected by files that it never imports.

/** A process, a build or a browser lies between: whoever imports the file is nearer to it. */
const throughProcess = 3;
/** What every test runs under: its own subject is always nearer. */
const underEverything = 9;

const runs = (from, ...to) => ({ from, to, steps: throughProcess });
/** As an import would. */
const includes = (from, ...to) => ({ from, to, steps: 1 });
/** The text alone: what a file imports may change without it. */
const reads = (from, ...to) => ({ from, to, steps: 1, readsText: true });

export const sourceFolders = ['src', 'test', 'web', 'bench', 'scripts'];

export const declaredReach = [
  // The command, as it is built.
  runs('test/setup/plumb-process.ts', 'bin/plumb.cjs'),
  runs('test/documentation/shell-session.ts', 'bin/plumb.cjs', 'src/client/plumb.ts'),
  runs('test/cli/loaded-packages.test.ts', 'bin/plumb.cjs'),
  runs('test/mcp/stdio.test.ts', 'bin/plumb.cjs'),
  runs('test/packaging/package.test.ts', 'bin/plumb.cjs'),
  includes('bin/plumb.cjs', 'src/cli/entry.ts', 'src/cli/heap-limit.ts', 'scripts/build-server.mjs'),

  // The pages, as they are built. In-process services serve them too, to tests that do not look at them.
  runs('test/web/*.test.ts', 'web/index.html', 'web/docs.html'),
  runs('test/http/pages/pages.test.ts', 'web/index.html'),
  runs('test/packaging/package.test.ts', 'web/index.html', 'web/docs.html'),
  includes(
    'web/index.html',
    'web/src/main.tsx',
    'web/src/theme/icon.svg',
    'web/vite.config.ts',
    'scripts/build-web.mjs',
  ),
  includes(
    'web/docs.html',
    'web/src/docs/docs.ts',
    'web/src/theme/icon.svg',
    'web/vite.config.ts',
    'scripts/build-web.mjs',
  ),
  includes('web/vite.config.ts', 'web/tsconfig.json'),
  includes('web/src/routes.ts', 'web/src/pages/**/page.tsx'),
  includes('test/web/page-rendering.ts', 'test/web/pages/rendered-page.tsx'),

  // Scripts that tests start to kill.
  runs('test/moving/migrate.test.ts', 'test/moving/moving-child.ts'),
  runs('test/safety/kill.test.ts', 'test/safety/killed-child.ts'),
  runs('test/store/leased-turns.test.ts', 'test/store/turn-child.ts'),
  runs('test/listening-handles.test.ts', 'test/listening-child.ts'),
  runs('test/jobs/kill.test.ts', 'test/jobs/syncing-process.ts'),

  // Documentation.
  reads(
    'test/documentation/pages.test.ts',
    '*.md',
    'web/DESIGN.md',
    'docs/**',
    'grafana/provisioning/datasources/plumb.yaml',
  ),
  reads('test/documentation/pages.test.ts', 'package.json', 'src/**', 'web/src/**'),
  reads('test/documentation/page-blocks.ts', 'README.md', 'CONTRIBUTING.md', 'docs/**'),
  reads('test/http/docs/200.test.ts', 'docs/**'),
  reads('test/web/documentation.test.ts', 'docs/**'),
  reads('test/cli/serve.test.ts', 'README.md'),
  reads('test/client/package.test.ts', 'docs/client.md', 'test/client/wrong-uses.ts'),
  runs('test/client/package.test.ts', 'src/client/plumb.ts'),

  // The code itself.
  reads('test/architecture.test.ts', 'docs/architecture.md', 'bin/**', 'src/**', 'web/src/**', 'test/**/*.ts'),
  reads('test/attack/regular-expressions.test.ts', 'src/**', 'web/src/**', 'test/attack/linear-patterns.json'),
  reads('test/architecture.test.ts', 'bench/**', 'scripts/**'),
  reads('test/faults/faults.test.ts', 'src/**', 'web/src/**'),
  reads('test/reference/independence.test.ts', 'test/reference/*.ts'),
  reads('test/http/pages/pages.test.ts', 'web/src/routes.ts'),
  reads('test/web/view/styles.test.ts', 'web/src/**/*.css'),
  reads('test/charts/metric-chart.test.ts', 'web/src/theme/tokens.css'),

  // Expected answers, dashboards, and what Plumb is packed and deployed with.
  reads('test/golden/clickhouse.test.ts', 'test/golden/clickhouse/**'),
  reads('test/golden/statements.test.ts', 'test/golden/duckdb/**'),
  reads('test/scripts/grafana/boards.test.ts', 'grafana/**'),
  reads('test/packaging/container.test.ts', 'Dockerfile', '.dockerignore', 'package.json'),
  reads('test/packaging/deployment-files.test.ts', 'deploy/**', '.yamllint'),
  reads('test/packaging/package.test.ts', 'package.json', 'npm-shrinkwrap.json', 'CHANGELOG.md', 'LICENSE', 'docs/**'),
  reads('test/packaging/native-modules.test.ts', 'npm-shrinkwrap.json', 'test/engines/package-lock.json'),
  reads('test/http/openapi/200.test.ts', 'package.json'),

  // What every test runs under.
  {
    from: 'test/**/*.test.ts',
    to: ['vitest.config.ts', 'package.json', 'npm-shrinkwrap.json'],
    steps: underEverything,
  },
  includes('vitest.config.ts', 'tsconfig.json', 'test/setup/global-setup.ts', 'test/setup/seed-fast-check.ts'),
  includes('vitest.config.ts', 'test/setup/folder-in-memory.ts', 'scripts/test-seconds.mjs'),
  runs('test/setup/clickhouse-server.ts', 'test/engines/**'),
  runs('test/setup/postgres-server.ts', 'test/engines/**'),
];

/** No test depends on these: they are for programs beside the tests. */
export const reachNoTest = ['.ci/**', '.gitignore', '.npmrc', 'biome.json'];
