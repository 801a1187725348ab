import { isoText, secondsOfDay } from '../../calendar.ts';
import type { Answer, Asking, Requests } from '../host-port.ts';
import { offsetPage, type PageOfList, readAll, secondsOf } from '../paging.ts';
import { Payload } from '../payload.ts';
import {
  type ChangedObject,
  type Check,
  type OpenSource,
  type Page,
  type PickableItem,
  type SettingField,
  type SettingValues,
  type SourceKind,
  type SourceOpening,
  SourceProblem,
  type Stream,
} from '../source.ts';
import {
  addressField,
  allowHostsField,
  keepFreeField,
  repositoryByName,
  sinceField,
  tokenField,
} from '../source-settings.ts';
import { newestFirstStream } from '../streams/newest-first-stream.ts';
import { openThingsStream } from '../streams/open-things-stream.ts';
import { windowsDown } from '../streams/time-windows.ts';
import { type DeliveryReader, isPathName, objectsIn } from '../webhooks.ts';
import { convertIncidents, type IncidentContext, incidentId } from './convert.ts';

const settings: readonly SettingField[] = [
  addressField(
    'address of PagerDuty’s API (https://api.eu.pagerduty.com in the European service)',
    'https://api.pagerduty.com',
  ),
  tokenField('API key', 'REST API key, read-only is enough'),
  {
    name: 'services',
    label: 'Services',
    meaning: 'whose incidents are read, by name or id (all that the key sees when unset)',
    type: 'list',
    isPicked: true,
  },
  {
    name: 'service_repositories',
    label: 'Repositories of services',
    meaning: 'which repository each service is, Service=owner/name (incidents of other services count nowhere)',
    type: 'list',
    isRepositoryMap: true,
  },
  sinceField('incident that was opened'),
  keepFreeField,
  allowHostsField,
];

const day = 24 * 3_600;
const pageSize = 100;
/** Of a list PagerDuty gives no more: a request behind it is refused. */
const maxItems = 10_000;
/** It gives at most six months at a time. */
const maxWidth = 180 * day;
/** PagerDuty has no incident that is older than itself. */
const earliest = secondsOfDay('2009-01-01');
/** Titles and priorities change for a while after an incident is opened. How it ends is looked for apart from that. */
const rereadSeconds = 7 * day;

interface Service {
  readonly id: string;
  readonly name: string;
}

/** The services of an account, and how its incidents are asked for. */
class OpenPagerduty implements OpenSource {
  readonly #requests: Requests;
  readonly #settings: SettingValues;
  readonly #context: IncidentContext;

  constructor({ requests, settings: values, host }: SourceOpening) {
    this.#requests = requests;
    this.#settings = values;
    this.#context = { host, repositoryOf: repositoryByName(values.service_repositories) };
  }

