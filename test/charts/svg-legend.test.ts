import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CategoryChart } from '../../src/charts/chart-description.ts';
import { lightTheme } from '../../src/charts/chart-theme.ts';
import { drawSvg } from '../../src/charts/draw-svg.ts';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';

const points = [3, 4, 5].map((value) => ({ value }));
const chartOf = (series: CategoryChart['series']): CategoryChart => ({
  kind: 'line',
  title: 'Cycle time',
  measure: 'duration',
  categories: ['Apr', 'May', 'Jun'].map((label) => ({ label })),
  series,
});
const named = (...names: string[]) => drawSvg(chartOf(names.map((name) => ({ name, points }))));

const long = [
  'northwind/payments-orchestration-service',
  'northwind/ledger-reconciliation-worker',
  'web',
  'Ärzte & Pflege – Integrationsplattform',
  'WWW/MMMMMMMMMMMMMMMMMMMMMMMMMM',
  'others',
];

test('The period before has the dashes of its line for a swatch', () => {
  const svg = drawSvg(
    chartOf([
      { name: 'Cycle time', points },
      { name: 'before', role: 'before', points },
    ]),
  );
  const swatches = [...svg.matchAll(/<path d="(M0 [^"]*)"[^>]*fill="(#\w+)"/g)].map(([, path = '', colour]) => [
    path.split('M').length - 1,
    colour,
  ]);
  expect(swatches).toEqual([[3, lightTheme.others]]);
});

test('A picture grows with the rows that its names need', () => {
  const heightOf = (svg: string) => Number(/ height="(\d+)"/.exec(svg)?.[1]);
  expect(heightOf(named('a', 'b', 'c', 'd', 'e', 'f'))).toBe(heightOf(named('a', 'b')));
  expect(heightOf(named(...long))).toBe(heightOf(named('a', 'b')) + 40);
});

describeWithChromium('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  test('In a browser names are whole, inside the picture, and never on each other', async () => {
    const page = await browser.newPage();
    const boxesIn = async (svg: string) => {
      await page.setContent(`<body style="margin:0">${svg}</body>`);
      return page.locator('svg text').evaluateAll((texts) =>
        texts.map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return { name: text.textContent ?? '', left, right, top, bottom };
        }),
      );
    };
    const boxes = await boxesIn(named(...long));
    expect(boxes.map(({ name }) => name)).toEqual(expect.arrayContaining(long));
    for (const [at, one] of boxes.entries()) {
      expect([one.name, one.left >= 0 && one.right <= 760]).toEqual([one.name, true]);
      // Before the next name in a row there is room for its swatch.
      const near = boxes.filter(
        (other, i) =>
          i !== at &&
          other.top < one.bottom &&
          one.top < other.bottom &&
          other.left >= one.left &&
          other.left < one.right + 20,
      );
      expect([one.name, long.includes(one.name) ? near.map(({ name }) => name) : []]).toEqual([one.name, []]);
    }
    // Only a name that no row has room for is cut.
    const cut = (await boxesIn(named('x'.repeat(300), 'short'))).find(({ name }) => name.startsWith('xxx'));
    expect([cut?.name.endsWith('...'), (cut?.right ?? 0) <= 760]).toEqual([true, true]);
  });
});
