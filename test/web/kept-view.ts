import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A range and a comparison that no page has by itself. */
export const view = '?r=30d&c=none';

/** Links of a page that was opened with that view and do not lead on with it. */
export async function forgetfulLinks(page: Page): Promise<string[]> {
  const links = (await page.evaluate(
    `[...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href'))`,
  )) as string[];
  expect(links.length).toBeGreaterThan(5);
  return links.filter((link) => !/^\/docs(?:\/|$)/.test(link) && !/[?&]r=30d&c=none/.test(link));
}
