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

  test('someone with a link makes a key that works, once, and nothing leaves the origin', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const link = `${service.url}${await service.signInLink('edsger@example.com')}`;

    await page.goto(link);
    expect(await page.getByRole('heading').first().innerText()).toBe('Welcome to Analytical Engines');
    await page.getByLabel('Name of the key').fill('My "phone" & <tablet>');
    await page.getByRole('button', { name: 'Make the key' }).click();

    const key = await page.locator('#key').innerText();
    expect(await page.locator('main').innerText()).toContain('My "phone" & <tablet>');
    const { status } = await service.request('GET', '/teams', { key });
    expect(status).toBe(200);
    const command = await page.locator('pre').innerText();
    expect(command).toBe(`curl -H 'Authorization: ${key}' ${service.url}/teams`);
    // Nothing is wider than a telephone.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

    expect(asked.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);

    const again = await page.goto(link);
    expect(again?.status()).toBe(404);
    expect(await page.getByRole('heading').first().innerText()).toBe('This link does not work');
    await page.close();
  });
});
