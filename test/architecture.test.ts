import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Module → the modules that it may import. docs/architecture.md shows the same table. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  expression: [],
  admission: [],
  catalogue: ['expression'],
  query: ['access', 'admission', 'catalogue', 'expression'],
  formats: ['catalogue', 'query'],
  charts: ['catalogue', 'expression', 'query', 'theme'],
  conclusions: ['charts', 'query'],
  theme: [],
  warehouse: ['access', 'admission', 'catalogue', 'expression', 'query', 'store'],
  store: ['admission'],
  access: ['admission', 'catalogue', 'store'],
  directory: ['catalogue', 'sources', 'store'],
  outgoing: [],
  sources: ['catalogue', 'outgoing'],
  messages: ['access', 'outgoing', 'secrets', 'store', 'theme'],
  secrets: [],
  documents: ['access', 'admission', 'catalogue', 'directory', 'store'],
  boards: ['access', 'catalogue', 'conclusions', 'documents', 'query', 'store'],
  goals: ['access', 'admission', 'catalogue', 'documents', 'expression', 'query'],
  annotations: ['catalogue', 'documents', 'query'],
  alerts: [
    'access',
    'admission',
    'attention',
    'catalogue',
    'charts',
    'conclusions',
    'data-extent',
    'documents',
    'expression',
    'goals',
    'messages',
    'query',
    'secrets',
    'store',
  ],
  digests: [
    'access',
    'admission',
    'alerts',
    'annotations',
    'attention',
    'boards',
    'catalogue',
    'charts',
    'conclusions',
    'documents',
    'expression',
    'goals',
    'messages',
    'query',
    'secrets',
    'store',
  ],
  'data-extent': ['catalogue', 'query', 'store', 'warehouse'],
  'data-quality': ['admission', 'catalogue', 'data-extent', 'ingest', 'store', 'warehouse'],
  attention: ['access', 'admission', 'catalogue', 'data-quality', 'expression', 'query'],
  'configured-sources': ['catalogue', 'outgoing', 'secrets', 'sources', 'store'],
  ingest: ['admission', 'catalogue', 'directory', 'formats', 'sources', 'store', 'warehouse'],
  jobs: ['catalogue', 'directory', 'ingest', 'sources', 'store'],
  client: [],
  mcp: ['access', 'annotations', 'boards', 'catalogue', 'directory', 'documents', 'goals', 'query'],
  safety: ['admission', 'catalogue', 'configured-sources', 'directory', 'store', 'warehouse'],
  moving: ['catalogue', 'safety', 'store', 'warehouse'],
  demo: ['admission', 'catalogue', 'directory', 'ingest', 'store'],
  control: [
    'access',
    'alerts',
    'catalogue',
    'configured-sources',
    'data-extent',
    'data-quality',
    'demo',
    'directory',
    'documents',
    'goals',
    'ingest',
    'jobs',
    'mcp',
    'moving',
    'query',
    'safety',
    'secrets',
    'sources',
    'store',
    'warehouse',
  ],
  http: [
    'access',
    'admission',
    'alerts',
    'annotations',
    'attention',
    'boards',
    'catalogue',
    'charts',
    'configured-sources',
    'data-quality',
    'directory',
    'digests',
    'documents',
    'formats',
    'goals',
    'ingest',
    'jobs',
    'mcp',
    'messages',
    'query',
    'safety',
    'sources',
    'theme',
  ],
  cli: [
    'access',
    'admission',
    'boards',
    'catalogue',
    'configured-sources',
    'control',
    'demo',
    'directory',
    'documents',
    'expression',
    'formats',
    'goals',
    'http',
    'ingest',
    'jobs',
    'mcp',
    'query',
    'safety',
    'secrets',
    'sources',
    'store',
    'warehouse',
  ],
};

