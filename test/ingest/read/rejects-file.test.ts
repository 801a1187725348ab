import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import { RejectsFile, rejectsPath } from '../../../src/ingest/read/rejects-file.ts';
import { linesOf, temporaryFolder } from './temporary-files.ts';

const folder = temporaryFolder();
let names = 0;
const freshPath = () => rejectsPath(join(folder, `people-${++names}.csv`));

test('Rejects lie beside their file, and those of standard input in the current folder', () => {
  expect(rejectsPath('/data/people.csv.gz')).toBe('/data/people.csv.gz.rejects.ndjson');
  expect(rejectsPath('-')).toBe(join(process.cwd(), 'stdin.rejects.ndjson'));
  expect(rejectsPath('-', '/somewhere')).toBe('/somewhere/stdin.rejects.ndjson');
});

test('A run without rejects leaves no file, not even that of the run before', async () => {
  const path = freshPath();
  expect(await new RejectsFile(path).close()).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, 'of an earlier run\n');
  expect(await new RejectsFile(path).close()).toBeUndefined();
  expect(existsSync(path)).toBe(false);
});

test('A run with rejects replaces those of the run before, only at its end', async () => {
  const path = freshPath();
  writeFileSync(path, 'of an earlier run\n');
  const rejects = new RejectsFile(path);
  await rejects.add({ line: 7, detail: 'name must be text', record: { name: 1 } });
  expect(readFileSync(path, 'utf8')).toBe('of an earlier run\n');
  await rejects.add({ line: 9, detail: 'is not JSON', record: '{"a' });
  expect(rejects.count).toBe(2);
  expect(await rejects.close()).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe(
    '{"line":7,"detail":"name must be text","record":{"name":1}}\n{"line":9,"detail":"is not JSON","record":"{\\"a"}\n',
  );
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('Rejects are for their owner alone, and no link that lies in the way is followed', async () => {
  const path = freshPath();
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'untouched');
  symlinkSync(elsewhere, `${path}.part`);
  symlinkSync(elsewhere, path);
  const rejects = new RejectsFile(path);
  await rejects.add({ line: 1, detail: 'x', record: { salary: 1 } });
  await rejects.close();
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('A folder that takes no files is refused in words', async () => {
  const rejects = new RejectsFile(join(folder, 'missing', 'a.csv.rejects.ndjson'));
  await expect(rejects.add({ line: 1, detail: 'x', record: null })).rejects.toMatchObject({
    reason: 'bad-input',
    message: expect.stringContaining('a.csv.rejects.ndjson (ENOENT)'),
  });
  const path = freshPath();
  mkdirSync(path);
  await expect(new RejectsFile(path).close()).rejects.toMatchObject({ reason: 'bad-input' });
});

test('Any rejects, many or large, read back as they were', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.constantFrom(1, 50, 70_000),
      async (records, padding) => {
        const path = freshPath();
        const rejects = new RejectsFile(path);
        for (const [at, record] of records.entries())
          await rejects.add({ line: at, detail: 'd'.repeat(padding), record });
        await rejects.close();
        expect((await linesOf(openRecordFile(path))).map((line) => ('value' in line ? line.value : line))).toEqual(
          records.map((record, at) => JSON.parse(JSON.stringify({ line: at, detail: 'd'.repeat(padding), record }))),
        );
      },
    ),
    { numRuns: 30 },
  );
});
