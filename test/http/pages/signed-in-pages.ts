import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfiguredSources } from '../../../src/configured-sources/configured-sources.ts';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { findPerson } from '../../../src/directory/people.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import { Syncs } from '../../../src/jobs/syncs.ts';
import type { EmbeddedApp } from '../../../src/main.ts';
import type { Page, SourceKind } from '../../../src/sources/source.ts';
import { auditEntries } from '../../../src/store/audit.ts';
import { localKind, toyKind } from '../../configured-sources/toy-kind.ts';
import { type Contents, type Service, type ServiceOptions, startService } from '../../setup/running-app.ts';
import { type SignedIn, signedIn } from '../../setup/signed-in.ts';

const actor = { via: 'command', user: 'test' } as const;

/** A source whose pages come when the test says so. */
export class GatedSource {
  readonly #waiting: ((page: Page) => void)[] = [];
  #asked = () => {};

  readonly kind: SourceKind = {
    ...toyKind,
    open: ({ requests, signal }) => ({
      check: async () => {
        const { body } = await requests.get('/whoami');
        const missing = ['The project gone is not seen. Correct the setting repositories'];
        return { account: String((body as { name: string }).name), sees: ['3 repositories'], missing };
      },
      choices: async () => [
        { value: 'acme/web', changedAt: '2026-01-31T10:00:00Z' },
        { value: 'acme/old', leftOut: 'archived' },
        { value: 'acme/Api' },
      ],
      streams: () => [
        {
          id: 'pulls',
          name: 'pull requests',
          scope: 'acme/web',
          feeds: [],
          read: () =>
            new Promise((resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
              this.#waiting.push(resolve);
              this.#asked();
            }),
        },
      ],
    }),
  };

  /** Answers the next page as soon as it is asked for. */
  async answer(page: Page): Promise<void> {
    while (this.#waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.#asked = resolve;
      });
    }
    this.#waiting.shift()?.(page);
  }
}

export interface Pages {
  readonly service: Service;
  readonly owner: SignedIn;
  readonly manager: SignedIn;
  readonly engineer: SignedIn;
  readonly squadLead: SignedIn;
  readonly gated: GatedSource;
  readonly syncs: Syncs;
  /** Where a host answers that the operator lets pages name. */
  readonly hostUrl: string;
  /** Another organisation, with an Owner, a person, a team, a key and a source of its own. */
  readonly other: OtherOrganisation;
  version(): Promise<number>;
  /** The newest actions in the audit log, newest first. */
  audited(most: number): Promise<{ action: string; subject: string; via: string; actor: string | null }[]>;
  close(): Promise<void>;
}

export interface OtherOrganisation {
  readonly id: string;
  readonly personId: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly key: string;
  readonly sourceId: string;
}

const emails = {
  owner: 'ada@example.com',
  manager: 'grace@example.com',
  engineer: 'edsger@example.com',
  squadLead: 'asa@example.com',
} as const;
type Somebody = keyof typeof emails;

interface PagesContents {
  readonly other: OtherOrganisation;
  readonly sessions: Readonly<Record<Somebody, { readonly id: string; readonly token: string }>>;
}

/** The other organisation, and a session of everyone. */
const pagesContents: Contents = {
  name: 'pages',
  async put(app, organisationId): Promise<PagesContents> {
    const sources = sourcesOf(app, new GatedSource().kind);
    const begin = async (somebody: Somebody) => {
      const { effective } = await app.store.read((session) => findPerson(session, organisationId, emails[somebody]));
      const { id, token } = await app.sessions.begin(organisationId, effective.id, 'password');
      return { id, token };
    };
    return {
      other: await makeOther(app, sources),
      sessions: {
        owner: await begin('owner'),
        manager: await begin('manager'),
        engineer: await begin('engineer'),
        squadLead: await begin('squadLead'),
      },
    };
  },
};

const sourcesOf = (app: EmbeddedApp, gated: SourceKind): ConfiguredSources =>
  new ConfiguredSources({
    store: app.store,
    secrets: app.secrets,
    kinds: [gated, localKind],
    now: app.now,
    sourceHosts: ['127.0.0.1'],
    environment: { TOY_TOKEN: 'word' },
    addressesOf: async (name) => (name === 'inside.example' ? ['10.0.0.5'] : ['203.0.113.7']),
  });

/** A service whose pages can be asked by people of every role, beside an organisation that is none of their business. */
export async function startPages(options: ServiceOptions = {}): Promise<Pages> {
  const host = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ name: 'ada' }));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const gated = new GatedSource();
  let syncs: Syncs | undefined;
  const parts = (app: EmbeddedApp) => {
    const sources = sourcesOf(app, gated.kind);
    const prepare: ConfiguredSources['prepare'] = (row) => sources.prepare(row);
    const onError = (error: unknown) => {
      throw error;
    };
    syncs = new Syncs({ directory: app.directory, ingest: app.ingest, prepare, holder: 'test', onError });
    return { sources, syncs, ...options.parts?.(app) };
  };
  const service = await startService({ isQuick: true, ...options, contents: pagesContents, parts });
  const { app, organisationId } = service;
  const { other, sessions } = service.contents as PagesContents;
  return {
    service,
    owner: signedIn(service, sessions.owner),
    manager: signedIn(service, sessions.manager),
    engineer: signedIn(service, sessions.engineer),
    squadLead: signedIn(service, sessions.squadLead),
    gated,
    syncs: syncs as unknown as Syncs,
    hostUrl: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    other,
    version: async () => {
      const rows = await app.store.read((session) =>
        session.rows<{ version: number }>('SELECT version FROM organisations WHERE id = $1', [organisationId]),
      );
      return Number(rows[0]?.version ?? 0);
    },
    audited: (most) => app.store.read((session) => auditEntries(session, organisationId, most)),
    async close() {
      await service.close();
      host.close();
    },
  };
}

async function makeOther(app: EmbeddedApp, sources: ConfiguredSources): Promise<OtherOrganisation> {
  const { id, ownerId } = await createOrganisation(app.directory, actor, {
    name: 'Difference Engines',
    ownerEmail: 'charles@example.net',
  });
  const context = { organisationId: id, actor };
  await putRecords(app.directory, context, 'teams', [
    { line: 1, value: { team_id: 'of-others', team_name: 'Theirs' } },
  ]);
  const made = await app.keys.create(id, actor, { creatorId: ownerId, name: 'theirs' });
  const source = await sources.add({ ...context, origin: 'command' }, 'toy', 'Theirs', { token: 'word' });
  return { id, personId: ownerId, teamId: 'of-others', keyId: made.id, key: made.key, sourceId: source.id };
}
