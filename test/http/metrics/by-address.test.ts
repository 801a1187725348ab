import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';
import { manyPullRequests, startMany } from './many-pull-requests.ts';
import { asking, change, detailOf, march, organise, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ isQuick: true });
  await organise(service, { salary_visibility: 'true' });
  await change(service, 'ada@example.com', { permissions: ['can-view-salaries'] });
});
afterAll(() => service.close());

const post = asking(() => service);
const get = (path: string, headers: Record<string, string> = {}, key: string | undefined = service.keys.owner) =>
  service.request('GET', `/metrics/${path}`, key === undefined ? { headers } : { key, headers });
const window = `start_date=${march.start_date}&end_date=${march.end_date}`;
const count = 'pull-requests-count';

describe('a question in an address', () => {
  test('A question in an address takes the fields of the body and every filter by its name', async () => {
    const asked = await get(
      `cycle-time?${window}&repositories=web,acme/api&pr_states=merged&group_by=repository,name&aggregation=avg&order_by=avg_cycle_time&order_direction=desc&limit=3&metric_min_value=1.5&date_field=created_at&include_previous_period=false`,
    );
    const same = await post('cycle-time', {
      filters: { ...march, repositories: ['web', 'acme/api'], pr_states: ['merged'] },
      group_by: ['repository', 'name'],
      aggregation: 'avg',
      order_by: 'avg_cycle_time',
      order_direction: 'desc',
      limit: 3,
      metric_min_value: 1.5,
      date_field: 'created_at',
      include_previous_period: false,
    });
    expect([asked.status, asked.text]).toEqual([200, same.text]);
    expect(asked.json).toHaveLength(3);
  });

  test('A question in an address is split at commas where a parameter is sent once, and taken whole otherwise', async () => {
    const named = async (query: string) =>
      JSON.parse(decodeURIComponent(String((await get(`${count}?${window}&${query}`)).headers['x-unmatched-filters'])));
    expect(await named('team=No,+Nobody,,')).toEqual({ team: ['No', 'Nobody'] });
    expect(await named('team=No%2CNobody')).toEqual({ team: ['No', 'Nobody'] });
    expect(await named('team[]=No%2C%20Nobody')).toEqual({ team: ['No, Nobody'] });
    expect(await named('team=No,Nobody&team=Other')).toEqual({ team: ['No,Nobody', 'Other'] });
    expect(await named('team%5B%5D=a+b&team_ids=c')).toEqual({ team: ['a b'], team_ids: ['c'] });
  });

  test('A question in an address never splits words to search for', async () => {
    const found = async (term: string) =>
      (await get(`${count}?${window}&pull_requests_search_term=${encodeURIComponent(term)}`)).json;
    // Of the changes 7, 17 and 27.
    expect(await found('Change 7, "quoted"')).toEqual([{ date_level_not_set: true, pr_count: 3 }]);
  });

  test('A question in an address has no filter where a parameter is empty', async () => {
    expect((await get(`${count}?${window}&team=&date_level=&pull_requests_search_term=`)).json).toEqual([
      { date_level_not_set: true, pr_count: 30 },
    ]);
  });

  test('A question in an address asks several metrics with a value for each, and compares', async () => {
    const several = await get(
      `get-multiple-metrics?metrics=${count},cycle-time&aggregation.cycle-time=MAX&date_field.${count}=merged_at&metric_min_value.cycle-time=60&${window}&date_level=week`,
    );
    const same = await post('get-multiple-metrics', {
      metrics: [count, 'cycle-time'],
      aggregations: { 'cycle-time': 'MAX' },
      date_fields: { [count]: 'merged_at' },
      metric_min_values: { 'cycle-time': 60 },
      filters: march,
      date_level: 'week',
    });
    expect([several.status, several.text]).toEqual([200, same.text]);
    const compared = await get(`benchmark?benchmark_metric=cycle-time&date_field=merged_at&${window}&n=true`);
    const body = { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters: march };
    expect([compared.status, compared.text]).toEqual([200, (await post('benchmark?n=true', body)).text]);
  });

  test('A question in an address prefers its format over the header Accept', async () => {
    const typeOf = async (query: string, accept: string) =>
      String((await get(`${count}?${window}${query}`, { accept })).headers['content-type']).split(';')[0];
    expect(await typeOf('&format=csv', 'application/x-ndjson')).toBe('text/csv');
    expect(await typeOf('&format=json', 'text/csv')).toBe('application/json');
    expect(await typeOf('&format=parquet', '*/*')).toBe('application/vnd.apache.parquet');
    expect(await typeOf('', 'application/x-ndjson')).toBe('application/x-ndjson');
    const posted = await post(`${count}?format=csv`, { filters: march });
    expect(posted.text).toBe('date_level_not_set,pr_count\r\ntrue,30\r\n');
  });

  test('A question in an address can be asked by whoever is signed in, and by HEAD', async () => {
    const ada = await signIn(service, 'ada@example.com');
    const asked = await service.request('GET', `/metrics/${count}?${window}`, { headers: { cookie: ada.cookie } });
    expect(asked.json).toEqual([{ date_level_not_set: true, pr_count: 30 }]);
    const head = await service.request('HEAD', `/metrics/${count}?${window}`, { key: service.keys.owner });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(asked.text.length), '']);
  });
});