/** Single files beside the modules, and which modules may import them. */
const singleFiles: Readonly<Record<string, readonly string[] | 'everyone'>> = {
  'binary-search.ts': 'everyone',
  'lists-by-key.ts': 'everyone',
  'recently-used.ts': 'everyone',
  'duration-text.ts': 'everyone',
  'calendar.ts': 'everyone',
  'refusal.ts': 'everyone',
  'yield-to-event-loop.ts': 'everyone',
  'bounded-json.ts': 'everyone',
  'text-comparison.ts': 'everyone',
  'nearest.ts': 'everyone',
  'own-command.ts': 'everyone',
  'trailing-characters.ts': 'everyone',
  'text-limits.ts': 'everyone',
  'audit-words.ts': ['cli'],
  'escaped-html.ts': 'everyone',
  'version.ts': ['cli', 'control', 'http', 'mcp', 'safety'],
  'config.ts': ['cli'],
  'setting-readers.ts': ['config.ts'],
  'data-folder.ts': ['cli', 'control', 'moving', 'safety'],
  'server-notice.ts': ['cli', 'control', 'safety', 'data-folder.ts'],
  'listening-handles.ts': ['cli', 'control', 'http'],
  'main.ts': ['cli'],
};

/** What single files may import of modules. main.ts may import every one. */
const modulesOfSingleFiles: Readonly<Record<string, readonly string[]>> = {
  'audit-words.ts': ['catalogue', 'store'],
  'config.ts': ['admission'],
  'data-folder.ts': ['store'],
  'setting-readers.ts': ['admission'],
};

/** Where programs begin: the command, what limits its memory, the client, and what `npm run docs` writes. */
const programs = [
  'cli/entry.ts',
  'cli/heap-limit.ts',
  'client/plumb.ts',
  'catalogue/describe.ts',
  'catalogue/describe-metrics.ts',
  'catalogue/describe-for-client.ts',
  'catalogue/describe-for-pages.ts',
];

/** Folder of `http/` → the folders beside it that it may import, and those files that join folders. */
const insideHttp: Readonly<Record<string, readonly string[]>> = {
  loose: [],
  question: ['loose'],
  admission: ['loose', 'question'],
  body: ['loose', 'question', 'admission'],
  answer: ['loose', 'question', 'admission', 'body'],
  pages: ['loose', 'admission', 'body', 'answer'],
  reference: ['loose', 'question', 'pages'],
  routes: ['loose', 'question', 'admission', 'body', 'answer', 'pages', 'reference'],
  'server.ts': ['admission', 'body', 'answer', 'pages', 'routes'],
  'admin.ts': ['admission', 'routes'],
  'openapi.ts': ['reference'],
};

/** Folder of `web/src/` → what it may import beside it. */
const insideWeb: Readonly<Record<string, readonly string[]>> = {
  ask: ['page-session.ts'],
  'page-session.ts': ['ask'],
  theme: [],
  docs: ['theme'],
  view: ['ask', 'routes.ts', 'page-session.ts', 'theme'],
  'routes.ts': ['route-words.ts'],
  pages: ['ask', 'routes.ts', 'page-session.ts', 'view'],
  'main.tsx': ['ask', 'page-session.ts', 'theme', 'view'],
};

const root = join(import.meta.dirname, '..', 'src');
const webRoot = join(import.meta.dirname, '..', 'web', 'src');
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.split(sep).join('/'));
const files = filesIn(root);
const page = readFileSync(join(root, '..', 'docs', 'architecture.md'), 'utf8');
const moduleOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);

function importsOf(file: string, folder = root): string[] {
  const source = readFileSync(join(folder, file), 'utf8');
  const named = source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
  return [...named].map(([, path]) => posix.normalize(posix.join(dirname(file), path ?? '')));
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [moduleOf(file), moduleOf(target)];
  if (from === to) return true;
  // main.ts joins the modules, so it may import every one of them.
  if (from === 'main.ts') return to in allowed || singleFiles[to] === 'everyone';
  const users = singleFiles[to];
  if (users) return users === 'everyone' || users.includes(from);
  return (allowed[from] ?? modulesOfSingleFiles[from])?.includes(to) ?? false;
}

