/**
 * A whole service over real HTTP on a free port, for tests: an embedded store in a temporary folder, one organisation,
 * and keys for people of every role. A test file starts its own and closes it:
 *
 *     const service = await startService();               // or startService({ rateLimit: 3, now: () => clock })
 *     await service.request('GET', '/teams', { key: service.keys.owner });
 *     await service.close();
 *
 * One that changes nothing takes the service that is there for all such files (test/setup/unchanged-service.ts). What
 * differs in HTTP alone, as a rate limit does, is served beside it over the same data, by `serveBeside`.
 *
 * The organisation "Analytical Engines":
 *
 * | Person | Role | Onboarded | Emails | Logins | Teams |
 * |---|---|---|---|---|---|
 * | Ada Lovelace | Owner | yes | ada@example.com, lovelace@example.org | github ada | Payments |
 * | Grace Hopper | Manager | yes | grace@example.com | github grace | Payments |
 * | Edsger Dijkstra | Engineer | yes | edsger@example.com | none | Platform |
 * | Barbara Liskov | Engineer | no | barbara@example.com | github barbara, gitlab liskov | Platform |
 * | Donald Knuth | Engineer | no | donald@example.com | bitbucket tex | Research |
 * | Åsa Öberg | Squad Lead | no | asa@example.com | github asa | none |
 *
 * Teams: Payments (department Product), Platform (no department), Research (nobody onboarded).
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as nodeRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { PersonRecord } from '../../src/catalogue/directory-records.ts';
import type { Actor } from '../../src/directory/directory.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { buildApp, type HttpParts } from '../../src/http/server.ts';
import { type AnswerLimits, type AppSettings, type EmbeddedApp, openApp } from '../../src/main.ts';
import { embedded, quickStore } from '../conformance/stores.ts';
import { type FreshTables, freshTables } from './clickhouse.ts';
import { threadsForFewRows } from './how-long.ts';
import { madeOnce } from './made-once.ts';
import { databaseLike, freshDatabase } from './postgres.ts';
import { throwAway } from './thrown-away.ts';

export const organisationName = 'Analytical Engines';
const actor: Actor = { via: 'command', user: 'test' };

const people = [
  {
    name: 'Ada Lovelace',
    main_email: 'ada@example.com',
    emails: ['ada@example.com', 'lovelace@example.org'],
    logins: { github: 'ada' },
    teams: ['Payments'],
  },
  {
    name: 'Grace Hopper',
    main_email: 'grace@example.com',
    logins: { github: 'grace' },
    access_role: 'Manager',
    onboarded: true,
    teams: ['Payments'],
  },
  {
    name: 'Edsger Dijkstra',
    main_email: 'edsger@example.com',
    access_role: 'Engineer',
    onboarded: true,
    teams: ['Platform'],
  },
  {
    name: 'Barbara Liskov',
    main_email: 'barbara@example.com',
    logins: { github: 'barbara', gitlab: 'liskov' },
    access_role: 'Engineer',
    onboarded: false,
    teams: ['Platform'],
  },
  {
    name: 'Donald Knuth',
    main_email: 'donald@example.com',
    logins: { bitbucket: 'tex' },
    access_role: 'Engineer',
    onboarded: false,
    teams: ['Research'],
  },
  {
    name: 'Åsa Öberg',
    main_email: 'asa@example.com',
    logins: { github: 'asa' },
    access_role: 'Squad Lead',
    onboarded: false,
  },
] satisfies PersonRecord[];

const creators = {
  owner: 'ada@example.com',
  manager: 'grace@example.com',
  engineer: 'edsger@example.com',
  squadLead: 'asa@example.com',
} as const;
type CreatorRole = keyof typeof creators;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; throws when it is not. */
  readonly json: unknown;
}

export interface HttpRequest {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON, with its content type, unless it is a text or a Buffer. */
  readonly body?: unknown;
}

/** What is in a service from its start, put once in a run of tests. */
export interface Contents {
  readonly name: string;
  /** Answers what JSON can say of it, which `Service.contents` is. */
  put(app: EmbeddedApp, organisationId: string): Promise<unknown>;
}