describe('an address that is wrong', () => {
  test.each([
    [`${count}?start=2024-03-01`, "'start' is not a query parameter. Did you mean 'start_date'?"],
    [`${count}?${window}&reposotories=web`, "Did you mean 'repositories'?"],
    [`${count}?filters.start_date=2024-03-01`, 'In an address each filter is a parameter of its own'],
    [`${count}?filters=%7B%7D`, 'In an address each filter is a parameter of its own'],
    [`${count}?${window}&start_date=2024-03-02`, 'start_date must be a text, sent once.'],
    [`${count}?${window}&limit=many`, "limit must be a whole number from 1 to 200, not 'many'."],
    [`${count}?${window}&limit=201`, 'limit must be a whole number from 1 to 200, not 201.'],
    [`${count}?${window}&time_series_data=yes`, "time_series_data must be true or false, not 'yes'."],
    [`${count}?${window}&format=xml`, 'The query parameter format takes one of json, ndjson, csv, parquet, once.'],
    [`${count}?${window}&format=csv&format=csv`, 'The query parameter format takes one of'],
    [`${count}?${window}&format[]=csv`, "'format' is not a query parameter."],
    [`${count}?${window}&format[]=csv&format=csv`, "'format' is not a query parameter."],
    [`${count}?${window}&durations=iso`, "The query parameter durations takes 'seconds', once."],
    [`${count}?${window}&team=100%`, 'Write % itself as %25.'],
    [`${count}?${window}&team=%FF`, 'Write % itself as %25.'],
    [`${count}?${window}&branches=main`, "pull-requests-count cannot be filtered by 'branches'."],
    [`${count}?${window}&review_hour_of_day=noon`, "The filter review_hour_of_day takes whole numbers, not 'noon'."],
    [`cycle-time?${window}`, 'cycle-time needs an aggregation'],
    [`cycle-time?${window}&aggregation=p50`, 'aggregation must be one of'],
    [`${count}?end_date=2024-03-31`, 'start_date is missing: the first day'],
    ['date-details', 'start_date is missing: the first day'],
    [`${count}?${window}&limit=05`, "limit must be a whole number from 1 to 200, not '05'."],
    [`${count}?${window}&limit=5&limit=6`, 'limit must be a whole number from 1 to 200, sent once.'],
    [`${count}?${window}&group_by=week`, 'For a row each week write date_level=week.'],
    [`${count}?${window}&group_by=aggregations.cycle-time`, "'aggregations.cycle-time' is not a column"],
    [`get-multiple-metrics?${window}`, 'metrics is missing: names such as pull-requests-count,cycle-time.'],
    [
      `get-multiple-metrics?metrics=cycle-time&${window}`,
      'cycle-time needs an aggregation, in aggregation.cycle-time:',
    ],
    [
      `get-multiple-metrics?metrics=cycle-time&${window}&aggregation.cycle-time=p50`,
      'aggregation.cycle-time must be one',
    ],
    [
      `get-multiple-metrics?metrics=${count}&${window}&metric_min_value.${count}=few`,
      `metric_min_value.${count} must be`,
    ],
    [`get-multiple-metrics?metrics=cycle-time&${window}&aggregation=avg`, 'as in aggregation.cycle-time=…'],
    [`get-multiple-metrics?metrics=cycle-time&${window}&aggregations=avg`, 'as in aggregation.cycle-time=…'],
    [
      `get-multiple-metrics?metrics=cycle-time&${window}&aggregation.cycle=avg`,
      'aggregation.cycle names a metric that is not among metrics.',
    ],
    [`benchmark?benchmark_metric=cycle-time&${window}`, 'date_field is missing'],
    [
      `benchmark?benchmark_metric=cycle-time&date_field=merged_at&${window}&format=csv`,
      "This answer is always JSON: the query parameter format takes 'json', once.",
    ],
    [
      `${count}/explain?${window}&format=csv`,
      "This answer is always JSON: the query parameter format takes 'json', once.",
    ],
    [`${count}/chart.svg?end_date=2024-03-31`, 'start_date is missing: the first day'],
  ])('%s is 400 and says what would be right', async (path, detail) => {
    const answer = await get(path);
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining(detail)]);
    // Nobody who reads an address knows the fields of a body.
    expect(detailOf(answer)).not.toMatch(/filters\.|without quotes|(?<!')(aggregation|date_field|metric_min_value)s\./);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.etag).toBeUndefined();
  });

  test('An address that is wrong names no metric that the caller may not ask: 404 and 403 come before what else is wrong', async () => {
    const statusOf = async (path: string) => (await get(path, {}, service.keys.engineer)).status;
    expect(await statusOf('nope?x=1')).toBe(404);
    expect(await statusOf('survey-responses-count?x=1')).toBe(403);
    expect(await statusOf('survey-responses-count/explain?x=1')).toBe(403);
    expect(await statusOf('get-multiple-metrics?metrics=nope,survey-responses-count&x=1')).toBe(404);
    expect(await statusOf('get-multiple-metrics?metrics=survey-responses-count&x=1')).toBe(403);
    expect(await statusOf('benchmark?benchmark_metric=survey-responses-count&x=1')).toBe(403);
  });

  test('An address that is wrong is 414 where it is longer than 8 KB, and names POST', async () => {
    const long = (length: number) => {
      const start = `/metrics/${count}?${window}&team=`;
      // Values of 99 characters.
      return `${start}${`${'x'.repeat(99)},`.repeat(length / 100 + 1)}`.slice('/metrics/'.length, length);
    };
    expect((await get(long(8_192))).status).toBe(200);
    for (const length of [8_193, 12_000, 20_000, 60_000]) {
      const answer = await get(long(length));
      expect([length, answer.status, detailOf(answer)]).toEqual([length, 414, expect.stringContaining('with POST')]);
    }
  });
});

