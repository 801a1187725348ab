import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import { type RunningProvider, startOpenidProvider } from '../setup/openid-provider.ts';
import { organisationName, type Service, startService } from '../setup/running-app.ts';

describeWithChromium('the sign-in pages', () => {
  let provider: RunningProvider;
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    provider = await startOpenidProvider();
    const { issuer, clientId, clientSecret } = provider;
    const organisations = [organisationName];
    service = await startService({ openid: { issuer, clientId, clientSecret, organisations, name: 'Acme login' } });
    provider.allow(`${service.url}/sign-in/openid/callback`);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await provider?.close();
  });

  test('Someone with a link chooses a password, signs out and signs in again, and nothing leaves the origin', async () => {
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
    // The typeface of the application, which the policy of the page lets in.
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate(`document.fonts.check('14px "Inter Variable"')`)).toBe(true);
    expect(asked.filter((address) => address.endsWith('.woff2'))).toHaveLength(1);
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.waitForURL(`${service.url}/`);
    await page.goto(`${service.url}/docs`);
    expect(await signedIn()).toBe(200);

    await page.goto(`${service.url}/sign-out`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
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

  test('Someone goes to the OpenID provider and comes back signed in, where they wanted to go', async () => {
    provider.accounts.set('grace', { email: 'grace@example.com', email_verified: true });
    const page = await browser.newPage();
    await page.goto(`${service.url}/settings/keys`);
    await page.getByRole('link', { name: 'Sign in with Acme login' }).click();
    await page.locator('input[name=login]').fill('grace');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/settings/keys`);
    expect(await page.locator('h1').innerText()).toBe('API keys');

    // A session that ends meanwhile: the page says so, and leads to signing in and back to the same place.
    const headers = { origin: service.url };
    const ended = await page.context().request.post(`${service.url}/app/sign-out`, { headers, data: {} });
    expect(ended.ok(), await ended.text()).toBe(true);
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.waitForURL(`${service.url}/settings`);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForURL(`${service.url}/sign-in?next=%2Fsettings`);
    await page.close();
  });
});
