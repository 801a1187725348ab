import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Contents, type Service, startService } from '../setup/running-app.ts';
import { signIn } from '../setup/signed-in.ts';
import { loadPageRenderer, type RenderPage, readerOf } from './page-rendering.ts';

const now = new Date('2026-03-20T12:00:00Z');

/** Twelve pull requests of Edsger's, each merged an hour longer after its beginning than the one before. */
const merged = Array.from({ length: 12 }, (_, i) => ({
  pr_id: `github:acme/web#${i + 1}`,
  source: 'github',
  repository: 'acme/web',
  person_email: 'edsger@example.com',
  pr_state: 'merged',
  first_commit_at: '2026-03-10T00:00:00Z',
  pr_created_at: '2026-03-10T00:00:00Z',
  pr_merged_at: `2026-03-10T${String(i + 1).padStart(2, '0')}:00:00Z`,
}));

const contents: Contents = {
  name: 'twelve merged pull requests',
  async put(app, organisationId) {
    const lines = merged.map((value, line) => ({ line, value }));
    const [outcome] = await app.ingest.put(organisationId, [{ table: 'pull_requests', lines }]);
    if (outcome?.rejected.length !== 0) throw new Error(JSON.stringify(outcome?.rejected));
  },
};

let service: Service;
let renderPage: RenderPage;
beforeAll(async () => {
  [service, renderPage] = await Promise.all([startService({ now: () => now, contents }), loadPageRenderer()]);
});
afterAll(() => service.close());

test('The overview prints the number that the API answers', async () => {
  const ada = await signIn(service, 'ada@example.com');
  const html = await renderPage('/', readerOf(service, ada, now));
  const printed = /data-metric="cycle-time".*?data-value="([^"]*)"/s.exec(html)?.[1];
  const asked = { aggregation: 'MEDIAN', filters: { start_date: '2026-01-01' } };
  const { json } = await service.request('POST', '/metrics/cycle-time', { key: service.keys.owner, body: asked });
  expect(json).toEqual([{ date_level_not_set: true, median_cycle_time: 6.5 * 3_600 }]);
  expect(printed).toBe(String(6.5 * 3_600));
});
