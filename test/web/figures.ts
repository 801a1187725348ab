import type { Locator } from 'playwright-core';
import type { OpenedPage } from './opened-page.ts';
import type { ListedPage } from './page-list.ts';
import type { Reader } from './served-pages.ts';
import { answerTo, countsAndSumsIn, numbersAndQuotientsIn, numbersIn } from './shown-requests.ts';

/** Pages that show numbers of records. */
export const hasFigures = ({ path }: ListedPage): boolean =>
  path === '/settings/data-quality' || !/settings|welcome/.test(path);

/** The answer to a request that a page shows. */
type Answers = (request: string) => Promise<unknown>;

/**
 * Every number that a page shows is in the answer to the request that it shows for it, for whoever reads it. Tiles show
 * theirs in a panel, and benchmarks where one is chosen, which is done for so many of them.
 */
export async function wrongFigures(opened: OpenedPage, { key }: Reader, most: number): Promise<string[]> {
  // Several parts of a page show the same request.
  const known = new Map<string, Promise<unknown>>();
  const answers: Answers = (request) => {
    const answer = known.get(request) ?? answerTo(request, key);
    known.set(request, answer);
    return answer;
  };
  return [
    ...(await wrongInCharts(opened, answers)),
    ...(await wrongInCards(opened, answers)),
    ...(await wrongInBenchmarks(opened, answers, most)),
    ...(await wrongInComputedTiles(opened, answers)),
    ...(await wrongInTiles(opened, answers, most)),
  ];
}

const valuesIn = (within: Locator): Promise<string[]> =>
  within
    .locator('[data-value]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-value') ?? '').filter((value) => value !== ''));

const requestsIn = async (within: Locator): Promise<string[]> =>
  (await within.locator('pre').allTextContents()).filter((text) => text.startsWith('curl '));

/** A tile has its request where its number leads: in the panel. */
async function wrongInTiles({ page }: OpenedPage, answers: Answers, most: number): Promise<string[]> {
  const wrong: string[] = [];
  let panels = 0;
  for (const tile of await page.locator('.tile[data-metric]').all()) {
    const [label, [value]] = [await tile.locator('.tile-label').innerText(), await valuesIn(tile)];
    const opener = tile.locator('button.tile-value');
    if (value === undefined || (await opener.count()) === 0) continue;
    if (panels === most) break;
    panels += 1;
    await opener.click();
    // It is there as soon as its answer is; the rows below it may still be on their way.
    await page.locator('.panel [data-figure]:not(.is-old)').waitFor();
    const figure = page.locator('.panel [data-figure]');
    const [shown, requests] = [await valuesIn(figure), await requestsIn(figure)];
    if (shown[0] !== value) wrong.push(`${label}: ${value} in the tile, ${shown[0]} in the panel`);
    for (const request of requests) {
      const numbers = numbersIn(await answers(request));
      if (!numbers.includes(Number(value)))
        wrong.push(`${label}: ${value}, but the answer to\n${request}\nis ${numbers}`);
    }
    if (requests.length === 0) wrong.push(`${label} shows no request`);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
  }
  return wrong;
}

/** Something that shows numbers, and the requests that stand in it. */
interface ShownNumbers {
  readonly title: string;
  readonly values: readonly string[];
  readonly requests: readonly string[];
}

/** A chart has its requests in its card, or in the field beside it where they can be edited. Their answers hold every point that the page has not added up itself. */
async function wrongInCharts({ page }: OpenedPage, answers: Answers): Promise<string[]> {
  const charts = (await page.evaluate(`[...document.querySelectorAll('.chart-canvas')].map((chart) => ({
    title: chart.getAttribute('aria-label'),
    values: JSON.parse(chart.dataset.values),
    requests: [...chart.closest('.card').querySelectorAll('pre'), ...document.querySelectorAll('main textarea')]
      .map(({ textContent, value }) => value ?? textContent),
  }))`)) as ShownNumbers[];
  const wrong: string[] = [];
  for (const { title, values, requests: texts } of charts) {
    const requests = texts.filter((text) => text.startsWith('curl '));
    if (requests.length === 0) wrong.push(`${title} shows no request`);
    const numbers = await numbersOf(requests, answers);
    // Where no row has a count, none is what it is.
    const others = values.filter((value) => Number(value) !== 0 && !numbers.has(Number(value)));
    if (others.length > 0) wrong.push(`${title}: ${others} of ${values.length} points are in no answer`);
  }
  return wrong;
}

/** A card shows its requests itself, or another card of the page shows those of the record it is about. */
async function wrongInCards({ page }: OpenedPage, answers: Answers): Promise<string[]> {
  const selector = '.card:has([data-value]):not(:has(.benchmark))';
  const cards = (await page.evaluate(`[...document.querySelectorAll('${selector}')].map((card) => ({
    title: card.innerText.slice(0, 60),
    values: [...card.querySelectorAll('[data-value]')].map(({ dataset }) => dataset.value).filter((value) => value !== ''),
    requests: [...card.querySelectorAll('pre')].map(({ textContent }) => textContent),
  }))`)) as ShownNumbers[];
  const wrong: string[] = [];
  for (const { title, values, requests: texts } of cards) {
    if (values.length === 0) continue;
    const own = texts.filter((text) => text.startsWith('curl '));
    const requests = own.length > 0 ? own : await requestsIn(page.locator('main'));
    const numbers = await numbersOf(requests, answers);
    const counts = (await Promise.all(requests.map(answers))).map(countsAndSumsIn);
    const isKnown = (value: number): boolean => numbers.has(value) || counts.some((each) => each.has(value));
    const others = values.filter((value) => !isKnown(Number(value)));
    if (others.length > 0) wrong.push(`${title}: ${others} are in no answer to ${requests.length} requests`);
  }
  return wrong;
}

/** Of several benchmarks the page shows the request of the one that is chosen. */
async function wrongInBenchmarks({ page, settled }: OpenedPage, answers: Answers, most: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const row of (await page.locator('.benchmark').all()).slice(0, most)) {
    const [value] = await valuesIn(row);
    if (value === undefined) continue;
    await row.getByRole('button').click();
    await row.locator('button[aria-pressed="true"]').waitFor();
    await settled();
    const numbers = await numbersOf(await requestsIn(page.locator('main')), answers);
    if (!numbers.has(Number(value))) wrong.push(`${await row.innerText()}: ${value} is in no answer`);
  }
  return wrong;
}

async function numbersOf(requests: readonly string[], answers: Answers): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (const request of new Set(requests)) {
    for (const number of numbersAndQuotientsIn(await answers(request))) numbers.add(number);
  }
  return numbers;
}

/** Figures that no metric gives by itself: quotients of what is asked, or counts of its rows. */
async function wrongInComputedTiles({ page }: OpenedPage, answers: Answers): Promise<string[]> {
  const wrong: string[] = [];
  for (const tile of await page.locator('.tile[data-computed]').all()) {
    const [label, [value], requests] = [
      await tile.locator('.tile-label').innerText(),
      await valuesIn(tile),
      await requestsIn(tile),
    ];
    if (requests.length === 0) wrong.push(`${label} shows no request`);
    for (const request of requests) {
      const answer = await answers(request);
      const isCount = Number.isInteger(Number(value ?? 0));
      const isRight = isCount
        ? Number(value ?? 0) <= Math.max(...numbersIn(answer), (answer as unknown[]).length)
        : numbersAndQuotientsIn(answer).has(Number(value));
      if (!isRight) wrong.push(`${label}: ${value} cannot come from ${JSON.stringify(answer).slice(0, 500)}`);
    }
  }
  return wrong;
}