  async check(): Promise<Check> {
    const { services, missing, at } = await this.#chosenServices();
    const named = services.map(({ name }) => name);
    const unmapped = named.filter((name) => this.#context.repositoryOf(name) === null);
    const incidents = await this.#get('/incidents', { query: { limit: 1 }, alsoGood: [403] });
    return {
      sees: [counted(services.length, 'service')],
      missing: [
        ...missing.map((name) => `${unseenService(name)}. ${giveAccess}`),
        ...(incidents.status === 403 ? ['Incidents cannot be read: make a REST API key of the account'] : []),
        ...(unmapped.length > 0 ? [withoutRepository(unmapped)] : []),
      ],
      clockDifferenceSeconds: at - Math.floor(Date.now() / 1_000),
    };
  }

  async choices(): Promise<readonly PickableItem[]> {
    const { all } = await this.#chosenServices();
    return all.map(({ id, name }) => ({ value: id, label: name }));
  }

  async *streams(): AsyncIterable<Stream> {
    const { services, missing, at } = await this.#chosenServices();
    if (services.length === 0) throw noServices(missing);
    // All services need no filter, which an address has not always room for.
    const chosen = this.#settings.services === undefined ? [] : services.map(({ id }) => id);
    const { since, services: names, service_repositories: repositories } = this.#settings;
    const readFrom = typeof since === 'string' ? secondsOfDay(since) : undefined;
    const windows = windowsDown({
      now: at,
      startsAt: readFrom ?? earliest,
      firstWidth: 30 * day,
      maxWidth,
      fewItems: maxItems / 4,
      ask: ({ from, until }, next) =>
        this.#incidents(chosen, { since: isoText(from), until: isoText(until), sort_by: 'created_at:desc' }, next),
    });
    yield newestFirstStream({
      id: 'incidents',
      name: 'incidents',
      scope: '',
      feeds: ['incidents'],
      rereadSeconds,
      readFrom,
      notSeen: missing.map((name) => ({ why: 'right', what: unseenService(name), toDo: `${giveAccess}.` })),
      basis: JSON.stringify([names, repositories]),
      ask: windows,
      timeOf: (incident) => secondsOf(incident.time('created_at')),
      convert: (incidents) => convertIncidents(this.#context, incidents),
    });
    const open = { date_range: 'all', 'statuses[]': ['triggered', 'acknowledged'] };
    yield openThingsStream({
      id: 'open_incidents',
      name: 'open incidents',
      scope: '',
      feeds: ['incidents'],
      list: () => readAll((next) => this.#incidents(chosen, open, next)),
      idOf: (incident) => incident.text('id'),
      convert: (incidents) => convertIncidents(this.#context, incidents),
      reread: (id) => this.#reread(id),
    });
  }

  reread({ reference }: ChangedObject): Promise<Page> {
    return this.#reread(String(reference));
  }

  async #reread(id: string): Promise<Page> {
    const { status, body, at } = await this.#get(`/incidents/${id}`, { alsoGood: [404] });
    const gone = [{ incident_id: incidentId(this.#context.host, id), _deleted: true }];
    if (status === 404) return { records: [{ table: 'incidents', records: gone }], count: 1, at };
    const incident = Payload.of(body, 'answer').object('incident');
    if (!this.#isWanted(incident.objectOrNull('service'))) return { records: [], count: 0, at };
    return { ...convertIncidents(this.#context, [Payload.of(body, 'answer').raw('incident')]), count: 1, at };
  }

  /** Webhooks of the whole account tell of services that are not to be read, too. */
  #isWanted(service: Payload | null): boolean {
    const wanted = namesIn(this.#settings.services);
    if (wanted.length === 0) return true;
    return [service?.textOrNull('id'), service?.textOrNull('summary')].some((name) =>
      wanted.some((one) => isSame(one, name)),
    );
  }

  async #chosenServices() {
    const { items, at } = await readAll(async (next) => {
      const offset = Number(next ?? 0);
      const answer = await this.#get('/services', { query: { limit: pageSize, offset } });
      return offsetPage(answer, { field: 'services', offset, isMore: isMore(answer) });
    });
    const all = Payload.listOf(items, 'service').map(serviceOf);
    const wanted = namesIn(this.#settings.services);
    const isNamed = ({ id, name }: Service) => wanted.some((one) => isSame(one, id) || isSame(one, name));
    return {
      all,
      services: wanted.length === 0 ? all : all.filter(isNamed),
      missing: wanted.filter((one) => !all.some(({ id, name }) => isSame(one, id) || isSame(one, name))),
      at,
    };
  }

  async #incidents(
    services: readonly string[],
    query: Readonly<Record<string, string | readonly string[]>>,
    next: PageOfList['next'],
  ): Promise<PageOfList & { readonly isFull: boolean }> {
    const offset = Number(next ?? 0);
    const asked = { ...query, 'service_ids[]': services, time_zone: 'UTC', limit: pageSize, offset };
    const answer = await this.#get('/incidents', { query: asked });
    const isFull = isMore(answer) && offset + 2 * pageSize > maxItems;
    return { ...offsetPage(answer, { field: 'incidents', offset, isMore: isMore(answer) && !isFull }), isFull };
  }

  #get(path: string, asking: Asking): Promise<Answer> {
    return this.#requests.get(path, { ...asking, headers: { accept: 'application/vnd.pagerduty+json;version=2' } });
  }
}

const isMore = ({ body }: Answer): boolean => Payload.of(body, 'answer').isTrue('more');

function serviceOf(service: Payload): Service {
  const id = service.text('id');
  return { id, name: service.textOrNull('name') ?? service.textOrNull('summary') ?? id };
}

const namesIn = (value: SettingValues[string] | undefined): readonly string[] => (Array.isArray(value) ? value : []);

const isSame = (one: string, other: string | null | undefined): boolean => one.toLowerCase() === other?.toLowerCase();

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const unseenService = (name: string): string => `The service ${name} is not seen`;
const giveAccess = 'Correct the setting services, or give the key access';

const withoutRepository = (services: readonly string[]): string =>
  `${counted(services.length, 'service')} without a repository (${services.slice(0, 5).join(', ')}${services.length > 5 ? ', …' : ''}): ` +
  'their incidents count nowhere. Name their repositories in service_repositories';

const noServices = (missing: readonly string[]): SourceProblem =>
  missing.length > 0
    ? new SourceProblem(
        `None of the services is seen: ${missing.slice(0, 5).join(', ')}`,
        'Correct the setting services, or give the key access to them.',
      )
    : new SourceProblem('The key sees no service', 'Make a REST API key of the account that has the services.');

const changedIncident: DeliveryReader = (payload) => {
  const data = payload.object('event').object('data');
  // Notes and responders say in which incident they are.
  const incident = data.textOrNull('type') === 'incident' ? data : data.object('incident');
  const id = incident.text('id');
  return isPathName(id) ? { id: `incident@${id}`, kind: 'incident', scope: '', reference: id } : undefined;
};

export const pagerduty: SourceKind = {
  kind: 'pagerduty',
  label: 'PagerDuty',
  meaning: 'Incidents of PagerDuty: they tell which deployments failed, and when production was well again.',
  accounts: 'own',
  settings,
  authorization: ({ token }) => ({ authorization: `Token token=${token}` }),
  webhook: {
    signature: { header: 'x-pagerduty-signature', prefix: 'v1=', isMadeByProvider: true },
    objectsOf: objectsIn((_, payload) => changedIncident(payload)),
  },
  open: (opening) => new OpenPagerduty(opening),
};
