import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { leave, openPage } from './opened-page.ts';
import type { ServedPages } from './served-pages.ts';

/** Back, reload and a pasted link give the same view. */
export function addresses(pages: () => ServedPages): void {
  test('What is chosen stands in the address, which brings it back: reloaded, gone back to, and pasted', async () => {
    const { url, readers } = pages();
    const { page, settled, walkTo } = await openPage(readers.Owner.context, `${url}/cycle-time?r=7d&c=year`);
    const first = await viewOf(page);
    expect(first.figures.length).toBeGreaterThan(2);

    await page.locator('.tile[data-metric] button.tile-value').first().click();
    await page.locator('.panel [data-figure]').waitFor();
    await settled();
    const opened = await viewOf(page);
    expect(opened.address).not.toBe(first.address);

    await page.goBack();
    await page.locator('.panel').waitFor({ state: 'detached' });
    await settled();
    expect(await viewOf(page)).toEqual(first);
    await page.goForward();
    await page.locator('.panel [data-figure]').waitFor();
    await settled();
    expect(await viewOf(page)).toEqual(opened);
    await page.reload();
    await page.locator('.panel [data-figure]').waitFor();
    await settled();
    expect(await viewOf(page)).toEqual(opened);

    const pasted = await openPage(readers.Owner.context, `${url}${opened.address}`);
    await pasted.page.locator('.panel [data-figure]').waitFor();
    await pasted.settled();
    expect(await viewOf(pasted.page)).toEqual(opened);
    await leave(pasted.page);

    // Range, comparison and filters go along from page to page; what was open does not.
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await walkTo('/people');
    const { searchParams } = new URL(page.url());
    expect([...searchParams]).toEqual([
      ['r', '7d'],
      ['c', 'year'],
    ]);
    await leave(page);
  });

  test.each(['r=bogus&c=%00&team=nobody&repo=none&panel=toString', `panel=%7Bbroken&own=${'x'.repeat(3_000)}`])(
    'An address that means nothing still gives a page: %s',
    async (search) => {
      const { url, readers } = pages();
      const { page, complaints } = await openPage(readers.Owner.context, `${url}/?${search}`);
      expect(await page.locator('h1').innerText()).toBe('Overview');
      expect(complaints).toEqual([]);
      await leave(page);
    },
  );

  test('What a page does not understand in its address is named, and taken out with one click', async () => {
    const { url, readers } = pages();
    const { page, complaints, settled } = await openPage(
      readers.Owner.context,
      `${url}/surveys?r=bogus&utm_source=mail&team=nobody&survey=none&c=year`,
    );
    const notice = page.locator('.notice', { hasText: 'Part of this address' });
    expect(await notice.locator('code').allInnerTexts()).toEqual(['r', 'utm_source']);
    await notice.getByRole('button', { name: 'Remove them' }).click();
    await notice.waitFor({ state: 'detached' });
    await settled();
    expect(new URL(page.url()).search).toBe('?c=year&team=nobody&survey=none');
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('An address of nothing says so', async () => {
    const { url, readers } = pages();
    const { page } = await openPage(
      readers.Owner.context,
      `${url}/pull-requests/${encodeURIComponent('no "such" <b>')}`,
    );
    expect(await page.locator('main').innerText()).toContain('No such pull request');
    await leave(page);
  });
}

/** What somebody sees: the address, every figure, and the words of the page. */
async function viewOf(page: Page): Promise<{ address: string; figures: string[]; words: string }> {
  const { pathname, search } = new URL(page.url());
  const figures = (await page.evaluate(
    `[...document.querySelectorAll('main [data-value], .panel [data-value]')].map((one) => one.dataset.value)`,
  )) as string[];
  return { address: `${pathname}${search}`, figures, words: await page.locator('.page-head').innerText() };
}
