import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesOf, kindOf, medianOf, rawComplexity, scoreOf } from '../../../src/ingest/derive/complexity.ts';
import { times } from '../../setup/how-long.ts';

const file = (path: string, additions: number | null = 10, deletions: number | null = 0) => ({
  path,
  additions,
  deletions,
});
const unknown = { files: null, additions: null, deletions: null, changedFiles: null };
const ofFiles = (...files: ReturnType<typeof file>[]) => rawComplexity({ ...unknown, files }) ?? Number.NaN;

describe('the raw complexity of a diff', () => {
  test('The raw complexity of a diff is the documented sum', () => {
    const raw = ofFiles(file('src/a.ts', 60, 3), file('src/b.ts'), file('lib/c.sql'), file('test/a.test.ts', 30, 14));
    expect(raw).toBeCloseTo(Math.log2(1 + 127) + Math.sqrt(4) + Math.sqrt(3) + 0.5 + 1, 12);
  });

  test('The raw complexity of a diff grows with lines, files, directories, file types and tests', () => {
    const one = ofFiles(file('src/a.ts'));
    expect(ofFiles(file('src/a.ts', 11))).toBeGreaterThan(one);
    expect(ofFiles(file('src/a.ts', 10, 1))).toBeGreaterThan(one);
    const two = ofFiles(file('src/a.ts'), file('src/b.ts', 0));
    expect(two).toBeGreaterThan(one);
    expect(ofFiles(file('src/a.ts'), file('lib/b.ts', 0))).toBeGreaterThan(two);
    expect(ofFiles(file('src/a.ts'), file('src/b.sql', 0))).toBeGreaterThan(two);
    expect(ofFiles(file('src/a.ts'), file('src/a.test.ts', 0))).toBeGreaterThan(two);
  });

  test('The raw complexity of a diff counts lines on a log scale', () => {
    const doubled = (lines: number) => ofFiles(file('a.ts', lines * 2 - 1)) - ofFiles(file('a.ts', lines - 1));
    expect(doubled(8)).toBeCloseTo(1, 12);
    expect(doubled(8_192)).toBeCloseTo(1, 12);
  });

  test('The raw complexity of a diff leaves out what nobody wrote, and is 0 when there is nothing else', () => {
    const alone = ofFiles(file('src/a.ts'));
    const crowd = [file('package-lock.json', 9_000), file('vendor/x/y.go', 9_000), file('app.min.js', 9_000)];
    expect(ofFiles(file('src/a.ts'), ...crowd)).toBe(alone);
    expect(ofFiles(...crowd)).toBe(0);
    expect(rawComplexity({ files: crowd, additions: 27_000, deletions: 0, changedFiles: 3 })).toBe(0);
  });

  test('The raw complexity of a diff makes do with totals where no files are listed', () => {
    expect(rawComplexity({ files: null, additions: 50, deletions: 13, changedFiles: 9 })).toBe(6 + 3 + 1);
    expect(rawComplexity({ files: [], additions: 50, deletions: 13, changedFiles: 9 })).toBe(6 + 3 + 1);
    expect(rawComplexity({ files: null, additions: 63, deletions: null, changedFiles: null })).toBe(6 + 1 + 1);
    expect(rawComplexity({ files: null, additions: null, deletions: null, changedFiles: 4 })).toBe(0 + 2 + 1);
  });

  test('The raw complexity of a diff is the same from totals as from the one file that they are of', () => {
    expect(rawComplexity({ files: null, additions: 50, deletions: 13, changedFiles: 1 })).toBe(
      ofFiles(file('a.ts', 50, 13)),
    );
  });

  test('The raw complexity of a diff takes the lines of the whole diff where the list has paths only', () => {
    const files = [file('a.ts', null, null)];
    expect(rawComplexity({ files, additions: 60, deletions: 3, changedFiles: 1 })).toBe(ofFiles(file('a.ts', 60, 3)));
    const leftOut = [file('go.sum', null, null)];
    expect(rawComplexity({ files: leftOut, additions: 60, deletions: 3, changedFiles: 1 })).toBe(0);
  });

  test('The raw complexity of a diff is 0 for a diff that is known to be empty, and missing when nothing is known', () => {
    expect(rawComplexity({ files: null, additions: 0, deletions: 0, changedFiles: 0 })).toBe(0);
    expect(rawComplexity({ ...unknown, files: [] })).toBe(0);
    expect(rawComplexity(unknown)).toBeNull();
  });

  const files = fc.array(
    fc.record({
      path: fc.constantFrom('a.ts', 'src/a.ts', 'src/b.sql', 'src/deep/c.test.ts', 'go.sum', 'vendor/v.go', 'Makefile'),
      additions: fc.nat(500),
      deletions: fc.nat(500),
    }),
    { maxLength: 10 },
  );

  test('The raw complexity of a diff does not depend on the order of files, and never shrinks when one is added', () => {
    fc.assert(
      fc.property(files, files, (some, more) => {
        const all = rawComplexity({ ...unknown, files: [...some, ...more] }) ?? Number.NaN;
        expect(rawComplexity({ ...unknown, files: [...more, ...some] })).toBe(all);
        expect(all).toBeGreaterThanOrEqual(rawComplexity({ ...unknown, files: some }) ?? Number.NaN);
      }),
      { numRuns: times(300) },
    );
  });
});

