import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import { type Service, startService } from '../setup/running-app.ts';

describeWithChromium('the sign-in pages', () => {
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

  test('someone with a link chooses a password, signs out and signs in again, and nothing leaves the origin', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const link = `${service.url}${await service.signInLink('edsger@example.com')}`;
    // Nothing is wider than a telephone.
    const expectFits = async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const signedIn = () => page.evaluate(`fetch('/app/session').then((answer) => answer.status)`);

    await page.goto(link);
    expect(await page.getByRole('heading').first().innerText()).toBe('Welcome to Analytical Engines');
    await expectFits();
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await page.waitForURL(`${service.url}/`);
    await page.goto(`${service.url}/docs`);
    expect(await signedIn()).toBe(200);

    await page.goto(`${service.url}/sign-out`);
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.waitForURL(`${service.url}/sign-in`);
    await expectFits();

    await page.getByLabel('Email address').fill('edsger@example.com');
    await page.getByLabel('Password').fill('not the right one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('do not belong together');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/`);

    const again = await page.goto(link);
    expect(again?.status()).toBe(404);
    expect(await page.locator('main').innerText()).toContain('was used already');
    expect(asked.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith('data:'))).toEqual([]);
    // Refusals are what the test has asked for.
    expect(complaints.filter((text) => !/status of (401|404)/.test(text))).toEqual([]);
    await page.close();
  });
});
