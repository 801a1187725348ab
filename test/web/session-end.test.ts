import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import { type Service, startService } from '../setup/running-app.ts';
import { signInWithLink, signInWithPassword } from './sign-in-form.ts';

const [hour, day] = [3_600_000, 86_400_000];
const email = 'ada@example.com';
const password = 'correct horse battery';

/** A session ends while its page is open: the page says so, loses nothing by itself, and goes on after signing in again. */
describeWithChromium('a session that ends under an open page', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** How far the clock of the server is ahead. */
  let ahead = 0;
  beforeAll(async () => {
    service = await startService({
      now: () => new Date(Date.now() + ahead),
      // Looks at sessions often enough for a test.
      parts: () => ({ livePace: { commentMs: 200 } }),
    });
    browser = await launchChromium();
    context = await browser.newContext();
    // One window: a new one is a new process.
    page = await context.newPage();
  });
  beforeEach(async () => {
    await context.clearCookies();
    await signInWithLink(context, `${service.url}${await service.signInLink(email)}`, password);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const ended = () => page.getByRole('alert').filter({ hasText: 'Your session has ended' });
  const open = async (path: string, heading: string) => {
    await page.goto(`${service.url}${path}`);
    await page.locator('h1', { hasText: heading }).waitFor();
  };

  test('After 12 hours without use: the page says so by itself, and signing in leads back to where it was', async () => {
    await open('/people?r=30d&c=none&part=groups', 'People');
    await page.getByText('Payments').first().waitFor();
    ahead += 12 * hour + 1_000;
    await ended().waitFor();
    // What was shown stays, and so does the address.
    expect(await page.locator('main').innerText()).toContain('Payments');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await signInWithPassword(page, email, password);
    expect(page.url()).toBe(`${service.url}/people?r=30d&c=none&part=groups`);
    await page.getByText('Payments').first().waitFor();
    expect(await ended().count()).toBe(0);
  });

  test('After 30 days of use: what is entered stays, and is sent after signing in in another window', async () => {
    await open('/settings/keys', 'API keys');
    await page.getByLabel('Name').fill('Nightly report');
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (let used = 0; used < 30 * day; used += 11 * hour) {
      expect((await service.request('GET', '/app/session', { headers: { cookie } })).status).toBe(200);
      ahead += 11 * hour;
    }
    await ended().waitFor();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.locator('.outcome-refused').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Nightly report');

    const [other] = await Promise.all([
      context.waitForEvent('page'),
      ended().getByRole('link', { name: 'Sign in in another window' }).click(),
    ]);
    await signInWithPassword(other, email, password);
    await other.close();
    await page.bringToFront();
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await ended().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Nightly report');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('Copy it now').first().waitFor();
  });
});
