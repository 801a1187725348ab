import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import { type Service, startService } from '../setup/running-app.ts';

describeWithChromium('the pages for readers', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens a page and keeps what it asked for and complained about. */
  const open = async (path: string): Promise<{ page: Page; asked: string[]; complaints: string[] }> => {
    const page = await browser.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' });
    return { page, asked, complaints };
  };

  const expectOwnOrigin = (asked: readonly string[]) => {
    expect(asked.length).toBeGreaterThan(0);
    const foreign = asked.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith('data:'));
    expect(foreign).toEqual([]);
  };

  test('the reference shows every operation, lets one try them, asks nobody else for anything, and complains about nothing', async () => {
    const { page, asked, complaints } = await open('/docs');
    await page.waitForSelector('.opblock');
    const operations = await page.locator('.opblock-summary-path').allInnerTexts();
    const shown = operations.map((text) => text.replaceAll('\u200b', ''));
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const declared = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map(() => path));
    expect(declared).toContain('/teams');
    expect(shown.sort()).toEqual(declared.sort());
    await page.locator('#operations-Teams-listTeams .opblock-summary-control').click();
    await page.waitForSelector('#operations-Teams-listTeams .responses-table');

    // And one can be tried with a key, right there.
    await page.locator('.auth-wrapper .authorize').first().click();
    await page.locator('.modal-ux input').fill(service.keys.engineer);
    await page.locator('.modal-ux .authorize').click();
    await page.locator('.modal-ux .btn-done').click();
    await page.locator('#operations-Teams-listTeams .execute').click();
    const live = page.locator('#operations-Teams-listTeams .live-responses-table');
    await live.waitFor();
    expect(await live.innerText()).toContain('Payments');
    expectOwnOrigin(asked);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