test('What an answer has no use for is refused beside a body as well', async () => {
  const body = { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters: march };
  expect((await post('benchmark?format=csv', body)).status).toBe(400);
  const explained = await post(`${count}/explain?format=csv`, { filters: march });
  expect([explained.status, detailOf(explained)]).toEqual([
    400,
    "This answer is always JSON: the query parameter format takes 'json', once.",
  ]);
});

test('An explanation takes the parameters of its question that change nothing in it', async () => {
  const explained = await post(`${count}/explain`, { filters: march });
  for (const same of ['&format=json', '&durations=seconds', '&n=true']) {
    const answer = await get(`${count}/explain?${window}${same}`);
    expect([same, answer.status, answer.text]).toEqual([same, 200, explained.text]);
  }
});

describe('a key in an address', () => {
  const words = 'send it in the header Authorization';

  test('A key in an address is 400 beside a key in its header or a session, whatever it is called', async () => {
    const { owner, engineer } = service.keys;
    const ada = await signIn(service, 'ada@example.com');
    for (const name of ['key', 'team', 'team[]', 'format', 'pull_requests_search_term']) {
      const answer = await get(`${count}?${window}&${name}=${engineer}`);
      expect([name, answer.status, detailOf(answer)]).toEqual([name, 400, expect.stringContaining(words)]);
      expect(answer.text).not.toContain(engineer);
    }
    const path = `/metrics/${count}?${window}&x=Bearer+${encodeURIComponent(owner).replace('_', '%5F')}`;
    expect((await service.request('GET', path, { headers: { cookie: ada.cookie } })).status).toBe(400);
    expect((await post(`${count}?n=${owner}`, { filters: march })).status).toBe(400);
  });

  test('A key in an address is 401 where it is the only one, and is never looked up', async () => {
    for (const path of [`${count}?${window}&key=`, `${count}/explain?key=`, 'get-multiple-metrics?api_key=']) {
      const answer = await service.request('GET', `/metrics/${path}${service.keys.owner}`);
      expect([path, answer.status, detailOf(answer)]).toEqual([path, 401, expect.stringContaining(words)]);
    }
    expect((await service.request('GET', `/teams?key=${service.keys.owner}`)).status).toBe(401);
  });

  test('A key in an address is never in the log, nor is anything else of a query', async () => {
    await get(`${count}?${window}&team=SecretTeam&key=${service.keys.engineer}`, { 'x-request-id': 'by-address' });
    await expect.poll(() => service.log.filter((line) => line.includes('"by-address"')).length).toBe(1);
    const log = service.log.join('');
    expect(log).toContain('"route":"/metrics/:metric"');
    for (const text of [service.keys.engineer, service.keys.owner, 'SecretTeam', 'start_date', '2024-03-01'])
      expect(log).not.toContain(text);
  });

  test('A key in an address is no repository whose name begins like one', async () => {
    expect((await get(`${count}?${window}&repositories=plumb_core`)).status).toBe(200);
    expect((await get(`${count}?${window}&repositories=plumb_elevensigns`)).status).toBe(200);
    for (const secret of ['plumbsession_0123456789abcdef', 'plumbsignin_0123456789abcdef']) {
      expect(detailOf(await get(`${count}?${window}&team=${secret}`))).toContain('must not be in the address');
    }
  });
});

