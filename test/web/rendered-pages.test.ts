import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, firstState } from '../../web/src/ask/view-state.ts';
import { change, organise } from '../http/metrics/some-metrics.ts';
import { type Contents, type Service, startService } from '../setup/running-app.ts';
import { signIn } from '../setup/signed-in.ts';
import { loadPageRenderer, type RenderPage, readerOf, textOf } from './page-rendering.ts';

const now = new Date('2026-03-20T12:00:00Z');

/** Pull requests of Edsger's, merged on a day, each an hour longer after its beginning than the one before. */
const mergedOn = (day: string, count: number, firstHour: number) =>
  Array.from({ length: count }, (_, i) => ({
    pr_id: `github:acme/web#${day}/${i}`,
    source: 'github',
    repository: 'acme/web',
    person_email: 'edsger@example.com',
    pr_state: 'merged',
    first_commit_at: `${day}T00:00:00Z`,
    pr_created_at: `${day}T00:00:00Z`,
    pr_merged_at: `${day}T${String(firstHour + i).padStart(2, '0')}:00:00Z`,
  }));

/** In the last 90 whole days and in those before: as many in other times. The oldest says how far back the history goes. */
const merged = [...mergedOn('2026-03-19', 12, 1), ...mergedOn('2025-12-01', 12, 12), ...mergedOn('2025-09-01', 1, 1)];

/** Reports of the use of AI come two days later. */
const used = [
  ['edsger', '2026-03-17'],
  ['grace', '2026-03-11'],
  ['edsger', '2025-12-01'],
].map(([name, date]) => ({ source: 'github-copilot', person_email: `${name}@example.com`, date, is_active: true }));

const contents: Contents = {
  name: 'pull requests that became faster',
  async put(app, organisationId) {
    const outcomes = await app.ingest.put(organisationId, [
      { table: 'pull_requests', lines: merged.map((value, line) => ({ line, value })) },
      { table: 'ai_copilot', lines: used.map((value, line) => ({ line, value })) },
    ]);
    const rejected = outcomes.flatMap((outcome) => outcome.rejected);
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  },
};

let service: Service;
let renderPage: RenderPage;
beforeAll(async () => {
  [service, renderPage] = await Promise.all([startService({ now: () => now, contents }), loadPageRenderer()]);
});
afterAll(() => service.close());

/** What the API answers of the last 90 days beside those before. */
async function answered(metric: string, body: object) {
  const filters = { start_date: '2025-12-20', end_date: '2026-03-19' };
  const compared = {
    include_previous_period: true,
    previous_start_date: '2025-09-21',
    previous_end_date: '2025-12-19',
  };
  const asked = { key: service.keys.owner, body: { filters, ...compared, ...body } };
  const { json } = await service.request('POST', `/metrics/${metric}?verdict=true`, asked);
  return (json as { readonly results: readonly Record<string, unknown>[] }).results[0] ?? {};
}

/** The tile of a metric: its number, the verdict it prints, and its words. */
function tileOf(html: string, metric: string) {
  const tile = new RegExp(`<article[^>]*data-metric="${metric}".*?</article>`, 's').exec(html)?.[0] ?? '';
  return {
    value: Number(/data-value="([^"]*)"/.exec(tile)?.[1]),
    verdict: /data-verdict="([^"]*)"/.exec(tile)?.[1],
    tone: /<span class="small (good|bad|secondary)"[^>]*data-verdict/.exec(tile)?.[1],
    text: textOf(tile),
  };
}

test('A tile prints the number, the verdict and the side that the API answers', async () => {
  const ada = await signIn(service, 'ada@example.com');
  const html = await renderPage('/', readerOf(service, ada, now));
  const cycleTime = await answered('cycle-time', { aggregation: 'MEDIAN' });
  const reviewed = await answered('review-rate', {});
  expect(cycleTime).toMatchObject({ value: 6.5 * 3_600, verdict: 'down', is_better: true });
  expect(tileOf(html, 'cycle-time')).toMatchObject({
    value: cycleTime.value,
    verdict: cycleTime.verdict,
    tone: 'good',
  });
  expect(tileOf(html, 'cycle-time').text).toContain('−11h shorter');
  expect(reviewed).toMatchObject({ value: 0, verdict: 'about_the_same' });
  expect(tileOf(html, 'review-rate')).toMatchObject({ value: 0, verdict: 'about_the_same', tone: 'secondary' });
  expect(textOf(html)).toContain('Cycle time fell to 6h 30m');
});

