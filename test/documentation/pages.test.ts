import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { glossaryModule } from '../../scripts/glossary-module.ts';
import { recordsDocument } from '../../src/catalogue/describe.ts';
import { clientModule } from '../../src/catalogue/describe-for-client.ts';
import { pagesModule } from '../../src/catalogue/describe-for-pages.ts';
import { metricsDocument } from '../../src/catalogue/describe-metrics.ts';
import { settingMeanings } from '../../src/config.ts';
import { settingsDocument } from '../../src/directory/organisation-settings.ts';
import { aggregations } from '../../src/expression/expression.ts';
import { answerFormats } from '../../src/formats/answer-formats.ts';
import { glossary } from '../../src/mcp/glossary.ts';
import { calendar } from '../../src/query/date-details.ts';
import { sourceKinds } from '../../src/sources/kinds.ts';
import { settingFields } from '../../src/sources/source-settings.ts';
import { tokensCss } from '../../src/theme/tokens.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'web/DESIGN.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** Phrases that readers have to puzzle over: say "unknown", name who does it, or use the word of the field. */
const riddles =
  /\b(?:(?:that|what) there (?:is|are) not|whoever|rows come apart|of nobody known|(?:come|comes) about that)\b/gi;

describe('the documentation', () => {
  test('Every decision has a number of its own, in its name and in its title', () => {
    const names = readdirSync(join(root, 'docs/decisions')).sort();
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1));
    const titles = names.map((name) => read(join('docs/decisions', name)).split('.')[0]);
    expect(titles).toEqual(names.map((_, at) => `# ${at + 1}`));
  });

  test('The documentation of records is what their declarations say (npm run docs)', () => {
    expect(read('docs/records.md')).toBe(recordsDocument());
  });

  test('The documentation of the settings of an organisation is what their declarations say (npm run docs)', () => {
    expect(read('docs/organisation-settings.md')).toBe(settingsDocument());
  });

  test('The documentation of metrics is what their declarations say (npm run docs)', () => {
    expect(read('docs/metrics.md')).toBe(metricsDocument(calendar));
  });

  test('The documentation of questions names every aggregation and every format of answers', () => {
    const asking = read('docs/asking.md');
    const [aggregating = ''] = /\n## Aggregations\n[^#]*/.exec(asking) ?? [];
    const [formats = ''] = /- `format=[^;]*/.exec(asking) ?? [];
    expect(aggregations.filter((name) => !aggregating.includes(`\`${name.toUpperCase()}\``))).toEqual([]);
    expect(answerFormats.filter((name) => !formats.includes(name))).toEqual([]);
  });

  test('The documentation that the pages have of the catalogue is what it says (npm run docs)', () => {
    expect(read('web/src/ask/catalogue.ts')).toBe(pagesModule(calendar));
  });

  test('The documentation of colours and sizes that the pages are drawn with is what the tokens say (npm run docs)', () => {
    expect(read('web/src/theme/tokens.css')).toBe(tokensCss());
  });

  test('The documentation that the typed client has of the catalogue is what it says (npm run docs)', () => {
    expect(read('src/client/catalogue.ts')).toBe(clientModule(calendar));
  });

  test('The documentation that agents read of the glossary is the glossary (npm run docs)', () => {
    expect(read('src/mcp/glossary.ts')).toBe(glossaryModule());
    expect(glossary).toBe(read('docs/glossary.md'));
  });

  test.each(pages)('%s links only to what exists', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? '');
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test('The documentation names every setting', () => {
    const configuration = read('docs/operating/configuration.md');
    expect(settingMeanings.map(([name]) => name).filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
  });

  test('The documentation names no variable like a setting that is none: every command would refuse to run with it', () => {
    const known = new Set(settingMeanings.map(([name]) => name));
    const named = [...pages, 'grafana/provisioning/datasources/plumb.yaml']
      // Of the tests and benchmarks themselves, which start no command with them.
      .flatMap((page) => read(page).match(/\bPLUMB_(?!TEST_|BENCH_|SOAK_)[A-Z_]*[A-Z]\b/g) ?? [])
      .map((name) => name.replace(/_FILE$/, ''));
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(readdirSync(join(root, 'docs', 'sources')))(
    'The documentation in sources/%s names every setting of its kind',
    (page) => {
      const kind = sourceKinds.find((one) => `${one.kind}.md` === page);
      const named = read(`docs/sources/${page}`);
      const settings = kind ? settingFields(kind).map(({ name }) => name) : [];
      expect(kind).toBeDefined();
      expect(settings.filter((name) => !named.includes(`| \`${name}\` |`))).toEqual([]);
      expect((kind?.allowedHosts ?? []).filter((host) => !named.includes(`\`${host}\``))).toEqual([]);
    },
  );

  test('The documentation names every module in the tree', () => {
    const modules = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const tree = read('docs/architecture.md');
    expect(modules.map(({ name }) => name).filter((name) => !tree.includes(`  ${name}/`))).toEqual([]);
  });

  test('The documentation and the comments and messages of the code say things plainly', () => {
    const sources = ['src', 'web/src'].flatMap((place) =>
      readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => join(place, file)),
    );
    const found = [...pages, ...sources].flatMap((file) =>
      // A line break, with or without the mark of a comment, is a space here.
      [
        ...read(file)
          .replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
          .matchAll(riddles),
      ].map(([phrase]) => `${file}: ${phrase}`),
    );
    expect(found).toEqual([]);
  });

  test('The documentation names only scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name ?? ''),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('The documentation for contributors names every benchmark', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const benchmarks = Object.keys(scripts).filter((name) => name.startsWith('bench:'));
    const contributing = read('CONTRIBUTING.md');
    expect(benchmarks.filter((name) => !contributing.includes(`| \`npm run ${name}\` |`))).toEqual([]);
  });
});
