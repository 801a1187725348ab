import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { servePlumb } from '../setup/plumb-process.ts';
import { type ReplayServer, startReplay } from '../sources/github/replay/server.ts';
import { someRepository, someWorld } from '../sources/github/replay/some-world.ts';
import { emptyRepository } from '../sources/github/replay/world.ts';
import { awaitUntil } from './await-until.ts';
import { type OpenedPage, openPage } from './opened-page.ts';
import { faultsOf } from './page-checks.ts';
import { signInWithLink } from './sign-in-form.ts';

const token = 'replay-token';

/** GitHub with a repository that has pull requests, some that are empty, a fork and an archived one. */
function world() {
  const whole = someWorld();
  const empty = [...Array(14).keys()].map((at) => emptyRepository(someRepository(`acme/service-${at}`, 300 + at)));
  const archived = emptyRepository(
    someRepository('acme/old', 103, { archived: true, pushed_at: '2023-03-01T10:00:00Z' }),
  );
  return { ...whole, repositories: [...whole.repositories, ...empty, archived] };
}

describeWithChromium('an organisation in which nothing is there yet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-connect-'));
  let server: Awaited<ReturnType<typeof servePlumb>>;
  let browser: Browser;
  let context: BrowserContext;
  let github: ReplayServer;
  let opened: OpenedPage;
  beforeAll(async () => {
    github = await startReplay(world());
    server = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0', PLUMB_SOURCE_HOSTS: '127.0.0.1' });
    const words = ['org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example', '--json'];
    const { id } = (await callPlumb(folder, words)).json<{ id: string }>();
    const link = await callPlumb(folder, ['person', 'sign-in', '--org', id, 'ada@acme.example', '--json']);
    browser = await launchChromium();
    context = await browser.newContext();
    await signInWithLink(context, link.json<{ sign_in_url: string }>().sign_in_url, 'correct horse battery staple');
    opened = await openPage(context, `${server.url}/settings`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await github?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const looks = [
    { width: 1440, theme: 'light' },
    { width: 390, theme: 'dark' },
  ] as const;
  /** What is wrong with what stands there, in a wide light window and in a narrow dark one. */
  const examine = async (name: string) => {
    for (const look of looks) {
      await opened.turn(look);
      if (process.env.PLUMB_TEST_PICTURES) {
        const path = join(process.env.PLUMB_TEST_PICTURES, `${name}-${look.width}-${look.theme}.png`);
        await opened.page.screenshot({ path, fullPage: true });
      }
      expect(await faultsOf(opened), `${name} ${look.width}`).toEqual([]);
    }
    await opened.turn(looks[0]);
  };
  const sources = async () =>
    (await (await context.request.get(`${server.url}/app/sources`)).json()) as { sources: { settings: object }[] };

  test('An Owner of an empty organisation lands on the first steps, and imports a file there', async () => {
    const { page, show, settled } = opened;
    await show(`${server.url}/`, looks[0], 'loaded');
    await page.locator('h1', { hasText: 'Welcome to Plumb' }).waitFor();
    await settled();
    const steps = page.locator('.welcome-steps > li');
    expect(await steps.locator('button[aria-expanded]').count()).toBe(5);
    expect(await page.locator('[aria-current="step"]').innerText()).toContain('Bring in data');
    // Only where the server has the demo.
    expect(await page.getByText('Look around first').count()).toBe(0);
    await examine('welcome');

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const rows = ['1,open,2026-10-05T10:00:00Z', '2,done,2026-10-06T10:00:00Z', '3,open,2026-10-07T10:00:00Z'];
    const csv = `Number,State,Created At,Author Login,Repository,Mood\n${rows.map((row) => `${row},ada,acme/web,good`).join('\n')}\n`;
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText('can’t be read').first().waitFor();
    await input.setInputFiles({ name: 'pulls.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('1 column isn’t recognised').waitFor();
    expect(await page.getByLabel('What is in this file?').inputValue()).toBe('pull_requests');
    await page.getByLabel('Field of Mood').selectOption('pr_title');
    await page.getByText('1 column isn’t recognised').waitFor({ state: 'detached' });
    await examine('import-preview');
    await page.getByRole('button', { name: 'Import pull requests' }).click();
    await page.getByText('2 of 3 records imported').waitFor();
    const link = page.getByRole('link', { name: 'Download what wasn’t kept' });
    const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(saved.suggestedFilename()).toBe('pulls.csv.rejects.ndjson');
    expect(JSON.parse(readFileSync(await saved.path(), 'utf8'))).toMatchObject({ line: 3 });
    await examine('import-done');
  });

  test('Setup goes on where it was left: people are invited, a step is skipped, and setup is restarted', async () => {
    const { page, show, settled } = opened;
    await show(`${server.url}/welcome`, looks[0], 'loaded');
    expect(await page.locator('[aria-current="step"]').innerText()).toContain('Check people and teams');
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByLabel(/^Email address/).fill('grace@acme.example');
    await page.getByRole('button', { name: 'Send an invite' }).click();
    const invitation = page.getByRole('figure', { name: /^Sign-in link of/ });
    await invitation.waitFor();
    const url = (await invitation.locator('pre').innerText()).trim();
    await examine('welcome-invite');
    await show(`${server.url}/welcome`, looks[0], 'loaded');
    expect(await page.content()).not.toContain(url);
    expect(await page.locator('main').innerText()).toContain('1 invited');
    await page.getByRole('button', { name: 'Finish setup' }).click();
    await page.getByRole('button', { name: 'Restart setup' }).waitFor();
    await show(`${server.url}/settings`, looks[0], 'loaded');
    await page.getByRole('button', { name: 'Restart setup' }).click();
    await page.getByRole('button', { name: 'Finish setup' }).waitFor();
    await settled();
    expect(await page.locator('[aria-current="step"]').innerText()).toContain('Check people and teams');
  });

  test('A connection is checked right by right, and saved only once its repositories are chosen', async () => {
    const { page, show, settled } = opened;
    await show(`${server.url}/settings/connections`, looks[0], 'loaded');
    await page.getByRole('button', { name: 'Connect GitHub', exact: true }).click();
    await page.locator('h1', { hasText: 'Connect GitHub' }).waitFor();
    await page.getByLabel('Address').waitFor();
    const fields = await page.locator('.connect form').first().locator('.form-field:visible label').allInnerTexts();
    expect(fields.map((label) => label.replace(/ \(needed\)/, ''))).toEqual(['Address', 'Organisation', 'Token']);
    await page.getByRole('button', { name: 'App ID, Installation ID, Private key' }).click();
    expect(await page.getByLabel('Private key').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Token', exact: true }).click();
    await page.getByLabel('Address').fill(github.url);
    await page.getByLabel(/^Token/).fill(token);
    await examine('connect');
    // By keys alone: Enter in a field checks.
    await page.getByLabel(/^Token/).press('Enter');
    await page.getByText('Can read pull requests').waitFor();
    await settled();
    const words = await page.locator('main').innerText();
    for (const said of ['Ready', 'Signed in as plumb-reader', 'Can read issues', '15 of 16 chosen']) {
      expect(words).toContain(said);
    }
    for (const name of ['base_url', 'insteadOf', 'app_id', 'keep_free', '--set']) expect(words).not.toContain(name);
    expect((await sources()).sources).toEqual([]);
    await examine('connect-checked');

    await page.getByLabel('Find repositories').fill('old');
    await page.getByText('Archived', { exact: true }).waitFor();
    await page.getByLabel('Find repositories').fill('service');
    await page.getByRole('checkbox', { name: 'acme/service-3', exact: true }).uncheck();
    await page.getByText('New ones aren’t added.', { exact: false }).waitFor();
    // Another token has to be checked again.
    await page.getByLabel(/^Token/).fill('another');
    expect(await page.getByRole('button', { name: /^Start reading/ }).count()).toBe(0);
    await page.getByLabel(/^Token/).fill(token);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Start reading 15 repositories' }).waitFor();
    await page.getByLabel('Find repositories').fill('acme/web');
    await page.getByRole('checkbox', { name: /^All active/ }).uncheck();
    await page.getByRole('checkbox', { name: 'acme/web', exact: true }).check();
    await page.getByRole('button', { name: 'Start reading 1 repository' }).click();
    await page.getByRole('figure', { name: 'Secret of the webhook' }).waitFor();
    const [made] = (await sources()).sources;
    expect(made?.settings).toMatchObject({
      repositories: 'acme/web',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Done' }).click();
    await awaitUntil(async () => expect(await page.locator('[data-connection]').innerText()).toContain('last success'));
    await examine('connections');

    // What it reads is picked from the same list again, and by no name that is typed.
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByText('acme/web. New ones aren’t added.').waitFor();
    await page.getByRole('button', { name: 'Choose repositories' }).click();
    await page.getByText('1 of 16 chosen').waitFor();
    await page.getByLabel('Find repositories').fill('acme/web');
    await page.getByRole('checkbox', { name: 'acme/web', exact: true }).uncheck();
    await page.getByText('Choose at least one.').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Find repositories').fill('service-1');
    await page.getByRole('checkbox', { name: 'acme/service-1', exact: true }).check();
    await examine('connection-choice');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved: Repositories.').waitFor();
    expect((await sources()).sources[0]?.settings).toMatchObject({ repositories: 'acme/service-1' });
  });

  test('A check that fails says what to do, and offers nothing to start', async () => {
    const { page, show } = opened;
    await show(`${server.url}/settings/connections?add=github`, looks[0], 'loaded');
    await page.getByLabel('Address').fill('http://127.0.0.1:9');
    await page.getByLabel(/^Token/).fill(token);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Can’t be read').waitFor();
    expect(await page.getByRole('button', { name: /^Start reading/ }).count()).toBe(0);
    await examine('connect-failed');
  });
});
