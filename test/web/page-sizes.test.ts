import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** What a browser loads before a page can be read, compressed. */
const kilobyte = 1_000;
const [maxScript, maxChart, maxStyle] = [150 * kilobyte, 200 * kilobyte, 25 * kilobyte];
/** A page has its own parts besides, and one that draws those around a chart; the library that draws comes later. */
const [maxPage, maxDrawing] = [168 * kilobyte, 193 * kilobyte];

const built = join(import.meta.dirname, '..', '..', 'dist-web');
const read = (file: string): Buffer => readFileSync(join(built, 'assets', file));
const sizeOf = (file: string): number => gzipSync(read(file), { level: 9 }).length;
const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + sizeOf(file), 0);

/** The files that a file cannot start without, itself among them. Those it loads later are not. */
function neededBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const statics = /(?:^|[;\n}])(?:import|export)(?:[^'"();]*?from)?["']\.\/([^"']+)["']/g;
  for (const [, other = ''] of read(file).toString('utf8').matchAll(statics)) neededBy(other, found);
  return found;
}

const index = readFileSync(join(built, 'index.html'), 'utf8');
const entry = /<script[^>]*src="\/assets\/([^"]+)"/.exec(index)?.[1] ?? '';
const files = readdirSync(join(built, 'assets'));

test('Each page needs little script, and the drawing library comes after it', () => {
  const pages = files.filter((file) => /^page-.*\.js$/.test(file));
  expect(pages.length).toBeGreaterThan(20);
  const shell = neededBy(entry);
  const sizes = pages.map((page) => {
    const needed = neededBy(page, new Set(shell));
    const draws = [...needed].some((file) => read(file).includes('draw-chart-'));
    return { page, draws, bytes: sum(needed) };
  });
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  expect(sizes.filter(({ draws }) => draws).length).toBeGreaterThan(5);
  expect(sizes.filter(({ draws }) => !draws).length).toBeGreaterThan(5);
  console.log(
    `The shell is ${sum(shell)} bytes of script, the largest page with it ${largest?.bytes} (${largest?.page}).`,
  );
  expect(sum(shell)).toBeGreaterThan(30 * kilobyte);
  expect(sum(shell)).toBeLessThanOrEqual(maxScript);
  expect(sizes.filter(({ bytes, draws }) => bytes > (draws ? maxDrawing : maxPage))).toEqual([]);
});

test('The drawing library is one file that nothing needs to start', () => {
  const charts = files.filter((file) => /^draw-chart-.*\.js$/.test(file));
  expect(charts).toHaveLength(1);
  const [chart = ''] = charts;
  const shell = neededBy(entry);
  const bytes = sum([...neededBy(chart)].filter((file) => !shell.has(file)));
  console.log(`The drawing library is ${bytes} bytes.`);
  expect(bytes).toBeGreaterThan(50 * kilobyte);
  expect(bytes).toBeLessThanOrEqual(maxChart);
  expect([...shell]).not.toContain(chart);
  // What draws maps and dots comes with the first of them.
  const others = files.filter((file) => /^draw-other-kinds-.*\.js$/.test(file));
  expect(others).toHaveLength(1);
  expect([...neededBy(chart)]).not.toContain(others[0]);
});

test('All styles together are small', () => {
  const bytes = sum(files.filter((file) => file.endsWith('.css')));
  console.log(`All styles are ${bytes} bytes.`);
  expect(bytes).toBeGreaterThan(kilobyte);
  expect(bytes).toBeLessThanOrEqual(maxStyle);
});
