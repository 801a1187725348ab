import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type HttpAnswer, type Service, startService } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const board = {
  title: 'Delivery review',
  visible_to: 'organisation',
  range: '90d',
  filters: { team: ['Payments'] },
  panels: [
    {
      title: 'Lead time, weekly',
      metric: 'lead-time-for-changes',
      request: { aggregation: 'MEDIAN', date_level: 'week', group_by: ['team_name'] },
      view: 'line',
      compare: true,
    },
    { metric: 'pull-requests-count', view: 'number' },
  ],
};

type Headers = Readonly<Record<string, string>>;
const anew: Headers = { 'if-none-match': '*' };

const put = (
  slug: string,
  body: unknown,
  { key = service.keys.owner, headers = anew }: { key?: string; headers?: Headers } = {},
): Promise<HttpAnswer> => service.request('PUT', `/boards/${slug}`, { key, body, headers });
const get = (slug: string, key = service.keys.owner, headers: Headers = {}): Promise<HttpAnswer> =>
  service.request('GET', `/boards/${slug}`, { key, headers });
const remove = (slug: string, key = service.keys.owner, headers: Headers = {}): Promise<HttpAnswer> =>
  service.request('DELETE', `/boards/${slug}`, { key, headers });
const detailOf = ({ json }: HttpAnswer): string => (json as { detail: string }).detail;
const tagOf = ({ headers }: HttpAnswer): Headers => ({ 'if-match': headers.etag ?? '' });

