import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SaidVerdict, verdictWords } from '../../../src/query/verdict.ts';
import type { Service } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';
import { detailOf, march, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
  await putRecords(service, 'pull_requests', [
    {
      pr_id: 'pr-hostile',
      source: 'github',
      repository: 'acme/<script>alert(1)</script>',
      pr_created_at: '2024-03-05T09:00:00Z',
    },
  ]);
});
afterAll(() => service.close());

const window = `start_date=${march.start_date}&end_date=${march.end_date}`;
const path = `/metrics/pull-requests-count/chart.svg?${window}&date_level=week&group_by=repository`;

test('A chart is drawn for a key or a session, as a picture that can do nothing', async () => {
  const { status, headers, text } = await service.request('GET', path, { key: service.keys.owner });
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
  expect(headers['cross-origin-resource-policy']).toBe('same-site');
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(text).toMatch(
    /^<svg [^>]*role="img"><title>Pull requests: by week, 2024-03-01 – 2024-03-31 · drawn from week of 4 Mar 2024<\/title>/,
  );
  expect(text).toContain('acme/web');
  expect(text).toContain('acme/&lt;script');
  expect(text).not.toContain('<script');
  const ada = await signIn(service, 'ada@example.com');
  expect((await service.request('GET', path, { headers: { cookie: ada.cookie } })).text).toBe(text);
  const again = await service.request('GET', path, {
    key: service.keys.owner,
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect(again.status).toBe(304);
});

test('Everyone gets a chart of what they may see', async () => {
  const text = (await service.request('GET', path, { key: service.keys.engineer })).text;
  expect(text).toContain('acme/web');
  expect(text).not.toContain('acme/&lt;script');
});

test('Without a key or a session it is 401 with a small picture that says so', async () => {
  for (const [at, key] of [[path], [path, 'plumb_wrong'], [`${path}&key=${service.keys.owner}`]] as const) {
    const answer = await service.request('GET', at, key === undefined ? {} : { key });
    expect([answer.status, answer.headers['content-type']]).toEqual([401, 'image/svg+xml; charset=utf-8']);
    expect(answer.text).toContain('Sign in to Plumb to see this chart.');
    expect(answer.headers['content-security-policy']).toContain('sandbox');
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('Any other mistake is said in words, as everywhere', async () => {
  const ask = async (at: string, key = service.keys.owner) => {
    const answer = await service.request('GET', `/metrics/${at}`, { key });
    return [answer.status, detailOf(answer)];
  };
  expect(await ask('nope/chart.svg')).toEqual([404, expect.stringContaining("Metric 'nope' does not exist")]);
  expect(await ask(`survey-responses-count/chart.svg?${window}`, service.keys.engineer)).toEqual([
    403,
    expect.stringContaining('Survey metrics'),
  ]);
  expect(await ask(`cycle-time/chart.svg?${window}`)).toEqual([400, expect.stringContaining('needs an aggregation')]);
  expect(await ask('users-count/chart.svg')).toEqual([400, expect.stringContaining('there is nothing to draw')]);
  // However it is asked for: nothing that the caller wrote could be left out.
  for (const more of ['', '&include_previous_period=true']) {
    expect(await ask(`ai-favourite-model/chart.svg?${window}${more}`)).toEqual([
      400,
      'ai-favourite-model answers with a text, which no chart can show. For its rows, ask /metrics/ai-favourite-model without /chart.svg.',
    ]);
  }
  expect(await ask(`date-details/chart.svg?${window}`)).toEqual([400, expect.stringContaining('nothing to draw')]);
  expect(await ask('pull-requests-count/chart.svg?start_date=2020-01-01&date_level=day')).toEqual([
    400,
    expect.stringContaining('room for 400 buckets'),
  ]);
});

test('The period before is drawn as a dotted line, and what would be without effect is refused', async () => {
  const count = `/metrics/pull-requests-count/chart.svg?${window}&date_level=week`;
  const ask = (more: string) => service.request('GET', `${count}${more}`, { key: service.keys.owner });
  const [alone, compared] = [(await ask('')).text, (await ask('&include_previous_period=true')).text];
  expect([alone, compared].map((text) => text.includes('stroke-dasharray="3,3"'))).toEqual([false, true]);
  const refused = async (more: string) => {
    const answer = await ask(more);
    return [answer.status, detailOf(answer)];
  };
  expect(await refused('&include_previous_period=true&group_by=repository')).toEqual([
    400,
    expect.stringContaining('leave out group_by or include_previous_period'),
  ]);
  expect(await refused('&format=csv')).toEqual([
    400,
    'A chart is always an SVG picture: leave out format, or for rows, ask /metrics/pull-requests-count without /chart.svg.',
  ]);
  expect(await refused('&time_series_data=false')).toEqual([
    400,
    expect.stringContaining('leave out time_series_data'),
  ]);
});

test('A chart with the period before says what the same question says of the change of the whole window', async () => {
  const key = service.keys.owner;
  const asked = `${window}&include_previous_period=true&verdict=true`;
  const { text } = await service.request('GET', `/metrics/pull-requests-count?${asked}`, { key });
  const [result] = (JSON.parse(text) as { results: readonly SaidVerdict[] }).results;
  const said = verdictWords(result ?? {});
  expect(said).not.toBeNull();
  const drawn = (more: string) =>
    service.request('GET', `/metrics/pull-requests-count/chart.svg?${more}&date_level=week`, { key });
  expect((await drawn(asked)).text).toContain(`2024-03-31: ${said} · drawn from`);
  expect((await drawn(`${window}&include_previous_period=true`)).text).toContain('2024-03-31 · drawn from');
  const alone = await drawn(`${window}&verdict=true`);
  expect([alone.status, detailOf(alone)]).toEqual([
    400,
    expect.stringContaining('set include_previous_period to true'),
  ]);
});

test('A chart about surveys is kept by nobody, and everything else of the service stays on its own pages', async () => {
  const survey = await service.request('GET', `/metrics/survey-responses-count/chart.svg?${window}`, {
    key: service.keys.owner,
  });
  expect([survey.status, survey.headers['cache-control'], survey.headers.etag]).toEqual([200, 'no-store', undefined]);
  const rows = await service.request('GET', path.replace('/chart.svg', ''), { key: service.keys.owner });
  expect(rows.headers['cross-origin-resource-policy']).toBe('same-origin');
});
