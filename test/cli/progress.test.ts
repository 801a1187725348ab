import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Progress, type ProgressOptions, progressLine } from '../../src/cli/progress.ts';

function onScreen(options: ProgressOptions = {}, screen: { isTTY?: boolean; columns?: number } = {}) {
  const clock = { milliseconds: 5_000 };
  const written: string[] = [];
  const progress = new Progress({
    screen: { isTTY: true, columns: 100, ...screen, write: (text) => written.push(text) },
    now: () => clock.milliseconds,
    ...options,
  });
  return { progress, clock, written };
}

const erase = '\r\x1b[K';

describe('the progress view', () => {
  test('The progress view shows rows, rate, share and time left on one line', () => {
    const { progress, clock, written } = onScreen({ label: 'people.csv' });
    clock.milliseconds += 4_000;
    progress.update({ rows: 10_000, bytesRead: 250, bytesTotal: 1_000 });
    expect(written).toEqual([`${erase}people.csv  [#####---------------]  25 %  10,000 rows  2,500 rows/s  0:12 left`]);
  });

  test('The progress view shows neither bar nor time left where the size is unknown', () => {
    const { progress, clock, written } = onScreen();
    clock.milliseconds += 2_000;
    progress.update({ rows: 1, bytesRead: 250 });
    expect(written).toEqual([`${erase}1 row  1 rows/s`]);
  });

  test.each([
    ['a pipe', {}, { isTTY: false }],
    ['nothing known', {}, { isTTY: undefined }],
    ['a terminal, for machines', { enabled: false }, {}],
  ])('The progress view writes nothing at all on %s', (_, options, screen) => {
    const { progress, clock, written } = onScreen(options, screen as { isTTY?: boolean });
    for (let drawing = 0; drawing < 5; drawing++) {
      clock.milliseconds += 1_000;
      progress.update({ rows: drawing, bytesRead: 0 });
    }
    progress.clear();
    progress.finish({ rows: 5 });
    expect(written).toEqual([]);
  });

  test('The progress view is drawn at most ten times a second, however often it is updated', () => {
    const { progress, clock, written } = onScreen();
    for (let rows = 0; rows < 3_000; rows++) {
      progress.update({ rows, bytesRead: rows, bytesTotal: 3_000 });
      clock.milliseconds += 1;
    }
    expect(written).toHaveLength(30);
  });

  test('The progress view is taken away for other output, and comes back with the next update', () => {
    const { progress, written } = onScreen();
    progress.clear();
    expect(written).toEqual([]);
    progress.update({ rows: 1, bytesRead: 0 });
    progress.clear();
    progress.clear();
    progress.update({ rows: 2, bytesRead: 0 });
    expect(written).toEqual([`${erase}1 row`, erase, `${erase}2 rows`]);
  });

  test('The progress view ends with one line that stays', () => {
    const { progress, clock, written } = onScreen({ label: 'people.csv' });
    progress.update({ rows: 1, bytesRead: 0 });
    clock.milliseconds += 3_725_000;
    progress.finish({ rows: 1_234_567 });
    expect(written.slice(1)).toEqual([erase, 'people.csv  1,234,567 rows  in 1:02:05  331 rows/s\n']);
  });

  test('The progress view ends well when nothing was ever drawn and no time has passed', () => {
    const { progress, written } = onScreen();
    progress.finish({ rows: 0 });
    expect(written).toEqual(['0 rows  in 0:00\n']);
  });

  test('The progress view asks the width again at every drawing', () => {
    const screen = {
      isTTY: true,
      columns: 100,
      written: [] as string[],
      write(text: string) {
        this.written.push(text);
      },
    };
    let now = 0;
    const progress = new Progress({ screen, now: () => now, label: 'people.csv' });
    now = 1_000;
    progress.update({ rows: 5, bytesRead: 1, bytesTotal: 2 });
    screen.columns = 14;
    now = 2_000;
    progress.update({ rows: 5, bytesRead: 1, bytesTotal: 2 });
    expect(screen.written[0]).toContain('people.csv');
    expect(screen.written[1]).toBe(`${erase}50 %  5 rows`);
  });

  test('The progress view does not let the name of a file command the terminal', () => {
    const { progress, written } = onScreen({ label: 'a\x1b[2J\n\u009b31m\u202e.csv' });
    progress.update({ rows: 1, bytesRead: 0 });
    progress.finish({ rows: 1 });
    for (const text of written) expect(text.replaceAll(erase, '').replace(/\n$/, '')).not.toMatch(/\p{C}/u);
    expect(written[0]).toContain('a?[2J??31m?.csv');
  });

  test('The progress view never writes more than fits, and always the rows where they fit', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.record({ rows: fc.nat(), bytesRead: fc.nat(), bytesTotal: fc.option(fc.nat(), { nil: undefined }) }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 120 }),
        (label, state, seconds, width) => {
          const line = progressLine(label, state, seconds, width);
          expect(line.length).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/NaN|Infinity|undefined/);
          const rows = `${state.rows.toLocaleString('en')} row`;
          if (width >= rows.length + 1) expect(line).toContain(rows);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('The progress view never claims more than all of a file that grew while it was read', () => {
    expect(progressLine('', { rows: 1, bytesRead: 30, bytesTotal: 10 }, 5, 100)).toContain('100 %');
  });
});
