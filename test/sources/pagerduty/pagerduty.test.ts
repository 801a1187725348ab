import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSource } from '../../../src/sources/open-source.ts';
import { convertIncidents } from '../../../src/sources/pagerduty/convert.ts';
import { pagerduty } from '../../../src/sources/pagerduty/pagerduty.ts';
import type { SettingValues } from '../../../src/sources/source.ts';
import { repositoryByName } from '../../../src/sources/source-settings.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { ReplayHost } from '../contract/replay-host.ts';
import { readWhole } from '../read-whole.ts';
import {
  daysAgo,
  type PagerdutyWorld,
  pagerdutyAnswer,
  pagerdutyCase,
  pagerdutyNow,
  pagerdutyToken,
  someIncident,
  someServices,
} from './pagerduty-case.ts';

const context = { host: 'acme.example', repositoryOf: repositoryByName(['Checkout=acme/web']) };
const incident = someIncident(6, '2026-03-01T10:00:00Z');
const convert = (more: object) => convertIncidents(context, [{ ...incident, ...more }]);
const converted = (more: object) => convert(more).records[0]?.records[0];

describe('an incident', () => {
  test('An incident has its service, and the repository that the settings give that', () => {
    expect(converted({})).toEqual({
      incident_id: 'pagerduty:acme.example/Q6',
      source: 'pagerduty',
      repository: 'acme/web',
      service: 'Checkout',
      opened_at: '2026-03-01T10:00:00Z',
      resolved_at: '2026-03-01T11:00:00Z',
      severity: 'P1',
      title: 'Incident 6',
      url: 'https://acme.pagerduty.com/incidents/Q6',
    });
    expect(converted({ service: { id: 'PX', summary: 'Other' } })).toMatchObject({
      repository: null,
      service: 'Other',
    });
    expect(converted({ service: null })).toMatchObject({ repository: null, service: null });
  });

  test('An incident without a priority is as severe as it is urgent', () => {
    expect(converted({ priority: null })).toMatchObject({ severity: 'high' });
  });

  test('An incident is resolved only while its status says so', () => {
    expect(converted({ status: 'triggered' })).toMatchObject({ resolved_at: null });
    expect(converted({ resolved_at: undefined, last_status_change_at: '2026-03-01T12:00:00.000000Z' })).toMatchObject({
      resolved_at: '2026-03-01T12:00:00Z',
    });
  });

  test('An incident of an unknown shape is named by its field, and does not stop the others', () => {
    const { records, problems } = convertIncidents(context, [{ ...incident, created_at: 'soon' }, incident]);
    expect(records[0]?.records).toHaveLength(1);
    expect(problems).toEqual(['incident: created_at must be a time, not string']);
  });
});

describe.runIf(recordedDataAvailable)('recorded incidents', () => {
  const read = (name: string) => readFileSync(join(recordedDataFolder, name), 'utf8');

  test('Recorded incidents of one account are all read, in both of its forms', () => {
    const lines = read('incidents/pagerduty_incidents.ndjson').trim().split('\n');
    const older = lines.map((line) => (JSON.parse(line) as { readonly data: unknown }).data);
    const newer = JSON.parse(read('pagerduty-faros/incidents.json')) as readonly unknown[];
    const { records, problems } = convertIncidents(context, [...older, ...newer]);
    expect(problems).toEqual([]);
    const rows = records[0]?.records ?? [];
    expect(rows.map(({ title, resolved_at, severity, service }) => [title, resolved_at, severity, service])).toEqual([
      ['Crash reported', null, 'high', 'DevService'],
      ['Slow startup', null, 'high', 'DevService'],
      // Resolved, in a form without resolved_at.
      ['Spamming logs', '2022-11-03T06:51:44Z', 'low', 'DevService'],
      ['Incident-just-for-test', null, 'high', 'Service'],
      ['Incident #2', null, 'high', 'Service'],
      ['Incident #3', null, 'high', 'Service2'],
    ]);
  });
});

let host: ReplayHost | undefined;
afterEach(() => host?.close());

async function opened(world: PagerdutyWorld, settings: SettingValues = {}) {
  host = await ReplayHost.start({ now: () => pagerdutyNow, answer: (asked) => pagerdutyAnswer(world, asked) });
  const values = { base_url: host.url, token: pagerdutyToken, ...settings };
  const { source } = openSource(pagerduty, values, { mayBePrivate: () => true, signal: new AbortController().signal });
  return { source, seen: host.seen };
}

async function incidentsOf(world: PagerdutyWorld, settings: SettingValues = {}) {
  const { source, seen } = await opened(world, settings);
  for await (const stream of source.streams()) {
    if (stream.id !== 'incidents') continue;
    const read = await readWhole(stream);
    return { ids: new Set(read.of('incidents').map(({ incident_id }) => incident_id)), read, seen };
  }
  throw new Error('there is no stream of incidents');
}

