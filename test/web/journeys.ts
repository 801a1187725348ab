import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { maxSearchLength } from '../../src/text-limits.ts';
import { awaitUntil } from './await-until.ts';
import { leave, openPage } from './opened-page.ts';
import { password, type ServedPages } from './served-pages.ts';

/** What can be done with a mouse can be done with keys alone. */
export function journeys(pages: () => ServedPages): void {
  test('Keys alone: sign in, overview, cycle time, the rows of a number, and back to it', async () => {
    const { url, browser, readers } = pages();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${url}/cycle-time`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await tabTo(page, () => focused(page, 'input[type=email]'));
    await page.keyboard.type(readers.Manager.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/cycle-time`);
    await page.locator('h1', { hasText: 'Cycle time' }).waitFor();

    await tabTo(page, () => focused(page, '.navigation a[href^="/"]', 'Overview'));
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Overview' }).waitFor();
    await tabTo(page, () => focused(page, '.navigation a', 'Cycle time'));
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Cycle time' }).waitFor();

    await page.locator('.tile[data-metric] button.tile-value').first().waitFor();
    await tabTo(page, () => focused(page, 'button.tile-value'));
    const from = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('Enter');
    await page.locator('.panel h2').waitFor();
    expect(new URL(page.url()).searchParams.has('panel')).toBe(true);
    await awaitUntil(async () => expect(await focused(page, '.panel h2')).toBe(true));
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(from);
    expect(new URL(page.url()).searchParams.has('panel')).toBe(false);
    await context.close();
  });

  test('The names of lines stand above a chart, which can be taken elsewhere with them', async () => {
    const { url, readers } = pages();
    const { context } = readers.Owner;
    const { page } = await openPage(context, `${url}/reviews?c=weekday`);
    const card = page.locator('section.card', { hasText: 'First review wait per' });
    const names = card.locator('.chart-legend li');
    await awaitUntil(async () =>
      expect((await names.allInnerTexts()).slice(0, 2)).toEqual(['Median', 'Same weekdays before']),
    );

    // Taken elsewhere it says itself what it shows: above the chart stand a title, whose it is, and the names.
    const pick = async (item: string) => {
      await card.getByRole('button', { name: /^More/ }).click();
      await page.locator('.menu').getByRole('button', { name: item, exact: true }).click();
    };
    const [saved] = await Promise.all([page.waitForEvent('download'), pick('PNG')]);
    expect(saved.suggestedFilename()).toBe('first-review-wait-per-week.png');
    const picture = readFileSync(await saved.path());
    const drawn = await card.locator('.chart-canvas').boundingBox();
    expect(picture.readUInt32BE(20) / 2 - (drawn?.height ?? 0)).toBeGreaterThan(60);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await pick('Copy as PNG');
    await card.getByText('PNG copied').waitFor();
    expect(await page.evaluate(copiedTypes)).toEqual(['image/png']);
    await pick('Copy as curl');
    await card.getByText('curl copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -s '.*\/metrics\//);
    await pick('Copy link');
    await card.getByText('Link copied').waitFor();
    const link = await page.evaluate('navigator.clipboard.readText()');
    expect(link).toBe(`${url}/reviews?c=weekday#first-review-wait-per-week`);
    await page.goto(`${url}/`);
    await page.goto(String(link).replace('first-review-wait-per-week', 'who-reviews-where'));
    await awaitUntil(async () => expect(await page.evaluate('scrollY')).toBeGreaterThan(200));
    await leave(page);
  });

  test('Keys alone: a question in Explore is changed part by part, and each part has names instead of ids', async () => {
    const { url, readers } = pages();
    const { page, complaints, settled } = await openPage(readers.Owner.context, `${url}/explore`);
    const sentence = page.locator('.explore-sentence');
    const words = async () => (await sentence.innerText()).replace(/\s+/g, ' ');
    expect(await words()).toBe('Show the median cycle time per week split by nothing where Add a condition');
    const pick = async (button: string, typed: string) => {
      await sentence.getByRole('button', { name: button }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.menu input').waitFor();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    };
    await pick('cycle time', 'run duration');
    await awaitUntil(async () => expect(await words()).toContain('median run duration per week'));
    await pick('Split by: nothing', 'workflow');
    await awaitUntil(async () => expect(await words()).toContain('split by workflow'));
    // A closed list needs no search: the arrow keys walk along it. The data has the values of an open one.
    await pick('Add a condition', 'result');
    await page.locator('.menu .menu-item', { hasText: 'Succeeded' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await awaitUntil(async () => expect(await words()).toContain('where result is Failed'));
    await page.keyboard.press('Escape');
    await pick('Add a condition', 'workflow');
    await page.locator('.menu .menu-item').first().waitFor();
    await page.keyboard.press('Escape');
    await settled();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      metric: 'workflow-run-duration',
      agg: 'MEDIAN',
      level: 'week',
      by: 'workflow_name',
      where: '{"run_conclusions":["failure"]}',
    });
    await sentence.getByRole('button', { name: 'Remove condition: Result' }).press('Enter');
    await awaitUntil(async () => expect(await words()).not.toContain('Failed'));

    const card = page.locator('.chart-card');
    await card.getByRole('button', { name: /^More/ }).click();
    await page.locator('.menu').getByRole('button', { name: 'How it’s calculated' }).click();
    await card.locator('.how').waitFor();
    await card.getByRole('button', { name: 'Chart' }).click();
    await settled();
    expect(await page.locator('.chart-canvas canvas').count()).toBe(1);
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('On a telephone all filters are in a sheet; one that is set is counted, cleared, and kept by the next page', async () => {
    const { url, readers } = pages();
    const { page, complaints, settled } = await openPage(readers.Owner.context, `${url}/reviews`, { width: 390 });
    const filter = page.locator('.filter-bar').getByRole('button', { name: /^Filter/ });
    await filter.click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('button', { name: /^Department/ }).click();
    const department = sheet.locator('.filter-sheet-choices .menu-item').first();
    const name = await department.innerText();
    await department.click();
    await page.waitForURL((address) => address.searchParams.get('dept') === name);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect((await filter.innerText()).replace(/\s+/g, ' ')).toBe('Filter 1');
    await settled();
    await page.locator('.bottom-bar a', { hasText: 'Delivery' }).click();
    await page.locator('h1', { hasText: 'Delivery' }).waitFor();
    // The bar over the page says where one is; search and the reader's own menu are there.
    expect(await page.locator('.top-bar-name').innerText()).toBe('Delivery');
    await page.locator('.top-bar').getByRole('button', { name: 'Search' }).click();
    await page.locator('dialog[open] input').waitFor();
    await page.keyboard.press('Escape');
    await page
      .locator('.top-bar')
      .getByRole('button', { name: `You: ${readers.Owner.name}` })
      .click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).searchParams.get('dept')).toBe(name);

    // Where there is room, the same filter has a button with a cross.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: `Clear department: ${name}` }).click();
    await page.waitForURL((address) => !address.searchParams.has('dept'));
    await settled();
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('An Owner takes the organisation along as a file, and makes a link with which somebody signs in', async () => {
    const { url, browser, readers } = pages();
    const { page } = await openPage(readers.Owner.context, `${url}/settings/backup`);
    const download = page.getByRole('button', { name: 'Download the backup' });
    const [saved] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(saved.suggestedFilename()).toMatch(/^plumb-.*\.backup$/);

    await page.goto(`${url}/people/${readers.Engineer.personId}?part=access`);
    await page.getByRole('button', { name: 'Make a sign-in link' }).click();
    const link = await page
      .getByRole('figure', { name: /^Sign-in link of/ })
      .locator('pre')
      .innerText();
    await leave(page);
    const elsewhere = await browser.newContext();
    const invitation = await elsewhere.newPage();
    await invitation.goto(link);
    expect(await invitation.locator('main').innerText()).toContain(readers.Engineer.name);
    await elsewhere.close();
  });

  test('Keys alone: along a chart and into the rows of a mark; the range, the comparison, the theme, and the list of keys', async () => {
    const { url, readers } = pages();
    const { page, complaints } = await openPage(readers.Owner.context, `${url}/`);
    await tabTo(page, () => focused(page, '.chart-canvas'));
    await page.keyboard.press('ArrowRight');
    await page.locator('.chart-tooltip').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('.panel table').waitFor();
    // Down leads to the period after it, and up back to it.
    const period = () => page.locator('.panel-context').innerText();
    const first = await period();
    expect(first).toMatch(/^Week of /);
    await page.keyboard.press('ArrowDown');
    await awaitUntil(async () => expect(await period()).not.toBe(first));
    await awaitUntil(async () => expect(await focused(page, '.panel h2')).toBe(true));
    await page.keyboard.press('ArrowUp');
    await awaitUntil(async () => expect(await period()).toBe(first));
    await page.locator('.panel table').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await focused(page, '.chart-canvas')).toBe(true);

    // The last mark would lie under the panel: the page is scrolled sideways, as wide as it was, and back again.
    const widthOfPage = () => page.evaluate("document.querySelector('.page').clientWidth") as Promise<number>;
    const scrolled = () => page.evaluate('window.scrollX') as Promise<number>;
    const wide = await widthOfPage();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('.panel table').waitFor();
    await awaitUntil(async () => expect(await scrolled()).toBeGreaterThan(0));
    expect(await widthOfPage()).toBe(wide);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await awaitUntil(async () => expect(await scrolled()).toBe(0));

    const search = () => new URL(page.url()).search;
    await page.keyboard.press('[');
    await awaitUntil(async () => expect(search()).toContain('r='));
    const before = search();
    await page.keyboard.press('c');
    await awaitUntil(async () => expect(search()).not.toBe(before));
    await page.keyboard.press('t');
    await awaitUntil(async () => expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark'));
    await page.keyboard.press('t');
    await awaitUntil(async () => expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light'));
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('The tiles of a page are the tabs of its main chart, and their numbers open the records', async () => {
    const { url, readers } = pages();
    const { page, complaints, settled } = await openPage(readers.Owner.context, `${url}/`);
    const chosen = () => page.locator('[role="tab"][aria-selected="true"]').innerText();
    const drawn = () => page.locator('[role="tabpanel"] .chart-canvas').getAttribute('aria-label');
    expect([await page.getByRole('tab').count(), await chosen(), await drawn()]).toEqual([
      6,
      'Deployments',
      'Deployments per week',
    ]);
    await page.getByRole('tab', { name: 'Deployments' }).focus();
    await page.keyboard.press('ArrowLeft');
    await awaitUntil(async () => expect(await chosen()).toBe('AI in use'));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await settled();
    expect(await focused(page, '[role="tab"][aria-selected="true"]')).toBe(true);
    expect(await drawn()).toMatch(/^Lead time.* per week$/);
    // Anywhere on a tile, but on its number.
    await page.locator('.tile[data-metric="change-failure-rate"]').click({ position: { x: 80, y: 140 } });
    await settled();
    expect(await drawn()).toMatch(/^Change failure.* per week$/);
    expect(new URL(page.url()).searchParams.get('show')).toBe('change-failure-rate');
    await page.locator('.tile[data-metric="cycle-time"] .tile-value').click();
    await page.locator('.panel h2').waitFor();
    expect(await drawn()).toMatch(/^Change failure/);
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('What needs attention opens its records, as many as the service says, and Escape leads back', async () => {
    const { url, readers } = pages();
    const { page, complaints } = await openPage(readers.Owner.context, `${url}/`);
    const entries = page.locator('[data-attention]');
    await entries.first().waitFor();
    const answer = (await (await page.request.get(`${url}/app/attention`)).json()) as {
      readonly waiting: readonly {
        readonly for: string;
        readonly count: number;
        readonly pull_requests: readonly [];
      }[];
    };
    const waiting = answer.waiting.filter(({ count }) => count > 0);
    expect(waiting.length).toBeGreaterThan(0);
    for (const { for: step, count, pull_requests: listed } of waiting) {
      const entry = page.locator(`[data-attention="${step}"]`);
      expect(await entry.getAttribute('data-count')).toBe(String(count));
      await entry.focus();
      await page.keyboard.press('Enter');
      await page.locator('.panel .panel-number', { hasText: String(count) }).waitFor();
      expect(await page.locator('.panel tbody tr').count()).toBe(listed.length);
      expect(new URL(page.url()).searchParams.get('now')).toBe(step);
      await page.keyboard.press('Escape');
      await page.locator('.panel').waitFor({ state: 'detached' });
      expect(await focused(page, `[data-attention="${step}"]`)).toBe(true);
    }
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('On paper a page is light, without controls, and its charts are drawn for the width of the paper', async () => {
    const { url, readers } = pages();
    const { page } = await openPage(readers.Owner.context, `${url}/reviews`, { width: 1920, theme: 'dark' });
    const canvas = page.locator('.chart-canvas canvas').first();
    const widthOf = async () => (await canvas.boundingBox())?.width ?? 0;
    const [onScreen, head] = [await widthOf(), page.locator('.print-head')];
    expect(onScreen).toBeGreaterThan(720);
    expect(await head.isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await widthOf()).toBeLessThan(720);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.locator('.navigation, .filter-bar, .switch').evaluateAll((all) => all.length)).toBeGreaterThan(2);
    for (const control of await page.locator('.navigation, .filter-bar, .switch, .icon-button').all())
      expect(await control.isVisible()).toBe(false);
    expect(await head.innerText()).toMatch(/Reviews · .*, compared with .* · Data through /);
    expect(await page.locator('footer ~ .print-only').isVisible()).toBe(true);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await widthOf()).toBe(onScreen);
    expect(await head.isVisible()).toBe(false);
    await leave(page);
  });

  test('On paper a long table has all its first rows, and says how many there are', async () => {
    const { url, readers } = pages();
    const { page } = await openPage(readers.Owner.context, `${url}/cycle-time?r=2025-01-01.2026-10-31`);
    const card = page.locator('.chart-card', { hasText: 'Size and cycle time' });
    await card.getByRole('button', { name: 'Table', exact: true }).click();
    const table = card.locator('table');
    const rows = table.locator('tbody tr');
    const count = Number(await table.getAttribute('aria-rowcount')) - 1;
    expect(count).toBeGreaterThan(200);
    expect(await rows.count()).toBeLessThan(100);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await rows.count()).toBe(200);
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(200);
    expect(await page.locator('.table-long').count()).toBe(0);
    expect(await page.getByText(/^The first 200 of /).isVisible()).toBe(true);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await rows.count()).toBeLessThan(100);
    await leave(page);
  });

  test('A table is sorted by its columns, and is cards where it is narrow; people stay by name', async () => {
    const { url, readers } = pages();
    const { page, show, settled } = await openPage(readers.Owner.context, `${url}/cycle-time`);
    const table = page.locator('table', { hasText: 'Slowest pull requests' });
    const valuesOf = (column: number) =>
      table
        .locator(`tbody td:nth-child(${column}) data`)
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-value'))));
    const coding = table.getByRole('button', { name: 'Coding' });
    await coding.click();
    expect(await table.locator('th[aria-sort="descending"]').innerText()).toBe('Coding');
    const codingTimes = await valuesOf(3);
    expect(codingTimes.length).toBeGreaterThan(3);
    expect(codingTimes).toEqual(codingTimes.toSorted((a, b) => b - a));
    await coding.press('Enter');
    expect(await table.locator('th[aria-sort="ascending"]').innerText()).toBe('Coding');
    await page.setViewportSize({ width: 390, height: 844 });
    await settled();
    const cards = page.getByRole('list', { name: 'Slowest pull requests' });
    expect(await cards.getByRole('listitem').count()).toBe(codingTimes.length);
    await page
      .getByRole('group', { name: 'Slowest pull requests: what to show' })
      .getByRole('button', { name: 'Table' })
      .click();
    expect(await table.count()).toBe(1);
    // A row opens what its name opens, wherever it is clicked.
    await table.locator('tbody tr').first().locator('td').last().click();
    await page.waitForURL(/\/pull-requests\//);
    await show(`${url}/people`, { width: 1280, theme: 'light' }, 'walked');
    expect(await page.locator('table .sort').count()).toBe(0);
    await leave(page);
  });

  test('Keys alone: the palette leads to a page, to one of the settings, and to a metric', async () => {
    const { url, readers } = pages();
    const { page, complaints } = await openPage(readers.Engineer.context, `${url}/`);
    // What is typed while the list is on its way is not lost.
    let letIn = () => {};
    const isTyped = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route(/palette-list-/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.locator('.palette input').waitFor();
    await page.keyboard.type('revi');
    letIn();
    await page.getByPlaceholder(/Go to a page, metric/).waitFor();
    expect(await page.locator('.palette input').inputValue()).toBe('revi');
    // Opened a second time it is typed into as the first time.
    await page.keyboard.press('Escape');
    await page.locator('.palette input').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page, metric/).waitFor();
    await page.keyboard.type('reviews');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Reviews' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page, metric/).waitFor();
    await page.keyboard.type('api keys');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page, metric/).waitFor();
    await page.keyboard.type('pickup-time');
    await page.locator('[cmdk-item][aria-selected="true"]', { hasText: 'First review wait' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('h1', { hasText: 'Explore' }).waitFor();
    expect(new URL(page.url()).searchParams.get('metric')).toBe('pickup-time');
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('Somebody makes a digest and an alert for themselves, stops and starts one again by keys, and removes both', async () => {
    const { url, readers } = pages();
    const { page } = await openPage(readers.Engineer.context, `${url}/settings/notifications`);
    await page.getByLabel('Comes', { exact: true }).selectOption('month');
    await page.getByRole('button', { name: 'Make the digest' }).click();
    const digest = 'Overview, each month on day 1 at 08:00';
    await page.getByRole('button', { name: `Stop: ${digest}` }).waitFor();
    await page.getByLabel('Tell me when').selectOption('source_behind');
    await page.getByRole('button', { name: 'Make the alert' }).click();
    const alert = 'A source isn’t read for 6 hours';
    await page.getByRole('button', { name: `Stop: ${alert}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Start again: ${alert}` }).waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Start again');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Stop: ${alert}` }).waitFor();
    await page.getByRole('button', { name: `Send a test: ${alert}` }).click();
    await page.getByText('A test is on its way to 1 receiver.').waitFor();
    for (const about of [digest, alert]) {
      await page.getByRole('button', { name: `Remove: ${about}` }).click();
      await page.getByRole('button', { name: 'Remove it' }).locator('visible=true').click();
      await page.getByRole('button', { name: `Stop: ${about}` }).waitFor({ state: 'detached' });
    }
    await leave(page);
  });

  test('The search of people takes no more than the server does', async () => {
    const { url, readers } = pages();
    const { page } = await openPage(readers.Owner.context, `${url}/people`);
    await page.getByLabel('Search people').fill('ä'.repeat(maxSearchLength));
    await page.keyboard.type('more');
    expect(await page.getByLabel('Search people').inputValue()).toBe('ä'.repeat(maxSearchLength));
    await leave(page);
  });
}

/** Runs in the browser, as text: what can be pasted. */
const copiedTypes = `navigator.clipboard.read().then((items) => items.flatMap(({ types }) => types))`;

/** Whether the focus is on something, by what it is and what it says. */
const focused = (page: Page, selector: string, words = ''): Promise<boolean> =>
  page.evaluate(
    `document.activeElement.matches(${JSON.stringify(selector)}) && document.activeElement.textContent.includes(${JSON.stringify(words)})`,
  ) as Promise<boolean>;

/** Presses Tab until the focus is there. A reader would not press it two hundred times. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab');
    if (await isThere()) return;
  }
  throw new Error('The focus never gets there.');
}