test('A figure whose data are behind ends earlier than its page, and is asked so', async () => {
  const ada = await signIn(service, 'ada@example.com');
  const html = await renderPage('/?r=7d', readerOf(service, ada, now));
  expect(tileOf(html, 'cycle-time')).toMatchObject({ value: 6.5 * 3_600 });
  expect(tileOf(html, 'cycle-time').text).not.toContain('to 1');
  const filters = { start_date: '2026-03-11', end_date: '2026-03-17' };
  const asked = { key: service.keys.owner, body: { filters } };
  const { json } = await service.request('POST', '/metrics/adoption-rate', asked);
  expect(json).toMatchObject([{ adoption_rate: tileOf(html, 'adoption-rate').value }]);
  expect(tileOf(html, 'adoption-rate').text).toContain('to 17 Mar');
  const ofAssistants = textOf(await renderPage('/ai?r=7d', readerOf(service, ada, now)));
  expect(ofAssistants).toContain('Shown to 17 Mar');
  // The foot speaks of what the page is about.
  const footOf = (text: string) => /Data through (\d+ \w+)/.exec(text)?.[1];
  expect([footOf(textOf(html)), footOf(ofAssistants)]).toEqual(['20 Mar', '18 Mar']);
});

test('A printed page names the filters that narrow it', async () => {
  const reader = readerOf(service, await signIn(service, 'ada@example.com'), now);
  const headOf = async (address: string) =>
    textOf(/<p class="print-only print-head">.*?<\/p>/s.exec(await renderPage(address, reader))?.[0] ?? '');
  expect(await headOf('/')).not.toMatch(/Repositor|People|Person/);
  expect(await headOf('/?repo=acme/web')).toContain('· Repository: web ·');
  expect(await headOf('/reviews?repo=acme/web,acme/gone&person=nobody')).toContain(
    '· Repositories: web, acme/gone · Person: nobody ·',
  );
});

test('The tabs of a main chart are all there where figures could not be loaded', async () => {
  const reader = readerOf(service, await signIn(service, 'ada@example.com'), now);
  const ask = fetch;
  const refuse = async (url: URL, init: RequestInit) =>
    /\/metrics\b/.test(url.pathname)
      ? Response.json({ error: { message: 'Not now' } }, { status: 400 })
      : ask(url, init);
  for (const address of ['/', '/delivery']) {
    const html = await renderPage(address, { ...reader, fetch: refuse });
    const owned = /aria-owns="([^"]*)"/.exec(html)?.[1]?.split(' ') ?? [];
    expect(owned.length).toBeGreaterThan(4);
    const tabs = [...html.matchAll(/<button[^>]*role="tab"[^>]*>/g)].map(([tab]) => tab);
    expect(tabs.map((tab) => / id="([^"]*)"/.exec(tab)?.[1])).toEqual(owned);
    expect(tabs.filter((tab) => tab.includes('tabindex="0"'))).toHaveLength(1);
  }
});