describe('the history', () => {
  test('The history is walked back to the beginning in windows of half a year, and the first is a month', async () => {
    const { ids, seen } = await incidentsOf(pagerdutyCase.makeWorld() as PagerdutyWorld);
    expect(ids.size).toBe(12);
    const windows = seen.flatMap(({ query }) => (query.has('since') ? [[query.get('since'), query.get('until')]] : []));
    const days = windows.map(([since, until]) => (Date.parse(until ?? '') - Date.parse(since ?? '')) / 86_400_000);
    expect(days[0]).toBeCloseTo(30, 1);
    expect(Math.max(...days)).toBe(180);
    expect(windows.at(-1)?.[0]?.slice(0, 10)).toBe('2009-01-01');
    // Seventeen years in windows of half a year, and three narrower ones before.
    expect(windows.length).toBeLessThan(40);
  });

  test('The history is in narrower windows where there are more than PagerDuty gives of one', async () => {
    // One each four minutes: more than ten thousand in a month.
    const incidents = Array.from({ length: 11_000 }, (_, i) => someIncident(i, daysAgo((i * 4 + 1) / 1_440)));
    const { ids, read } = await incidentsOf({ services: someServices, incidents }, { since: '2026-02-25' });
    expect(ids.size).toBe(11_000);
    expect(read.pages.flatMap(({ problems = [] }) => problems)).toEqual([]);
  });

  test('The history ends at the day since which it is wanted, and has the chosen services alone', async () => {
    const settings = { since: '2026-03-05', services: ['search'] };
    const { ids, seen } = await incidentsOf(pagerdutyCase.makeWorld() as PagerdutyWorld, settings);
    expect([...ids].map((id) => String(id).split('/')[1])).toEqual(['Q1', 'Q3']);
    const asked = seen.filter(({ path }) => path === '/incidents');
    expect(asked.map(({ query }) => [query.get('since')?.slice(0, 10), query.getAll('service_ids[]')])).toEqual([
      ['2026-03-05', ['PSEARCH']],
    ]);
  });

  test('The history is read again as a whole once services belong to other repositories', async () => {
    const world = pagerdutyCase.makeWorld() as PagerdutyWorld;
    const { read } = await incidentsOf(world);
    await host?.close();
    const { source } = await opened(world, { service_repositories: ['Search=acme/search'] });
    for await (const stream of source.streams()) {
      if (stream.id !== 'incidents' || read.mark === undefined) continue;
      const again = await readWhole(stream, { mark: read.mark, downTo: pagerdutyNow - 86_400 });
      expect(again.of('incidents').filter(({ repository }) => repository === 'acme/search')).toHaveLength(6);
    }
  });
});

describe('a check', () => {
  test('A check names services that are not seen, and those without a repository', async () => {
    const settings = { services: ['Checkout', 'search', 'Gone'], service_repositories: ['Checkout=acme/web'] };
    const { source } = await opened(pagerdutyCase.makeWorld() as PagerdutyWorld, settings);
    expect(await source.check()).toMatchObject({
      sees: ['2 services'],
      missing: [
        'The service Gone is not seen. Correct the setting services, or give the key access',
        '1 service without a repository (Search): their incidents count nowhere. Name their repositories in service_repositories',
      ],
    });
  });

  test('What can be picked is every service, by its id and with its name', async () => {
    const { source } = await opened(pagerdutyCase.makeWorld() as PagerdutyWorld, { services: ['Checkout'] });
    expect((await source.choices?.())?.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Checkout', 'Search']),
    );
  });

  test('A check of a key that is not accepted says so', async () => {
    const { source } = await opened(pagerdutyCase.makeWorld() as PagerdutyWorld, { token: 'another' });
    await expect(source.check()).rejects.toThrow('does not accept the token (401)');
  });
});

describe('a webhook', () => {
  const about = (data: object) =>
    pagerduty.webhook?.objectsOf('', { event: { id: '1', event_type: 'incident.x', data } });

  test('A webhook names its incident, also where it is about a note of one', () => {
    const named = [{ id: 'incident@Q7', kind: 'incident', scope: '', reference: 'Q7' }];
    expect(about({ id: 'Q7', type: 'incident' })).toEqual(named);
    expect(about({ id: 'N1', type: 'incident_note', incident: { id: 'Q7' } })).toEqual(named);
  });

  test.each([{ id: '../services', type: 'incident' }, { id: 'P1', type: 'service' }, {}])(
    'A webhook is about nothing else: %j',
    (data) => {
      expect(about(data)).toEqual([]);
    },
  );

  test('A webhook of another service than those that are read brings nothing', async () => {
    const { source } = await opened(pagerdutyCase.makeWorld() as PagerdutyWorld, { services: ['Search'] });
    const page = await source.reread?.({ id: '', kind: 'incident', scope: '', reference: 'Q2' });
    expect(page?.records).toEqual([]);
  });
});