export interface ServiceOptions {
  readonly contents?: Contents;
  /** For very many changes of the directory: has the store in PostgreSQL, unless the run is the long one. */
  readonly isQuick?: boolean;
  /** Its tables are in ClickHouse; they are in DuckDB unless this is said. */
  readonly isOnClickHouse?: boolean;
  /** Requests a minute; 0, which is no limit, unless given. */
  readonly rateLimit?: number;
  readonly trustProxy?: boolean | readonly string[];
  readonly publicUrl?: string;
  readonly corsOrigins?: readonly string[];
  readonly openid?: AppSettings['openid'];
  readonly now?: () => Date;
  /** What answers may take, in bytes. */
  readonly answers?: AnswerLimits;
  /** Parts to put in place of the real ones. */
  readonly parts?: (app: EmbeddedApp) => Partial<HttpParts>;
}

export interface Service {
  readonly app: EmbeddedApp;
  readonly httpApp: FastifyInstance;
  /** The data folder. */
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  readonly organisationId: string;
  readonly keys: Readonly<Record<CreatorRole, string>>;
  readonly contents: unknown;
  /** Every log line so far, as it was written. */
  readonly log: readonly string[];
  /** Identifier of a person of the organisation, by email address. */
  idOf(email: string): Promise<string>;
  put(records: readonly PersonRecord[]): Promise<void>;
  signInLink(email: string): Promise<string>;
  /** Sends exactly the path given: nothing is normalised on the way, as fetch would. */
  request(method: string, path: string, asked?: HttpRequest): Promise<HttpAnswer>;
  /** Writes raw bytes to a fresh connection and reads until the service closes it, or for `ms`. */
  raw(bytes: string | Buffer, ms?: number): Promise<string>;
  close(): Promise<void>;
}

type Keys = Readonly<Record<CreatorRole, string>>;

/** Fills an empty folder with the organisation above. */
async function makeOrganisation(app: EmbeddedApp): Promise<{ readonly organisationId: string; readonly keys: Keys }> {
  const { id: organisationId } = await createOrganisation(app.directory, actor, {
    name: organisationName,
    ownerEmail: creators.owner,
  });
  await putRecords(app.directory, { organisationId, actor }, 'teams', [
    { line: 1, value: { team_name: 'Payments', department: 'Product' } },
  ]);
  await putPeople(app, organisationId, people);
  const keyOf = async (role: CreatorRole): Promise<string> => {
    const creatorId = await personId(app, organisationId, creators[role]);
    return (await app.keys.create(organisationId, actor, { creatorId, name: role })).key;
  };
  return {
    organisationId,
    keys: {
      owner: await keyOf('owner'),
      manager: await keyOf('manager'),
      engineer: await keyOf('engineer'),
      squadLead: await keyOf('squadLead'),
    },
  };
}

async function putPeople(app: EmbeddedApp, organisationId: string, records: readonly PersonRecord[]): Promise<void> {
  const lines = records.map((value, i) => ({ line: i + 1, value }));
  const { rejected } = await putRecords(app.directory, { organisationId, actor }, 'people', lines);
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
}

const personId = async (app: EmbeddedApp, organisationId: string, email: string): Promise<string> =>
  (await app.store.read((session) => findPerson(session, organisationId, email))).effective.id;

interface Made {
  readonly organisationId: string;
  readonly keys: Keys;
  readonly contents: unknown;
  /** The database of the store, where it is not in the folder. */
  readonly databaseUrl: string | null;
}

/** A folder made once in a run, by store, clock and contents: a copy of one takes a fifth of the time. */
function madeFolder({ now, contents }: ServiceOptions, isQuick: boolean): Promise<{ folder: string; value: Made }> {
  const name = `service ${isQuick ? 'quick' : ''} ${now?.().toISOString() ?? 'now'} ${contents?.name ?? ''}`;
  return madeOnce(name.replaceAll(/\W+/g, '-'), async (folder) => {
    const databaseUrl = isQuick ? (await freshDatabase()).url : undefined;
    const clock = now === undefined ? {} : { now };
    const app = await openApp({ folder, databaseUrl, threads: threadsForFewRows }, clock);
    const organisation = await makeOrganisation(app);
    await app.ingest.bringUp(organisation.organisationId);
    const put = await contents?.put(app, organisation.organisationId);
    await app.close();
    return { ...organisation, contents: put ?? null, databaseUrl: databaseUrl ?? null };
  });
}