describe('the modules', () => {
  test.each(files)('%s imports only what its module may', (file) => {
    expect(importsOf(file).filter((target) => !mayImport(file, target))).toEqual([]);
  });

  test('Every module is in the table', () => {
    const modules = new Set(files.map(moduleOf));
    expect([...modules].filter((name) => !(name in allowed) && !(name in singleFiles))).toEqual([]);
  });

  test('docs/architecture.md shows the same table', () => {
    const [, table = ''] = page.split('\n## The modules\n');
    const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| `([\w-]+)\/` \|.*\| ?([^|]*)\|$/gm)];
    const shown = rows.map(([, name = '', modules = '']) => [
      name,
      modules.split(',').flatMap((one) => one.trim() || []),
    ]);
    expect(Object.fromEntries(shown)).toEqual(allowed);
  });

  test('docs/architecture.md names every single file, and no other', () => {
    const [paragraph = ''] = /^Single files beside the modules:[\s\S]*?\n\n/m.exec(page) ?? [];
    const named = [...paragraph.matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(files.filter((file) => !file.includes('/')).toSorted());
  });

  test('No file imports itself, however long the way round', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file)]));
    expect(files.flatMap((file) => circleFrom(file, graph))).toEqual([]);
  });

  test('The folders of http import one another in one direction', () => {
    const placeOf = (file: string) => (file.includes('/') ? moduleOf(file) : 'loose');
    const inHttp = files.filter((file) => file.startsWith('http/')).map((file) => file.slice('http/'.length));
    const wrong = inHttp.flatMap((file) =>
      importsOf(file, join(root, 'http'))
        .filter((target) => !target.startsWith('..'))
        .filter((target) => ![placeOf(file), ...allowedIn(insideHttp, file, placeOf)].includes(placeOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  // A table, a migration, a command or a source that is missing in its list would otherwise do nothing, silently.
  test('Every file is imported on the way from a program that uses it', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file)]));
    const reached = new Set<string>();
    const walk = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const next of graph.get(file) ?? []) walk(next);
    };
    for (const program of programs) walk(program);
    // The pages are a program too.
    for (const file of filesIn(webRoot))
      for (const target of importsOf(file, webRoot)) walk(target.replace(/^\.\.\/\.\.\/src\//, ''));
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });

  test('There are no drawers', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|misc)(\/|\.|-)/.test(file))).toEqual([]);
  });

  test('Engines are named only in folders of their own, and where one is chosen', () => {
    const ofEngine = /(^|\/)(duckdb|postgres|clickhouse)\//;
    // Settings and places have the names that operators know, and the glossary says what an engine is.
    const forOperators = [
      'config.ts',
      'cli/commands/migrate.ts',
      'mcp/glossary.ts',
      'safety/tables-elsewhere.ts',
      'sources/setting-references.ts',
    ];
    const elsewhere = files.filter(
      (file) => !ofEngine.test(file) && !file.endsWith('/open.ts') && !forOperators.includes(file),
    );
    const named = elsewhere.filter((file) =>
      /duckdb|clickhouse|from 'pg'|\/postgres\//i.test(withoutComments(readFileSync(join(root, file), 'utf8'))),
    );
    expect(named).toEqual([]);
  });

  test('The name of a type means one thing', () => {
    const places = new Map<string, string[]>();
    // The client is for other programs, which see the names of the client alone.
    for (const file of files.filter((file) => moduleOf(file) !== 'client'))
      for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(declaredType))
        places.set(name, [...(places.get(name) ?? []), file]);
    expect([...places].filter(([, declaredIn]) => declaredIn.length > 1)).toEqual([]);
  });

  test('The name of an exported constant means one thing', () => {
    const places = new Map<string, string[]>();
    // Functions are told apart by what they take. A migration is named like the table that it makes, and what the
    // engines of the warehouse have in common has one name in both.
    const isApart = (file: string) => /^(?:client|store\/migrations|warehouse\/clickhouse)\//.test(file);
    for (const file of files.filter((file) => !isApart(file)))
      for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(exportedConstant))
        places.set(name, [...(places.get(name) ?? []), file]);
    expect([...places].filter(([, declaredIn]) => declaredIn.length > 1)).toEqual([]);
  });

  test('Nothing is exported that no other file names', () => {
    const sources = new Map(everyFile().map((file) => [file, readFileSync(file, 'utf8')]));
    const usersOf = new Map<string, number>();
    for (const source of sources.values())
      for (const word of new Set(source.match(/\w+/g))) usersOf.set(word, (usersOf.get(word) ?? 0) + 1);
    const unused = files
      // What the client exports is used by its users.
      .filter((file) => moduleOf(file) !== 'client')
      .flatMap((file) =>
        [...(sources.get(join(root, file)) ?? '').matchAll(exported)]
          .filter(([, name = '']) => usersOf.get(name) === 1)
          .map(([, name]) => `${file}: ${name}`),
      );
    expect(unused).toEqual([]);
  });

  test('A short file that one file beside it uses is part of that file', () => {
    const users = new Map<string, string[]>();
    for (const file of everyFile().map((file) => relative(root, file)))
      for (const target of importsOf(file).map((target) => target.replace(/^\.\.\/src\//, '')))
        users.set(target, [...(users.get(target) ?? []), file]);
    const crumbs = files.filter((file) => {
      const [user, another] = users.get(file) ?? [];
      const isShort = readFileSync(join(root, file), 'utf8').split('\n').length <= 61;
      return isShort && user !== undefined && another === undefined && dirname(user) === dirname(file);
    });
    expect(crumbs.filter((file) => !Object.values(shortOnPurpose).some((form) => form.test(file)))).toEqual([]);
  });

  test('No file has grown past one idea', () => {
    const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length;
    expect(files.filter((file) => lines(file) > 325)).toEqual([]);
  });
});

describe('the pages', () => {
  const pages = filesIn(webRoot);
  const graph = new Map(pages.map((file) => [file, importsOf(file, webRoot)]));
  const imports = [...graph].flatMap(([file, targets]) => targets.map((target) => [file, target] as const));

  test('The pages have no file that imports itself, however long the way round', () => {
    expect(pages.flatMap((file) => circleFrom(file, graph))).toEqual([]);
  });

  test('The pages import only what their folder may', () => {
    const wrong = imports
      .filter(([, target]) => !target.startsWith('..'))
      .filter(
        ([file, target]) => ![moduleOf(file), ...allowedIn(insideWeb, file, moduleOf)].includes(moduleOf(target)),
      );
    expect(wrong).toEqual([]);
  });

  test('The pages do not import one another', () => {
    const pageOf = (file: string) => /^pages\/([\w-]+)\//.exec(file)?.[1];
    const wrong = imports.filter(([file, target]) => pageOf(file) && pageOf(target) && pageOf(file) !== pageOf(target));
    expect(wrong).toEqual([]);
  });

  test('The pages import of the server only what docs/architecture.md names', () => {
    const [, paragraph = ''] = /Of `src\/` it imports ([\s\S]*?)What it knows/.exec(page) ?? [];
    const named = [...paragraph.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);
    const ofServer = new Set(imports.flatMap(([, target]) => /^\.\.\/\.\.\/src\/(.*)/.exec(target)?.[1] ?? []));
    expect(named.filter((name) => ![...ofServer].some((target) => target.startsWith(name)))).toEqual([]);
    expect([...ofServer].filter((target) => !named.some((name) => target.startsWith(name)))).toEqual([]);
  });
});

/** Files of sixty lines at most with one user beside them, which stay apart. One that a test imports has another user. */
const shortOnPurpose: Readonly<Record<string, RegExp>> = {
  'routes of pages alone, beside those that are public': /^http\/pages\/pinned-board-routes\.ts$/,
  'a migration, which never changes again': /^store\/migrations\/\d/,
  'the metrics of one table, declared in a list': /^catalogue\/metrics\//,
  'the routes of one subject, which app-routes.ts puts together': /^http\/pages\/attention-routes\.ts$/,
  'a cache of its own beside a port that is long already': /^warehouse\/clickhouse\/leavers\.ts$/,
  'a rule of attribution, which docs/derivation.md defines': /^ingest\/attribute\/rules\//,
};

const allowedIn = (
  table: Readonly<Record<string, readonly string[]>>,
  file: string,
  placeOf: (file: string) => string,
): readonly string[] => [...(table[file] ?? []), ...(table[placeOf(file)] ?? [])];

const declaredType = /^(?:export )?(?:abstract )?(?:type|interface|class) (\w+)/gm;
const exportedConstant = /^export const (\w+)\b[^=\n]*=\s+(?!\s|(?:async )?[(<])/gm;
const exported = /^export (?:abstract |async )?(?:type|interface|class|const|function\*?) (\w+)/gm;

/** Every file of ours that may name an export of src. */
function everyFile(): string[] {
  const places = ['bin', 'src', 'web/src', 'test', 'bench', 'scripts'];
  return places.flatMap((place) =>
    readdirSync(join(root, '..', place), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|mjs|cjs)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(root, '..', place, file)),
  );
}

/** Comments may say which engine forces something. */
const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

/** The way from a file back to itself, if there is one. */
function circleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] => {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return [[...path, next].join(' → ')];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...path, next]);
      if (found.length > 0) return found;
    }
    return [];
  };
  return walk(start, [start]);
}
