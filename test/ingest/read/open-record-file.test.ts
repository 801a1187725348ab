import { mkdirSync, symlinkSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import { Refusal } from '../../../src/refusal.ts';
import { HeldObjects, liveHeapBytes } from '../../setup/held-objects.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { filesIn, linesOf, temporaryFolder } from './temporary-files.ts';

const folder = temporaryFolder();
const { written, read } = filesIn(folder);

function refusalOf(path: string): Refusal {
  try {
    openRecordFile(path);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`${path} was not refused`);
}

describe('the format of a file', () => {
  test.each([
    ['a.ndjson', '{"a":"1"}', 'json'],
    ['a.jsonl', '{"a":"1"}', 'json'],
    ['a.json', '{"a":"1"}', 'json'],
    ['b.json', '[{"a":"1"}]', 'json'],
    ['a.csv', 'a\n1', 'text'],
    ['A.B.NDJSON', '{"a":"1"}', 'json'],
    ['A.CSV', 'a\n1', 'text'],
  ])('The format of a file is recognised by the extension of %s, packed or not', async (name, content, form) => {
    for (const path of [written(name, content), written(`${name}.gz`, gzipSync(content))]) {
      const file = openRecordFile(path);
      expect(file.form).toBe(form);
      expect(await linesOf(file)).toEqual([{ line: form === 'text' ? 2 : 1, value: { a: '1' } }]);
    }
    expect(openRecordFile(written(`${name}.GZ`, gzipSync(content))).form).toBe(form);
  });

  test('The format of a file is taken from the bytes where a packed file lacks the .gz', async () => {
    expect(await read('packed.ndjson', gzipSync('{"a":1}\n'))).toEqual([{ line: 1, value: { a: 1 } }]);
  });

  test.each([
    'notes.txt',
    'noextension',
    'archive.gz',
    '.gz',
    'ndjson',
    'data.csv.bz2',
    'constructor.constructor',
    'a.ndjson.gz.gz',
  ])('The format of a file of %s is unknown, and the accepted ones are listed', (name) => {
    const refusal = refusalOf(written(name, '{}'));
    expect(refusal.reason).toBe('bad-input');
    for (const extension of ['.ndjson', '.jsonl', '.json', '.csv', '.parquet', '.gz', '-']) {
      expect(refusal.message).toContain(extension);
    }
  });

  test('Parquet inside gzip is refused: it is compressed by itself', () => {
    expect(refusalOf(written('a.parquet.gz', '')).message).toMatch(/Unpack it/);
  });
});

describe('a path that cannot be read', () => {
  test('A path that cannot be read is refused as not found when nothing is there', () => {
    for (const name of ['missing.ndjson', 'missing.xyz', join('missing', 'a.csv'), '']) {
      const refusal = refusalOf(name === '' ? '' : join(folder, name));
      expect(refusal.reason).toBe('not-found');
      expect(refusal.message).toContain('.ndjson, .jsonl');
    }
    expect(refusalOf(join(written('file.ndjson', ''), 'inside.ndjson')).reason).toBe('not-found');
  });

  test('A path that cannot be read is refused when it is a folder, a circle of links or no path at all', () => {
    mkdirSync(join(folder, 'folder.ndjson'));
    expect(refusalOf(join(folder, 'folder.ndjson'))).toMatchObject({
      reason: 'bad-input',
      message: expect.stringContaining('is a folder'),
    });
    symlinkSync(join(folder, 'circle.ndjson'), join(folder, 'circle.ndjson'));
    expect(refusalOf(join(folder, 'circle.ndjson')).message).toMatch(/ELOOP/);
    expect(refusalOf('nul\0.ndjson').reason).toBe('bad-input');
  });
});

describe('the bytes read', () => {
  test('The bytes read end at the size of the file, packed or not, and start again with every reading', async () => {
    const rows = times(20_000, 50_000);
    const text = '{"a":1}\n'.repeat(rows);
    for (const path of [written('size.ndjson', text), written('size.ndjson.gz', gzipSync(text))]) {
      const file = openRecordFile(path);
      expect(file.bytesRead()).toBe(0);
      for (let reading = 0; reading < 2; reading++) {
        expect(await linesOf(file)).toHaveLength(rows);
        expect(file.bytesRead()).toBe(file.bytesTotal);
      }
    }
  });

  test('The bytes read run at most two chunks ahead of the lines, however long the file', async () => {
    const lineText = (row: number) => `${JSON.stringify({ pr_id: `pr-${row}`, pr_title: 'x'.repeat(100) })}\n`;
    const rows = times(16_000, 200_000);
    let text = '';
    for (let row = 0; row < rows; row++) text += lineText(row);
    const file = openRecordFile(written('long.ndjson', text));
    let consumed = 0;
    let maxAhead = 0;
    let [peakHeld, peakHeap] = [0, 0];
    let row = 0;
    const held = new HeldObjects();
    const heapBefore = isLong ? liveHeapBytes() : 0;
    for await (const line of file.lines()) {
      consumed += lineText(row).length;
      row++;
      if (!('value' in line) || line.line !== row) throw new Error(`row ${row} came as ${JSON.stringify(line)}`);
      maxAhead = Math.max(maxAhead, file.bytesRead() - consumed);
      if (row % 100 === 0) held.watch(line);
      if (row % 8_000 === 0) {
        peakHeld = Math.max(peakHeld, await held.count());
        if (isLong) peakHeap = Math.max(peakHeap, liveHeapBytes() - heapBefore);
      }
    }
    expect(row).toBe(rows);
    expect(consumed).toBe(file.bytesTotal);
    expect(maxAhead).toBeLessThanOrEqual(2 * 65_536);
    // Nobody holds on to lines that were read. The whole file as objects would take more than 12 MB.
    expect(peakHeld).toBeLessThanOrEqual(2);
    if (isLong) expect(peakHeap).toBeLessThan(5_000_000);
  });
});

const openFilesUnder = async (path: string): Promise<string[]> => {
  const links = await readdir('/proc/self/fd');
  const targets = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => '')));
  return targets.filter((target) => target === path);
};

test.runIf(process.platform === 'linux')('A reading that is given up leaves no file open', async () => {
  const text = '{"a":1}\n'.repeat(40_000);
  const paths = [
    written('left.ndjson', text),
    written('left.json', `[${text.trim().replaceAll('\n', ',')}]`),
    written('left.csv', text.replaceAll('"', '')),
    written('left.ndjson.gz', gzipSync(text)),
  ];
  for (const path of paths) {
    const file = openRecordFile(path);
    file.lines();
    expect(await openFilesUnder(path)).toEqual([]);
    for await (const _ of file.lines()) {
      expect(await openFilesUnder(path)).toHaveLength(1);
      break;
    }
    await expect.poll(() => openFilesUnder(path)).toEqual([]);
  }
});