const addressOf = ({ url, cluster }: FreshTables): string =>
  cluster === undefined ? url : `${url}?cluster=${cluster}`;

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const isQuick = options.isQuick === true && quickStore !== embedded;
  const folder = await mkdtemp(join(tmpdir(), 'plumb-http-'));
  const { folder: original, value } = await madeFolder(options, isQuick);
  await cp(original, folder, { recursive: true });
  const database = value.databaseUrl === null ? undefined : await databaseLike(value.databaseUrl);
  const tables = options.isOnClickHouse ? await freshTables() : undefined;
  const app: EmbeddedApp = await openApp(
    {
      folder,
      databaseUrl: database?.url,
      // An app whose tables are elsewhere has everything that a service uses.
      tablesUrl: (tables && addressOf(tables)) as undefined,
      answers: options.answers,
      threads: threadsForFewRows,
      openid: options.openid,
    },
    options.now === undefined ? {} : { now: options.now },
  );
  if (tables) await app.ingest.bringUp(value.organisationId);
  return serve({ ...value, app, folder }, options, async () => {
    await throwAway(folder);
    await app.close();
    await rm(folder, { recursive: true, force: true });
    await database?.drop();
    await tables?.drop();
  });
}

/** The same data over HTTP a second time, with other settings or parts. It goes on only as long as the first one does. */
export function serveBeside(
  service: Service,
  options: Pick<ServiceOptions, 'rateLimit' | 'trustProxy' | 'publicUrl' | 'corsOrigins' | 'parts'>,
): Promise<Service> {
  return serve(service, options, async () => {});
}

async function serve(
  {
    app,
    folder,
    organisationId,
    keys,
    contents,
  }: Pick<Service, 'app' | 'folder' | 'organisationId' | 'keys' | 'contents'>,
  options: ServiceOptions,
  closeData: () => Promise<void>,
): Promise<Service> {
  const idOf = (email: string): Promise<string> => personId(app, organisationId, email);
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => log.push(line) });
  const { load, ...parts } = options.parts?.(app) ?? {};
  const httpApp = await buildApp({
    authentication: app.authentication,
    sessions: app.sessions,
    signedInPerson: app.signedInPerson,
    listings: app.listings,
    directory: app.directory,
    ingest: app.ingest,
    metrics: app.metrics,
    answerMemory: app.answerMemory,
    responses: app.responses,
    warehouse: app.warehouse,
    reads: app.reads,
    signIns: app.signIns,
    passwordSignIn: app.passwordSignIn,
    choices: app.choices,
    openid: app.openid,
    lastUsed: app.lastUsed,
    dataQuality: app.dataQuality,
    webhooks: app.webhooks,
    stopLinks: app.stopLinks,
    keys: app.keys,
    roster: app.roster,
    documents: app.documents,
    pinnedBoards: app.pinnedBoards,
    goals: app.goals,
    alerts: app.alerts,
    notifications: app.notifications,
    sources: app.sources,
    syncs: app.syncs,
    dataStatuses: app.dataStatuses,
    attention: app.attention,
    dataExtents: app.dataExtents,
    matchSuggestions: app.matchSuggestions,
    backUp: app.backUp,
    now: app.now,
    ready: async () => {
      await app.store.read((session) => session.rows('SELECT 1 AS one'));
    },
    settings: {
      rateLimit: options.rateLimit ?? 0,
      trustProxy: options.trustProxy ?? false,
      publicUrl: options.publicUrl,
      corsOrigins: options.corsOrigins,
    },
    logger,
    // This process runs other tests beside the service, and nobody is refused for the time that those take.
    load: { maxDelayMs: 60_000, ...load },
    ...parts,
  });
  await httpApp.listen({ host: '127.0.0.1', port: 0 });
  const { port } = httpApp.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    app,
    httpApp,
    folder,
    url,
    port,
    organisationId,
    keys,
    contents,
    log,
    idOf,
    put: (records) => putPeople(app, organisationId, records),
    signInLink: async (email) => `/sign-in/${await app.signIns.create(organisationId, actor, await idOf(email))}`,
    request: (method, path, asked) => ask(port, method, path, asked),
    raw: (bytes, ms) => talk(port, bytes, ms),
    async close() {
      await httpApp.close();
      await closeData();
    },
  };
}

/** One request on a connection of its own. */
export function ask(
  port: number,
  method: string,
  path: string,
  { key, headers, body }: HttpRequest = {},
): Promise<HttpAnswer> {
  const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
  const payload = body === undefined ? undefined : isPlain ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = nodeRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(key === undefined ? {} : { authorization: key }),
          ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...(payload === undefined || isPlain ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text,
            get json(): unknown {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

function talk(port: number, bytes: string | Buffer, ms = 5_000): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}
