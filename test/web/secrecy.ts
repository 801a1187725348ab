import { expect, test } from 'vitest';
import { isLong } from '../setup/how-long.ts';
import { leave, openPage } from './opened-page.ts';
import { pathFor } from './page-list.ts';
import { password, type Reader, type ServedPages } from './served-pages.ts';
import { signInWithPassword } from './sign-in-form.ts';

/** What a browser may keep, and what an address may reach. */
export function secrecy(pages: () => ServedPages): void {
  test('A new key is shown once, and nothing of it stays: in the page, storage, addresses, caches or the console', async () => {
    const { url, browser, readers } = pages();
    const context = await browser.newContext();
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${url}/settings/keys`);
    await signInWithPassword(page, readers.Engineer.email, password);

    // By keys alone.
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('My "laptop" & <b>more</b>');
    await page.keyboard.press('Enter');
    const key = (await page.getByRole('figure', { name: 'The key', exact: true }).locator('pre').innerText()).trim();
    expect(key.length).toBeGreaterThan(20);
    const asked = await fetch(`${url}/teams`, { headers: { authorization: key } });
    expect(asked.status).toBe(200);
    expect(await page.locator('main').innerText()).toContain('My "laptop" & <b>more</b>');

    const secret = key.slice(-20, -4);
    const traces = async () => ({
      page: (await page.content()).includes(secret),
      storage: (await page.evaluate(everythingStored)) as string,
      address: page.url().includes(secret),
      console: said.join('\n').includes(secret),
    });
    const none = { page: false, storage: expect.not.stringContaining(secret), address: false, console: false };
    expect(await traces()).toMatchObject({ ...none, page: true });

    // To another page and back, which a browser may show from its memory.
    await page.locator('.navigation a', { hasText: 'Settings' }).first().click();
    await page.locator('h1', { hasText: /^Settings/ }).waitFor();
    expect(await traces()).toMatchObject(none);
    await page.goBack();
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    expect(await traces()).toMatchObject(none);
    await page.goto(`${url}/docs`);
    await page.goBack();
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    expect(await traces()).toMatchObject(none);
    await page.reload();
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    await page.getByText('My "laptop"').first().waitFor();
    expect(await traces()).toMatchObject(none);
    await context.close();
  });

  test('Whoever leaves the page with a new key on it finds no key there when coming back from another site', async () => {
    const { url, readers } = pages();
    const { page } = await openPage(readers.Engineer.context, `${url}/settings/keys`);
    await page.getByLabel('Name', { exact: true }).fill('left behind');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = (await page.getByRole('figure', { name: 'The key', exact: true }).locator('pre').innerText()).trim();
    await page.goto(`${url}/docs`);
    await page.goBack();
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await leave(page);
  });

  test.each(['/settings/connections?add=github', '/welcome?add=github'])(
    'The secret of a webhook, shown once on %s, leaves with the page',
    async (path) => {
      const { url, readers } = pages();
      const { page } = await openPage(readers.Owner.context, `${url}${path}`);
      const secret = 'shown-this-once-and-never-again';
      const made = {
        id: 's',
        name: 'Code',
        webhook_url: `${url}/webhooks/github/s`,
        webhook_secret: secret,
        check: { ok: true, account: null, sees: [], missing: [], error: null, to_do: null },
      };
      await page.route('**/app/sources/check', (route) =>
        route.fulfill({ json: { ...made.check, reads: [], clock_difference_seconds: null, choices: null } }),
      );
      await page.route('**/app/sources', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 201, json: made }) : route.continue(),
      );
      await page.getByLabel(/^Token/).fill('token');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByRole('button', { name: 'Start reading', exact: true }).click();
      await page.getByRole('figure', { name: 'Secret of the webhook' }).waitFor();
      // What a browser tells a page that it may keep to show it again.
      await page.evaluate(`window.dispatchEvent(new Event('pagehide'))`);
      expect(await page.content()).not.toContain(secret);
      await leave(page);
    },
  );

  test('The address of a record of another organisation, or of others, gives none of it', async () => {
    const { url, readers, stranger } = pages();
    const { page, show } = await openPage(readers.Owner.context, `${url}/settings`);
    for (const path of ['/pull-requests/:id', '/deployments/:id', '/ai-sessions/:id', '/people/:id']) {
      const theirs = await pathFor(url, { path }, stranger);
      expect(theirs, path).not.toMatch(/none$/);
      await show(`${url}${theirs}`, { width: 1280, theme: 'light' }, isLong ? 'loaded' : 'walked');
      expect(await page.locator('main').innerText(), path).toMatch(/no such|don’t have access|not found/i);
      expect(await page.locator('main [data-value]:not([data-value=""])').count(), path).toBe(0);
    }
    await leave(page);
  });

  test('An Engineer who asks by address for the work of others sees only their own', async () => {
    const { url, readers } = pages();
    const { Engineer, Owner } = readers;
    const other = await somebodyElse(url, Owner, Engineer);
    const figures = async ({ context }: Reader): Promise<(string | null)[]> => {
      const { page } = await openPage(context, `${url}/cycle-time?r=90d&person=${other}`);
      const values = page.locator('.tile [data-value]');
      const shown = await values.evaluateAll((all) => all.map((one) => one.getAttribute('data-value')));
      await leave(page);
      return shown.filter((value) => value !== '' && value !== '0');
    };
    expect((await figures(Owner)).length).toBeGreaterThan(0);
    expect(await figures(Engineer)).toEqual([]);
    for (const path of ['/app/audit', '/app/sources', '/app/backup']) {
      expect((await Engineer.context.request.get(`${url}${path}`)).status(), path).toBe(403);
    }
  });

  test('Signing out ends it: in this window, in others, and for a cookie that was kept', async () => {
    const { url, browser, readers } = pages();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/people?r=30d`);
    await signInWithPassword(page, readers['Squad Lead'].email, password);
    expect(page.url()).toBe(`${url}/people?r=30d`);
    await page.locator('h1', { hasText: 'People' }).waitFor();
    const kept = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await fetch(`${url}/app/session`, { headers: { cookie: kept } })).status).toBe(200);

    await page.getByRole('button', { name: /^You:/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${url}/sign-in`);
    expect((await fetch(`${url}/app/session`, { headers: { cookie: kept } })).status).toBe(401);
    await page.goBack();
    await page.waitForURL((address) => address.pathname === '/sign-in');
    await context.close();
  });
}

/** Who merged something lately, other than the reader. */
async function somebodyElse(url: string, { key }: Reader, { personId }: Reader): Promise<string> {
  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const filters = { start_date: day(80), end_date: day(5) };
  const response = await fetch(`${url}/metrics/cycle-time`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ filters, aggregation: 'MEDIAN', group_by: ['merged_user_id'] }),
  });
  const rows = (await response.json()) as { merged_user_id: string | null }[];
  const ids = rows.flatMap(({ merged_user_id: id }) => (id === null || id === personId ? [] : id));
  expect(ids.length).toBeGreaterThan(0);
  return ids[0] ?? '';
}

/** Runs in the browser, as text. */
const everythingStored = `(async () => {
  const caches_ = await caches.keys();
  const databases = await indexedDB.databases();
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie, caches_, databases, location.href, window.name]);
})()`;