describe('A board', () => {
  test('A board is made, read, listed, replaced and removed', async () => {
    const made = await put('review', board);
    expect(made.status).toBe(201);
    expect(made.json).toEqual({ board: 'review', ...board });
    const read = await get('review');
    expect(read.json).toEqual({ board: 'review', ...board });
    expect(read.headers.etag).toBe(made.headers.etag);
    const listed = await service.request('GET', '/boards', { key: service.keys.owner });
    expect(listed.json).toEqual([
      {
        board: 'review',
        ...board,
        owner: { merged_user_id: await service.idOf('ada@example.com'), name: 'Ada Lovelace' },
        may_change: true,
        changed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    const replaced = await put('review', { ...board, title: 'Review' }, { headers: tagOf(read) });
    expect(replaced.status).toBe(200);
    expect(replaced.json).toMatchObject({ title: 'Review' });
    expect((await remove('review')).status).toBe(204);
    expect((await get('review')).status).toBe(404);
  });

  test('A board is YAML for those who ask for it, and the same document', async () => {
    const body = stringify({ board: 'as-yaml', ...board });
    const made = await put('as-yaml', body, { headers: { ...anew, 'content-type': 'application/yaml' } });
    expect(made.status).toBe(201);
    const byAccept = await get('as-yaml', service.keys.owner, { accept: 'application/yaml' });
    const byFormat = await get('as-yaml?format=yaml');
    expect(byAccept.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(byFormat.text).toBe(byAccept.text);
    expect(parse(byAccept.text)).toEqual({ board: 'as-yaml', ...board });
    expect((await get('as-yaml')).json).toEqual({ board: 'as-yaml', ...board });
    const list = await service.request('GET', '/boards?format=yaml', { key: service.keys.owner });
    expect(parse(list.text)).toMatchObject([{ board: 'as-yaml' }]);
    await remove('as-yaml');
  });

  test('A board is for people who are signed in as well, from pages of the service alone', async () => {
    const grace = await signIn(service, 'grace@example.com');
    const headers = { ...grace.headers, ...anew };
    const made = await service.request('PUT', '/boards/of-grace', { headers, body: board });
    expect(made.status).toBe(201);
    const elsewhere = { ...headers, origin: 'https://elsewhere.example' };
    expect((await service.request('PUT', '/boards/other', { headers: elsewhere, body: board })).status).toBe(403);
    expect((await grace.request('DELETE', '/boards/of-grace')).status).toBe(204);
  });
});

describe('Conditions', () => {
  test('A change needs a condition, and one of them is enough', async () => {
    expect((await put('a', board, { headers: {} })).status).toBe(428);
    expect((await put('a', board, { headers: { 'if-match': '"x"' } })).status).toBe(412);
    expect((await put('a', board, { headers: { 'if-none-match': '"x"' } })).status).toBe(400);
    expect((await put('a', board)).status).toBe(201);
    expect((await put('a', board)).status).toBe(412);
    expect((await put('a', { ...board, range: '30d' }, { headers: { 'if-match': '*' } })).status).toBe(200);
    await remove('a');
  });

  test('Whoever read an older state changes nothing', async () => {
    const first = await put('b', board);
    const second = await put('b', { ...board, title: 'Second' }, { headers: tagOf(first) });
    expect(second.status).toBe(200);
    expect((await put('b', { ...board, title: 'Third' }, { headers: tagOf(first) })).status).toBe(412);
    expect((await remove('b', service.keys.owner, tagOf(first))).status).toBe(412);
    expect((await get('b')).json).toMatchObject({ title: 'Second' });
    const weak = { 'if-match': `"other", W/${second.headers.etag}` };
    expect((await put('b', { ...board, title: 'Fourth' }, { headers: weak })).status).toBe(200);
    await remove('b');
  });

  test('The same again changes nothing, not even the tag', async () => {
    const first = await put('c', board);
    const { filters, ...rest } = board;
    const again = await put('c', { filters, ...rest }, { headers: tagOf(first) });
    expect(again.status).toBe(200);
    expect(again.headers.etag).toBe(first.headers.etag);
    await remove('c');
  });

  test('The same teams are the same board, as one or as a list and under either name of the filter', async () => {
    const of = (filters: object) => ({ ...board, filters });
    const first = await put('t', of({ team: 'Payments' }));
    for (const filters of [{ team: ['Payments'] }, { team_ids: ['payments', 'Payments'] }, { team_ids: 'Payments' }]) {
      const again = await put('t', of(filters), { headers: tagOf(first) });
      expect([again.status, again.headers.etag, again.json]).toEqual([200, first.headers.etag, first.json]);
    }
    const other = await put('t', of({ team: ['Payments', 'Platform'] }), { headers: tagOf(first) });
    expect(other.headers.etag).not.toBe(first.headers.etag);
    const both = await put('t', of({ team: 'Payments', team_ids: 'Platform' }), { headers: tagOf(other) });
    const turned = await put('t', of({ team: 'Platform', team_ids: 'Payments' }), { headers: tagOf(both) });
    expect(turned.headers.etag).not.toBe(both.headers.etag);
    await remove('t');
  });

  test('A reader who has it hears so, in either format', async () => {
    const made = await put('d', board);
    const tag = made.headers.etag ?? '';
    expect((await get('d', service.keys.owner, { 'if-none-match': tag })).status).toBe(304);
    expect((await get('d?format=yaml', service.keys.owner, { 'if-none-match': tag })).status).toBe(200);
    await remove('d');
  });
});

describe('Documents that cannot be read', () => {
  const cases: readonly (readonly [what: string, type: string, body: string, status: number, says: RegExp])[] = [
    ['an anchor', 'application/yaml', 'title: &t Review\npanels: []', 400, /anchor &t/],
    ['an alias', 'application/yaml', 'title: &t Review\nvisible_to: *t\npanels: []', 400, /anchor|alias/],
    ['a tag', 'application/yaml', 'title: !!str 5\npanels: []', 400, /tag/],
    ['a key twice', 'application/yaml', 'title: a\ntitle: b\npanels: []', 400, /'title' twice/],
    ['a key twice in JSON', 'application/json', '{"title":"a","title":"b","panels":[]}', 400, /'title' twice/],
    ['YAML of another version', 'application/yaml', '%YAML 1.1\n---\ntitle: a', 400, /1\.1/],
    ['two documents', 'application/yaml', 'title: a\n---\ntitle: b', 400, /another one begins/],
    ['brackets within brackets', 'application/yaml', '['.repeat(60_000), 400, /16 levels/],
    ['dashes behind dashes', 'application/yaml', '- '.repeat(30_000), 400, /16 levels/],
    ['too many anchors', 'application/yaml', '&a '.repeat(20_000), 400, /too many values/],
    ['broken JSON', 'application/json', '{"title": ', 400, /not JSON/],
    ['nothing', 'application/json', '', 400, /empty/],
    ['another type', 'text/yaml', 'title: a', 415, /application\/yaml/],
    ['another charset', 'application/yaml; charset=utf-16', 'title: a', 415, /UTF-8/],
    ['too much', 'application/yaml', `title: ${'a'.repeat(65_536)}`, 413, /64 KiB/],
  ];
  test.each(cases)('%s', async (_what, type, body, status, says) => {
    const answer = await put('unread', body, { headers: { ...anew, 'content-type': type } });
    expect([answer.status, detailOf(answer)]).toEqual([status, expect.stringMatching(says)]);
  });

  test('64 KiB are read', async () => {
    const start = 'title: Full\npanels: []\n#';
    const body = start + 'x'.repeat(65_536 - start.length);
    expect((await put('full', body, { headers: { ...anew, 'content-type': 'application/yaml' } })).status).toBe(201);
    // A sender that does not say how much comes.
    const more = await fetch(`${service.url}/boards/more`, {
      method: 'PUT',
      headers: { ...anew, authorization: service.keys.owner, 'content-type': 'application/yaml' },
      body: new Blob([`${body}x`]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(more.status).toBe(413);
    await remove('full');
  });
});
