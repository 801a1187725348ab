import { createOrganisation, setOrganisation } from '../../../src/directory/organisations.ts';
import { findPerson } from '../../../src/directory/people.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import type { EmbeddedApp } from '../../../src/main.ts';
import { addSource, putStreams } from '../../../src/store/source-rows.ts';
import { type Contents, type Service, startService } from '../../setup/running-app.ts';
import { signedIn } from '../../setup/signed-in.ts';
import { KeptAnswers } from './kept-answers.ts';
import { madeHistory } from './made-history.ts';
import { type MadeOrganisation, type MadeStream, now } from './organisations.ts';

const actor = { via: 'command', user: 'test' } as const;

/** Who opens pages, by role. A Manager sees one team, a Squad Lead one squad. */
export const roles = ['Owner', 'Manager', 'Squad Lead', 'Engineer'] as const;
export type Role = (typeof roles)[number];

/** The first four are the readers, in the order of the roles. */
const names = ['olga', 'mona', 'lina', 'emil', 'pat', 'quinn', 'rosa', 'sven'] as const;
const emailOf = (name: string): string => `${name}@example.com`;
export const people = names.map(emailOf);
const readers = Object.fromEntries(roles.map((role, at) => [role, people[at] ?? ''])) as Record<Role, string>;
const squad = ['lina', 'quinn'];

/** Who is signed in to which organisation. */
export interface Reader {
  readonly role: Role;
  readonly organisation: MadeOrganisation;
  readonly url: string;
  readonly cookie: string;
  readonly answers: KeptAnswers;
}

interface Made {
  readonly id: string;
  readonly readers: Readonly<Record<Role, string>>;
}

/** One service with all of the organisations, which nothing changes. */
export interface MadeService {
  readonly service: Service;
  readonly organisations: readonly MadeOrganisation[];
  readonly readerOf: (organisation: MadeOrganisation, role: Role) => Promise<Reader>;
}

export async function startMadeService(name: string, organisations: readonly MadeOrganisation[]): Promise<MadeService> {
  const contents: Contents = {
    name,
    async put(app) {
      const made: Record<string, Made> = {};
      for (const organisation of organisations) made[organisation.name] = await makeOrganisation(app, organisation);
      return made;
    },
  };
  const service = await startService({ now: () => new Date(now), contents });
  const made = service.contents as Readonly<Record<string, Made>>;
  return {
    service,
    organisations,
    async readerOf(organisation, role) {
      const { id, readers } = made[organisation.name] as Made;
      const begun = await service.app.sessions.begin(id, readers[role], 'password');
      const { cookie } = signedIn(service, begun);
      return { role, organisation, url: service.url, cookie, answers: new KeptAnswers() };
    },
  };
}

async function makeOrganisation(app: EmbeddedApp, made: MadeOrganisation): Promise<Made> {
  const { name, zone, history, streams = [], teams = 3 } = made;
  const { id: organisationId } = await createOrganisation(app.directory, actor, { name, ownerEmail: readers.Owner });
  const context = { organisationId, actor };
  await setOrganisation(app.directory, context, {
    team_restrictions: 'true',
    // Benchmarks ask every organisation that takes part: as few as they need.
    benchmark_opt_out: String(history === undefined),
    ...(zone === undefined ? {} : { time_zone: zone }),
  });
  const teamOf = (at: number): string => `Team ${1 + (at % teams)}`;
  await put(app, organisationId, 'people', [
    ...names.map((name, at) => ({
      name,
      main_email: emailOf(name),
      access_role: roles[at] ?? 'Engineer',
      teams: [teamOf(at)],
      ...(squad.includes(name) ? { squads: ['Rockets'] } : {}),
      ...(name === 'mona' ? { managed_teams: [teamOf(at)] } : {}),
    })),
  ]);
  await put(app, organisationId, 'squads', [{ squad_name: 'Rockets', squad_level: 1, lead_email: emailOf('lina') }]);
  await app.ingest.bringUp(organisationId);
  if (history) {
    const batch = Object.entries(madeHistory({ ...history, people })).map(([table, values]) => ({
      table: table as Parameters<typeof app.ingest.put>[1][number]['table'],
      lines: values.map((value, line) => ({ line, value })),
    }));
    const rejected = (await app.ingest.put(organisationId, batch)).flatMap((outcome) => outcome.rejected);
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected[0]));
  }
  if (streams.length > 0) await connect(app, organisationId, streams);
  const ids = await app.store.read(async (session) => {
    const found: [string, string][] = [];
    for (const role of roles)
      found.push([role, (await findPerson(session, organisationId, readers[role])).effective.id]);
    return found;
  });
  return { id: organisationId, readers: Object.fromEntries(ids) as Record<Role, string> };
}

async function put(
  app: EmbeddedApp,
  organisationId: string,
  table: 'people' | 'squads',
  records: readonly object[],
): Promise<void> {
  const lines = records.map((value, line) => ({ line, value }));
  const { rejected } = await putRecords(app.directory, { organisationId, actor }, table, lines);
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected[0]));
}

async function connect(app: EmbeddedApp, organisationId: string, streams: readonly MadeStream[]): Promise<void> {
  const source = `source-of-${organisationId}`;
  await app.store.change(organisationId, (session) =>
    addSource(session, {
      id: source,
      organisation_id: organisationId,
      kind: 'github',
      name: 'Host',
      name_key: 'host',
      added_by: 'command',
      settings: '{}',
      secrets: null,
      webhook_secret: null,
      created_at: new Date('2026-01-01T00:00:00Z'),
    }),
  );
  await app.store.note((session) =>
    putStreams(
      session,
      streams.map(({ name, feeds, completeAt, newestReport, isForbidden = false, failingSince }) => ({
        source_id: source,
        stream_id: name,
        organisation_id: organisationId,
        name,
        scope: '',
        state: '{}',
        updated_at: new Date(completeAt),
        succeeded_at: new Date(completeAt),
        failed_at: failingSince === undefined ? null : new Date(now),
        error: failingSince === undefined && !isForbidden ? null : 'It could not be read',
        to_do: null,
        read_count: 1,
        estimated_count: null,
        newest_record_at: newestReport === undefined ? new Date(completeAt) : new Date(newestReport),
        feeds: JSON.stringify(feeds),
        is_daily: newestReport !== undefined,
        complete_at: new Date(completeAt),
        read_back_to: null,
        failing_since: failingSince === undefined ? null : new Date(failingSince),
        is_refused: isForbidden,
        not_seen: null,
      })),
    ),
  );
}
