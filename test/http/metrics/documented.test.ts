import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ now: () => new Date('2025-04-10T12:00:00Z') });
});
afterAll(() => service.close());

const page = readFileSync(join(import.meta.dirname, '../../../docs/asking.md'), 'utf8');
const examples = [
  ...page.matchAll(/curl -s "?\$PLUMB(\/[^\s"]+)[^']*'Content-Type: application\/json'([^{]*)'(\{[^']*\})'/g),
];
const addresses = [...page.matchAll(/curl -s "\$PLUMB(\/[^\s"]+)" \\\n {2}-H "Authorization: \$KEY"\n/g)];

test('the page about asking has examples', () => {
  expect(examples.length).toBeGreaterThan(9);
  expect(addresses.length).toBeGreaterThan(0);
  expect(examples.length + addresses.length).toBe(page.split('curl -s').length - 1);
});

test.each(examples.map(([, path = '', more = '', body = '']) => ({ path, more, body })))(
  'its example of $path can be asked',
  async ({ path, more, body }) => {
    const [, accept] = /Accept: ([^']*)/.exec(more) ?? [];
    const answer = await service.request('POST', path, {
      key: service.keys.owner,
      body: JSON.parse(body),
      headers: { accept: accept ?? 'application/json' },
    });
    expect([answer.status, answer.text.slice(0, 10)]).toEqual([200, expect.any(String)]);
    if (accept === 'text/csv') expect(answer.headers['content-type']).toContain('text/csv');
  },
);

test.each(addresses.map(([, path = '']) => ({ path })))('its address $path can be asked', async ({ path }) => {
  const answer = await service.request('GET', path, { key: service.keys.owner });
  expect([answer.status, answer.text.length > 0]).toEqual([200, true]);
});
