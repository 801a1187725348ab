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
        ...(await wrongInBenchmarks(opened, reader)),
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

const requestsIn = async (within: Locator): Promise<string[]> =>
  (await within.locator('pre').allTextContents()).filter((text) => text.startsWith('curl '));

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

/** A card shows its requests itself, or another card of the page shows those of the record it is about. */
async function wrongInCards({ page }: OpenedPage, reader: Reader): Promise<string[]> {
  const wrong: string[] = [];
  for (const card of await page.locator('.card:has([data-value]):not(:has(.benchmark))').all()) {
    const values = await valuesIn(card);
    if (values.length === 0) continue;
    const own = await requestsIn(card);
    const requests = own.length > 0 ? own : await requestsIn(page.locator('main'));
    const numbers = await numbersOf(requests, reader);
    const others = values.filter((value) => !numbers.has(Number(value)));
    const title = (await card.innerText()).slice(0, 60);
    if (others.length > 0) wrong.push(`${title}: ${others} are in no answer to ${requests.length} requests`);
  }
  return wrong;
}

/** Of several benchmarks the page shows the request of the one that is chosen. */
async function wrongInBenchmarks({ page, settled }: OpenedPage, reader: Reader): Promise<string[]> {
  const wrong: string[] = [];
  for (const row of await page.locator('.benchmark').all()) {
    const [value] = await valuesIn(row);
    if (value === undefined) continue;
    await row.getByRole('button').click();
    await row.locator('button[aria-pressed="true"]').waitFor();
    await settled();
    const numbers = await numbersOf(await requestsIn(page.locator('main')), reader);
    if (!numbers.has(Number(value))) wrong.push(`${await row.innerText()}: ${value} is in no answer`);
  }
  return wrong;
}

async function numbersOf(requests: readonly string[], reader: Reader): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (const request of new Set(requests)) {
    for (const number of numbersAndQuotientsIn(await answerTo(request, reader.key))) numbers.add(number);
  }
  return numbers;
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