describe('the score', () => {
  test('The score is 50 for what is usual, and between 0 and 100', () => {
    expect(scoreOf(7.25, 7.25)).toBe(50);
    expect(scoreOf(0, 7.25)).toBe(0);
    expect(scoreOf(21.75, 7.25)).toBe(75);
  });

  test('The score keeps all its digits', () => {
    expect(scoreOf(1, 2)).toBe(100 / 3);
  });

  test('The score is defined where the usual pull request holds nothing that counts', () => {
    expect(scoreOf(0, 0)).toBe(0);
    expect(scoreOf(3, 0)).toBe(100);
  });
});

describe('the median', () => {
  test.each([
    [[], null],
    [[4], 4],
    [[9, 1, 4], 4],
    [[10, 2, 9, 1], 5.5],
    [[100, 20, 3], 20],
  ])('The median of %j is %s', (values, median) => {
    expect(medianOf(values)).toBe(median);
  });

  test('The median leaves the values as they were', () => {
    const values = [3, 1, 2];
    medianOf(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('the list of files', () => {
  test('The list of files is read with the numbers that are there', () => {
    const kept = '[{"path":"a.ts","additions":1,"deletions":2},{"path":"b.ts"},{"path":"c.ts","additions":"3"}]';
    expect(filesOf(kept)).toEqual([file('a.ts', 1, 2), file('b.ts', null, null), file('c.ts', null, null)]);
  });

  test('The list of files leaves out what names no path, and is no list when it is something else', () => {
    expect(filesOf('[{"additions":1},null,"a.ts",{"path":7}]')).toEqual([]);
    expect(filesOf('{"path":"a.ts"}')).toBeNull();
    expect(filesOf('null')).toBeNull();
    expect(filesOf(null)).toBeNull();
  });
});

describe('a changed file', () => {
  test.each([
    ...['package-lock.json', 'web/yarn.lock', 'Cargo.lock', 'go.sum', 'pnpm-lock.yaml', 'Gemfile.lock', 'bun.lockb'],
    ...['vendor/github.com/x/y.go', 'third_party/zlib/a.c', 'app/node_modules/x/index.js', 'ios/Pods/A/a.m'],
    ...['public/app.min.js', 'a.min.css', 'dist/index.js', 'app.js.map', 'jquery-min.js'],
    ...[
      'api/v1/user.pb.go',
      'user_pb2.py',
      'src/__generated__/q.ts',
      'api.generated.ts',
      'schema_gen.go',
      'user.g.dart',
    ],
    ...['zz_generated.deepcopy.go', 'Form1.Designer.cs', 'src/__snapshots__/a.test.tsx.snap', 'a.snap'],
  ])('%s is left out', (path) => {
    expect(kindOf(path).isLeftOut).toBe(true);
  });

  test.each([
    ...['src/lock.ts', 'src/vendors/list.ts', 'src/distance.ts', 'package.json', 'go.mod', 'regen.ts', 'src/admin.js'],
    ...['src/generate.ts', 'src/generator/gen.ts', 'docs/locking.md', 'Makefile', 'src/min.js', 'sitemap.xml'],
  ])('%s counts', (path) => {
    expect(kindOf(path).isLeftOut).toBe(false);
  });

  test.each([
    ...[
      'test/a.ts',
      'src/a.test.ts',
      'pkg/a_test.go',
      'spec/models/a_spec.rb',
      'tests/test_a.py',
      'src/__tests__/a.js',
    ],
    ...['src/CartTest.java', 'CartTests.cs', 'src/test/java/Cart.java', 'e2e/login.ts', 'app/test_views.py'],
  ])('%s is a test', (path) => {
    expect(kindOf(path).isTest).toBe(true);
  });

  test.each(['src/latest.ts', 'src/contest.java', 'src/attestation.go', 'docs/inspect.md', 'src/Latest.java'])(
    '%s is no test',
    (path) => {
      expect(kindOf(path).isTest).toBe(false);
    },
  );

  test.each([
    ['src/A.TS', '.ts'],
    ['a.d.ts', '.ts'],
    ['Makefile', 'makefile'],
    ['docker/Dockerfile', 'dockerfile'],
    ['.gitignore', '.gitignore'],
    ['strange.', 'strange.'],
  ])('%s is of type %s', (path, type) => {
    expect(kindOf(path).type).toBe(type);
  });

  test.each([
    ['src/deep/A.ts', 'src/deep/'],
    ['A.ts', ''],
  ])('%s lies in the directory %j', (path, directory) => {
    expect(kindOf(path).directory).toBe(directory);
  });
});