test('A range after the data says that there are none yet, and draws no zero', async () => {
  const ada = await signIn(service, 'ada@example.com');
  const said = 'There’s no data for these days yet. The last complete day is 19 Mar.';
  for (const page of ['/', '/cycle-time']) {
    const html = await renderPage(`${page}?r=2026-03-20.2026-03-27`, readerOf(service, ada, now));
    const text = textOf(html).replace(/&#(x27|39);/g, "'");
    expect(text).toContain(said);
    expect(/data-value="0"/.exec(html)).toBeNull();
    expect(text).not.toContain('No big changes');
    expect(tileOf(html, 'cycle-time').text).toContain('no data after 19 Mar');
    expect(text).toContain(page === '/' ? 'No deployments yet' : 'No merged pull requests yet');
  }
  // The page has data of these days, and one of its figures has none.
  const html = await renderPage('/?r=2026-03-18.2026-03-19', readerOf(service, ada, now));
  expect(tileOf(html, 'adoption-rate').text).toContain('no data after 17 Mar');
  expect(tileOf(html, 'cycle-time')).toMatchObject({ value: 6.5 * 3_600 });
});

test('A tile of a window before which there is no history says that it is not compared', async () => {
  const ada = await signIn(service, 'ada@example.com');
  const older = await renderPage('/?r=2025-09-01.2025-12-31', readerOf(service, ada, now));
  expect(tileOf(older, 'cycle-time')).toMatchObject({ verdict: 'no_comparison', tone: 'secondary' });
});

test('Whoever sees only their own work reads of nothing else', async () => {
  const edsger = readerOf(service, await signIn(service, 'edsger@example.com'), now);
  const said = {
    '/': ['In your own work, '],
    '/ci': ['No runs of yours in this window.', 'No runs of yours in 90 days', 'no workflow of yours ran twice'],
    '/issues': ['No issues of yours in this window.', 'Nothing of yours is open'],
  };
  const missing: string[] = [];
  for (const [page, sentences] of Object.entries(said)) {
    const text = textOf(await renderPage(page, edsger)).replaceAll('&#x27;', "'");
    missing.push(...sentences.filter((sentence) => !text.includes(sentence)).map((sentence) => `${page}: ${sentence}`));
  }
  expect(missing).toEqual([]);
  const ada = readerOf(service, await signIn(service, 'ada@example.com'), now);
  const ofAll = textOf(await renderPage('/ci', ada));
  expect(ofAll).toContain('No runs in this window.');
  expect(ofAll).not.toMatch(/of yours|own work/);
});

test('Every page, opened panel and picture says what its reader sees, where that is not everything', async () => {
  await organise(service, { team_restrictions: 'true' });
  await change(service, 'grace@example.com', { managed_teams: ['Platform'] });
  const said = {
    ada: ['owner', undefined, ''],
    grace: ['manager', 'teams', 'You’re seeing 1 of 3 teams. Totals cover these.'],
    asa: ['squadLead', 'squads', 'You’re seeing the squads you lead.'],
    edsger: ['engineer', 'self', 'You’re seeing your own work.'],
  } as const;
  const record = `/pull-requests/${encodeURIComponent('github:acme/web#2026-03-19/0')}`;
  const opened = addressOf('/', { ...firstState, panel: { metric: 'pull-requests-count' } });
  const shown: unknown[] = [];
  for (const [name, [role]] of Object.entries(said)) {
    const reader = readerOf(service, await signIn(service, `${name}@example.com`), now);
    const notices = /data-visibility="([^"]*)">(.*?)<\/p>/gs;
    const [notice = []] = (await renderPage(record, reader)).matchAll(notices);
    const [, inPanel = []] = (await renderPage(opened, reader)).matchAll(notices);
    expect(inPanel[2]).toBe(notice[2]);
    const picture = await service.request('GET', '/metrics/pull-requests-count/chart.svg?start_date=2026-01-01', {
      key: service.keys[role],
    });
    const read = (text = '') => textOf(text).replace(/&#(x27|39);/g, "'");
    const inPicture = read(/You.{1,6}re seeing[^<]*/.exec(picture.text.replace(/<title>.*?<\/title>/s, ''))?.[0]);
    shown.push([role, notice[1], read(notice[2]), inPicture]);
    expect(picture.headers['x-visibility']).toBe(said[name as keyof typeof said][1] ?? 'organisation');
    // Settings show nothing that anybody sees a part of.
    if (role === 'engineer') expect(await renderPage('/settings/keys', reader)).not.toContain('data-visibility');
  }
  expect(shown).toEqual(Object.values(said).map(([role, visibility, words]) => [role, visibility, words, words]));
  await organise(service, { team_restrictions: 'false' });
});
