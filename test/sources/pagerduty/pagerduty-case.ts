import { pagerduty } from '../../../src/sources/pagerduty/pagerduty.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

export interface ReplayedIncident {
  id: string;
  created_at: string;
  resolved_at: string | null;
  status: 'triggered' | 'acknowledged' | 'resolved';
  service: { id: string; summary: string };
  [field: string]: unknown;
}

export interface PagerdutyWorld {
  readonly services: { readonly id: string; readonly name: string }[];
  readonly incidents: ReplayedIncident[];
}

export const pagerdutyNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const pagerdutyToken = 'key-of-nobody-in-particular';
const day = 86_400;
const sixMonths = 184 * day;
export const daysAgo = (days: number): string =>
  new Date((pagerdutyNow - days * day) * 1_000).toISOString().replace('.000', '');

export const someServices = [
  { id: 'PCHECK', name: 'Checkout' },
  { id: 'PSEARCH', name: 'Search' },
];

export function someIncident(
  number: number,
  createdAt: string,
  more: Partial<ReplayedIncident> = {},
): ReplayedIncident {
  const service = someServices[number % 2] ?? { id: '', name: '' };
  const resolvedAt = new Date(Date.parse(createdAt) + 3_600_000).toISOString();
  return {
    id: `Q${number}`,
    type: 'incident',
    incident_number: number,
    title: `Incident ${number}`,
    summary: `[#${number}] Incident ${number}`,
    created_at: createdAt,
    updated_at: resolvedAt,
    last_status_change_at: resolvedAt,
    status: 'resolved',
    resolved_at: resolvedAt,
    urgency: number % 2 === 0 ? 'high' : 'low',
    priority: number % 3 === 0 ? { id: 'P1', summary: 'P1' } : null,
    service: { id: service.id, summary: service.name },
    html_url: `https://acme.pagerduty.com/incidents/Q${number}`,
    teams: [],
    ...more,
  };
}

const open = { status: 'triggered', resolved_at: null } as const;

/** Twelve incidents within three years, three of them still open, one of them since a year. */
const makeWorld = (): PagerdutyWorld => ({
  services: [...someServices],
  incidents: [0.5, 2, 9, 20, 28, 40, 90, 200, 365, 366, 700, 1_000].map((days, number) =>
    someIncident(number, daysAgo(days), [0, 3, 8].includes(number) ? open : {}),
  ),
});

/** PagerDuty as it is documented: six months at most, thirty days unless said otherwise, no more than ten thousand of a list. */
export function pagerdutyAnswer(world: PagerdutyWorld, { path, query, headers }: AskedRequest): Reply {
  if (headers.authorization !== `Token token=${pagerdutyToken}`) return { status: 401, body: {} };
  const [, id] = /^\/incidents\/(\w+)$/.exec(path) ?? [];
  if (id !== undefined) {
    const incident = world.incidents.find((each) => each.id === id);
    return incident ? { status: 200, body: { incident } } : { status: 404, body: { error: { code: 2100 } } };
  }
  if (path === '/services') return listed('services', world.services, query);
  if (path !== '/incidents') return { status: 404, body: {} };
  const [until, since] = [query.get('until') ?? daysAgo(0), query.get('since') ?? daysAgo(30)].map(
    (text) => Date.parse(text) / 1_000,
  ) as [number, number];
  const isAll = query.get('date_range') === 'all';
  if (!isAll && (Number.isNaN(until - since) || until - since > sixMonths))
    return { status: 400, body: { error: { code: 2001 } } };
  const [statuses, services] = [query.getAll('statuses[]'), query.getAll('service_ids[]')];
  const found = world.incidents.filter(({ created_at, status, service }) => {
    const at = Date.parse(created_at) / 1_000;
    const isIn = isAll || (at >= since && at < until);
    return (
      isIn &&
      (statuses.length === 0 || statuses.includes(status)) &&
      (services.length === 0 || services.includes(service.id))
    );
  });
  return listed(
    'incidents',
    found.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    query,
  );
}

function listed(field: string, items: readonly unknown[], query: URLSearchParams): Reply {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 25)];
  if (limit > 100 || offset + limit > 10_000) return { status: 400, body: { error: { code: 2001 } } };
  const page = items.slice(offset, offset + limit);
  return { status: 200, body: { [field]: page, offset, limit, more: offset + limit < items.length, total: null } };
}

const incidentIn = ({ incidents }: PagerdutyWorld, id: string): ReplayedIncident => {
  const found = incidents.find((incident) => incident.id === id);
  if (!found) throw new Error(`there is no incident ${id}`);
  return found;
};

const resolve = (incident: ReplayedIncident): void => {
  Object.assign(incident, { status: 'resolved', resolved_at: daysAgo(0) });
};

export const pagerdutyCase: ContractCase<PagerdutyWorld> = {
  kind: pagerduty,
  settings: { service_repositories: ['Checkout=acme/web'] },
  secrets: { token: pagerdutyToken },
  now: pagerdutyNow,
  makeWorld,
  answer: pagerdutyAnswer,
  table: 'incidents',
  orderedBy: 'opened_at',
  rows: 12,
  // Services, the newest incidents and the open ones.
  maxQuietRequests: 3,
  changes: {
    'a new incident': { make: ({ incidents }) => incidents.push(someIncident(90, daysAgo(0.01), open)), rows: 13 },
    'the end of one that is open since a year': { make: (world) => resolve(incidentIn(world, 'Q8')), rows: 12 },
    'an old incident that is opened again': {
      make: (world) => Object.assign(incidentIn(world, 'Q10'), open),
      rows: 12,
    },
    'another title and priority of one of this week': {
      make: (world) => Object.assign(incidentIn(world, 'Q1'), { title: 'Payments fail', priority: { summary: 'P2' } }),
      rows: 12,
    },
    'an open incident that is gone': {
      make: ({ incidents }) =>
        incidents.splice(
          incidents.findIndex(({ id }) => id === 'Q8'),
          1,
        ),
      rows: 11,
    },
    'one that arrives late': { make: ({ incidents }) => incidents.push(someIncident(91, daysAgo(3))), rows: 13 },
  },
  broken: { isAsked: ({ query }) => query.has('statuses[]'), minRows: 12 },
  changed: {
    object: { id: 'incident@Q1', kind: 'incident', scope: '', reference: 'Q1' },
    remove: ({ incidents }) => incidents.splice(1, 1),
  },
};
