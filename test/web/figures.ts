import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { isLong } from '../setup/how-long.ts';
import { type OpenedPage, openPage } from './opened-page.ts';
import { listedPages, pathFor } from './page-list.ts';
import type { Reader, ServedPages } from './served-pages.ts';
import { answerTo, numbersAndQuotientsIn, numbersIn } from './shown-requests.ts';

/** Every number that a page shows is in the answer to the request that it shows for it, for whoever reads it. */
export function figures(pages: () => ServedPages): void {
  const withFigures = listedPages.filter(
    ({ path }) => path === '/settings/data-quality' || !/settings|welcome/.test(path),
  );
  const ofEngineers = isLong ? withFigures : withFigures.filter(({ path }) => path === '/' || path === '/cycle-time');
  const looks = [
    ...withFigures.map((page) => [page.path, 'Owner', page] as const),
    ...ofEngineers.map((page) => [page.path, 'Engineer', page] as const),
  ];
  test.each(looks)('figures of %s as %s are the answers to the requests shown', async (_path, role, page) => {
    const { url, readers } = pages();
    const reader = readers[role];
    const opened = await openPage(reader.context, `${url}${await pathFor(url, page, reader)}`);
    try {
      const wrong = [
        ...(await wrongInCards(opened, reader)),
        ...(await wrongInComputedTiles(opened, reader)),
        ...(await wrongInTiles(opened, reader)),
      ];
      expect(wrong).toEqual([]);
    } finally {
      await opened.page.close();
    }
  });

  test('a page of figures has figures, and a chart has its request', async () => {
    const { url, readers } = pages();
    const opened = await openPage(readers.Owner.context, `${url}/cycle-time`);
    expect((await valuesIn(opened.page.locator('.tile'))).length).toBeGreaterThan(2);
    const charts = opened.page.locator('.chart-card:has(.chart-canvas)');
    expect(await charts.count()).toBeGreaterThan(1);
    for (const chart of await charts.all()) {
      expect(await chart.locator('pre[data-request="curl"]').first().textContent()).toContain('$KEY');
    }
    await opened.page.close();
  });
}

const valuesIn = (within: Locator): Promise<string[]> =>
  within
    .locator('[data-value]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-value') ?? '').filter((value) => value !== ''));

const requestsIn = (within: Locator): Promise<string[]> => within.locator('pre[data-request="curl"]').allTextContents();

/** A tile has its request where its number leads: in the panel. */
async function wrongInTiles({ page, settled }: OpenedPage, reader: Reader): Promise<string[]> {
  const wrong: string[] = [];
  for (const tile of await page.locator('.tile[data-metric]').all()) {
    const [label, [value]] = [await tile.locator('.tile-label').innerText(), await valuesIn(tile)];
    const opener = tile.locator('button.tile-value');
    if (value === undefined || (await opener.count()) === 0) continue;
    await opener.click();
    await page.locator('.panel [data-figure]').waitFor();
    await settled();
    const figure = page.locator('.panel [data-figure]');
    const [shown, requests] = [await valuesIn(figure), await requestsIn(figure)];
    if (shown[0] !== value) wrong.push(`${label}: ${value} in the tile, ${shown[0]} in the panel`);
    for (const request of requests) {
      const numbers = numbersIn(await answerTo(request, reader.key));
      if (!numbers.includes(Number(value)))
        wrong.push(`${label}: ${value}, but the answer to\n${request}\nis ${numbers}`);
    }
    if (requests.length === 0) wrong.push(`${label} shows no request`);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
  }
  return wrong;
}

/** Cards show their requests themselves. */
async function wrongInCards({ page }: OpenedPage, reader: Reader): Promise<string[]> {
  const wrong: string[] = [];
  for (const card of await page.locator('.card:has([data-value])').all()) {
    const [title, values, requests] = [
      await card.locator('h2').first().innerText(),
      await valuesIn(card),
      await requestsIn(card),
    ];
    if (values.length === 0) continue;
    if (requests.length === 0) wrong.push(`${title} has figures without a request: ${values.slice(0, 5)}`);
    const numbers = new Set<number>();
    for (const request of requests) {
      for (const number of numbersAndQuotientsIn(await answerTo(request, reader.key))) numbers.add(number);
    }
    const others = values.filter((value) => !numbers.has(Number(value)));
    if (requests.length > 0 && others.length > 0) wrong.push(`${title}: ${others} are in no answer to its requests`);
  }
  return wrong;
}

/** Figures that no metric gives by itself: quotients of what is asked, or counts of its rows. */
async function wrongInComputedTiles({ page }: OpenedPage, reader: Reader): Promise<string[]> {
  const wrong: string[] = [];
  for (const tile of await page.locator('.tile[data-computed]').all()) {
    const [label, [value], requests] = [
      await tile.locator('.tile-label').innerText(),
      await valuesIn(tile),
      await requestsIn(tile),
    ];
    if (requests.length === 0) wrong.push(`${label} shows no request`);
    for (const request of requests) {
      const answer = await answerTo(request, reader.key);
      const isCount = Number.isInteger(Number(value ?? 0));
      const isRight = isCount
        ? Number(value ?? 0) <= Math.max(...numbersIn(answer), (answer as unknown[]).length)
        : numbersAndQuotientsIn(answer).has(Number(value));
      if (!isRight) wrong.push(`${label}: ${value} cannot come from ${JSON.stringify(answer).slice(0, 500)}`);
    }
  }
  return wrong;
}
