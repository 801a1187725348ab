import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import type { Service } from '../setup/running-app.ts';
import { unchangedService } from '../setup/unchanged-service.ts';
import { type OpenedPage, openPage, type PageLook } from './opened-page.ts';
import { faultsOf } from './page-checks.ts';

describeWithChromium('the reference', () => {
  const unchanged = unchangedService();
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let shared: Promise<OpenedPage> | undefined;
  /** One window for all tests. It can be opened within one only. */
  const reference = (): Promise<OpenedPage> => {
    shared ??= openPage(context, `${service.url}/docs`);
    return shared;
  };
  beforeAll(async () => {
    service = unchanged();
    browser = await launchChromium();
    context = await browser.newContext();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const light = { width: 1280, theme: 'light' } as const;
  const narrow = { width: 390, theme: 'dark' } as const;
  const looks: readonly Required<PageLook>[] = [light, narrow];
  const crossed: readonly Required<PageLook>[] = [
    { ...light, theme: 'dark' },
    { ...narrow, theme: 'light' },
  ];

  test.each([
    '/docs',
    '/docs/metrics/cycle-time',
    '/docs/operations/askMetric',
    '/docs/guides/asking',
    '/docs/guides/sources/github',
    '/no-such-page',
  ])('%s is readable at any width, in both themes, and asks nobody else for anything', async (path) => {
    const opened = await reference();
    await opened.show(`${service.url}${path}`, light, 'loaded');
    for (const look of path === '/docs/metrics/cycle-time' ? [...looks, ...crossed] : looks) {
      await opened.turn(look);
      const faults = await faultsOf(opened, look === light ? 'everything' : 'contrast', true);
      // Chromium complains of every 404 by itself.
      const own = faults.filter((fault) => path !== '/no-such-page' || !/status of 404/.test(fault));
      expect([look, own]).toEqual([look, []]);
    }
  });

  test('A metric is found by a word of its name, its meaning or another tool, and shows what it is', async () => {
    const opened = await reference();
    const { page } = opened;
    await opened.show(`${service.url}/docs`, light, 'loaded');
    const names = () => page.locator('.domain li:visible > code').allInnerTexts();
    const all = await names();
    expect(all).toEqual(expect.arrayContaining(['cycle-time', 'salary', 'date-details']));
    await page.locator('#search').fill('dora');
    expect((await names()).sort()).toEqual([
      'change-failure-rate',
      'deployment-frequency',
      'deployment-rework-rate',
      'lead-time-for-changes',
      'time-to-restore',
    ]);
    await page.locator('#search').fill('median seconds merge production');
    expect(await names()).toEqual(['merge-to-deploy-p50']);
    await page.locator('.domain li:visible > a').click();
    await opened.settled();
    const text = await page.locator('main').innerText();
    for (const part of ['merge_to_deploy_p50', 'seconds', 'pr_merged_at', 'repositories', 'team_name']) {
      expect(text).toContain(part);
    }
  });

  test('An example can be sent with a key, right there, and only to this server', async () => {
    const opened = await reference();
    const { page, asked } = opened;
    await opened.show(`${service.url}/docs/metrics/users-count`, light, 'loaded');
    await page.locator('input[name=key]').fill(service.keys.owner);
    await page.locator('form.try button').click();
    await page.locator('.answer:visible').waitFor();
    expect(JSON.parse(await page.locator('.answer').innerText())).toEqual([
      { date_level_not_set: true, number_of_users: 3 },
    ]);
    // The next page has the key already.
    await opened.show(`${service.url}/docs/operations/listTeams`, light, 'loaded');
    await page.locator('form.try button').click();
    await page.locator('.answer:visible').waitFor();
    expect(await page.locator('.answer').innerText()).toContain('Payments');
    await page.locator('input[name=path]').fill('//elsewhere.example/teams');
    await page.locator('form.try button').click();
    await expect.poll(() => page.locator('form.try [role=status]').innerText()).toBe('Not sent');
    expect(asked.filter((url) => !url.startsWith(service.url))).toEqual([]);
  });

  test('Every link of the reference leads somewhere', async () => {
    const seen = new Set(['/docs']);
    const broken: string[] = [];
    for (const path of seen) {
      const { status, text } = await service.request('GET', path, { headers: { accept: 'text/html' } });
      if (status !== 200 && status !== 303) broken.push(`${path}: ${status}`);
      for (const [, target = ''] of text.matchAll(/href="(\/[^"#]*)/g)) seen.add(target);
      const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, anchor = '']) => anchor);
      broken.push(...anchors.filter((anchor) => !text.includes(`id="${anchor}"`)).map((anchor) => `${path}#${anchor}`));
    }
    expect(seen.size).toBeGreaterThan(120);
    expect(broken).toEqual([]);
  });
});
