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

  test('Names of lines stand beside their ends, each line at its own height', async () => {
    const { url, readers } = pages();
    const { context } = readers.Owner;
    const { page } = await openPage(context, `${url}/reviews?c=weekday`);
    const card = page.locator('section.card', { hasText: 'Wait for the first review' });
    const names = card.locator('.chart-labels li');
    const topOf = async (name: string) =>
      (await names.filter({ hasText: new RegExp(`^${name}$`) }).boundingBox())?.y ?? Number.NaN;
    await awaitUntil(async () =>
      expect(await names.allInnerTexts()).toEqual(['median', 'median before', 'slowest tenth']),
    );
    // Names that found no place would stand one below the other at the top of the chart, whose height is that of the slowest tenth.
    const top = (await card.locator('.chart-canvas').boundingBox())?.y ?? Number.NaN;
    expect((await topOf('median')) - top).toBeGreaterThan(80);
    expect(await topOf('median')).toBeGreaterThan(await topOf('slowest tenth'));

    // Taken elsewhere it says itself what it shows: above the chart stand a title, whose it is, and the names.
    const pick = async (item: string) => {
      await card.getByRole('button', { name: /^More/ }).click();
      await page.locator('.menu').getByRole('button', { name: item, exact: true }).click();
    };
    const [saved] = await Promise.all([page.waitForEvent('download'), pick('PNG')]);
    expect(saved.suggestedFilename()).toBe('wait-for-the-first-review.png');
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
    expect(link).toBe(`${url}/reviews?c=weekday#wait-for-the-first-review`);
    await page.goto(`${url}/`);
    await page.goto(String(link).replace('wait-for-the-first-review', 'who-reviews-where'));
    await awaitUntil(async () => expect(await page.evaluate('scrollY')).toBeGreaterThan(200));
    await leave(page);
  });

  test('The chart of Explore stays drawn when more is shown below it', async () => {
    const { url, readers } = pages();
    const { page, settled } = await openPage(readers.Owner.context, `${url}/explore`);
    await page.getByRole('button', { name: 'How it’s calculated' }).click();
    await page.locator('.chart-card .how').waitFor();
    await settled();
    expect(await page.locator('.chart-canvas canvas').count()).toBe(1);
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
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await focused(page, '.chart-canvas')).toBe(true);

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

  test('Keys alone: the palette leads to a page, to one of the settings, and to a metric', async () => {
    const { url, readers } = pages();
    const { page, complaints } = await openPage(readers.Engineer.context, `${url}/`);
    // Opened a second time it is typed into as the first time.
    await page.keyboard.press('Control+k');
    await page.locator('.palette input').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.palette input').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page/).waitFor();
    await page.keyboard.type('reviews');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Reviews' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page/).waitFor();
    await page.keyboard.type('api keys');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page/).waitFor();
    await page.keyboard.type('metric pickup-time');
    await page.locator('[cmdk-item][aria-selected="true"]', { hasText: 'pickup-time' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('h1', { hasText: 'Explore' }).waitFor();
    expect(new URL(page.url()).searchParams.get('metric')).toBe('pickup-time');
    expect(complaints).toEqual([]);
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