describe('an answer to an address', () => {
  const path = `${count}?${window}&group_by=repository`;

  test('An answer to an address may be kept by the caller, and is 304 for as long as it is the same', async () => {
    const { headers, text } = await get(path);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toBe('Authorization, Cookie, Accept, Accept-Encoding');
    const etag = String(headers.etag);
    for (const sent of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const again = await get(path, { 'if-none-match': sent });
      expect([sent, again.status, again.text, again.headers.etag]).toEqual([sent, 304, '', etag]);
      expect(again.headers['cache-control']).toBe('private, no-cache');
    }
    for (const sent of ['"other"', 'W/"other"', '']) {
      expect((await get(path, { 'if-none-match': sent })).text).toBe(text);
    }
    // Another format, and another caller, have other bytes.
    expect((await get(`${path}&format=csv`, { 'if-none-match': etag })).status).toBe(200);
    expect((await get(path, { 'if-none-match': etag }, service.keys.engineer)).status).toBe(200);
  });

  test('An answer to an address is 304 only after the key was checked', async () => {
    const etag = String((await get(path)).headers.etag);
    expect((await get(path, { 'if-none-match': etag }, 'plumb_wrong')).status).toBe(401);
    expect((await service.request('GET', `/metrics/${path}`, { headers: { 'if-none-match': etag } })).status).toBe(401);
    expect((await get('survey-responses-count', { 'if-none-match': '*' }, service.keys.engineer)).status).toBe(403);
  });

  test('An answer to an address has another tag once the data is another', async () => {
    const every = `${count}?start_date=2023-01-01&group_by=repository`;
    const etag = String((await get(every)).headers.etag);
    expect((await get(every, { 'if-none-match': etag })).status).toBe(304);
    await putRecords(service, 'pull_requests', [
      { pr_id: 'pr-early', source: 'github', repository: 'acme/web', pr_created_at: '2023-06-01T09:00:00Z' },
    ]);
    const after = await get(every, { 'if-none-match': etag });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(etag);
  });

  test('An answer to an address has a tag where it is streamed as well, by what it depends on', async () => {
    const many = await startMany();
    onTestFinished(() => many.close());
    const { owner, manager, engineer } = many.keys;
    const get = (path: string, headers: Record<string, string> = {}, key = owner) =>
      many.request('GET', `/metrics/${path}`, { key, headers });
    const all = `get-multiple-metrics?metrics=${count}&start_date=2023-01-01&end_date=2023-01-30&group_by=pr_id`;
    const { headers, json } = await get(all);
    expect([(json as unknown[]).length, headers['content-length']]).toEqual([manyPullRequests.length, undefined]);
    expect(headers['cache-control']).toBe('private, no-cache');
    const seen = { 'if-none-match': String(headers.etag) };
    for (const _ of ['once', 'twice']) {
      const again = await get(all, seen);
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    }
    expect((await get(`${all}&format=csv`, seen)).status).toBe(200);
    expect((await get(all.replace('01-30', '01-29'), seen)).status).toBe(200);
    expect((await get(all, seen, manager)).status).toBe(304);
    expect((await get(all, seen, engineer)).status).toBe(200);
    expect((await get(all, seen, 'plumb_wrong')).status).toBe(401);
    await putRecords(many, 'pull_requests', [{ ...manyPullRequests[0], pr_title: 'Other' }]);
    const changed = await get(all, seen);
    expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false]);
  });

  test('An answer to an address is kept by nobody where it is about salaries or surveys, explained or not', async () => {
    for (const asked of [
      'salary?aggregation=avg',
      'salary/explain?aggregation=avg',
      `survey-responses-count?${window}`,
      `get-multiple-metrics?metrics=survey-responses-count&${window}`,
    ]) {
      for (const _ of ['found', 'kept']) {
        const { status, headers } = await get(asked, { 'if-none-match': '*' });
        expect([asked, status, headers['cache-control'], headers.etag]).toEqual([asked, 200, 'no-store', undefined]);
      }
    }
  });

  test('An answer to an address has a tag where it explains or compares as well', async () => {
    for (const asked of [
      `cycle-time/explain?${window}&aggregation=avg`,
      `benchmark?benchmark_metric=cycle-time&date_field=merged_at&${window}`,
    ]) {
      const { headers } = await get(asked);
      expect((await get(asked, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    }
  });

  test('An answer to an address to a body is still kept by nobody', async () => {
    const { headers } = await post(count, { filters: march });
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
  });
});
