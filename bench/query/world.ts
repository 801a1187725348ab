import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { type App, openApp } from '../../src/main.ts';
import { fillHistory, isBot, isOnboarded, personId } from './history.ts';
import { large, type Size, small, smallOnes, tiny, young } from './sizes.ts';

export interface Organisation {
  /** What it is called where all organisations share their tables. */
  readonly number: number;
  readonly id: string;
  readonly file: string;
  readonly size: Size;
  /** What an Owner asks with. */
  readonly key: string;
}

export interface BenchWorld {
  readonly folder: string;
  readonly large: Organisation;
  readonly young: Organisation;
  readonly tiny: Organisation;
  readonly all: readonly Organisation[];
}

/** Makes a data folder with one large organisation, one young one, a tiny one and many small ones. */
export async function makeWorld(folder: string): Promise<BenchWorld> {
  const all = await makeOrganisations(folder, [large, young, tiny, ...Array.from({ length: smallOnes }, () => small)]);
  return worldOf(folder, all);
}

function worldOf(folder: string, all: readonly Organisation[]): BenchWorld {
  const [first, second, third] = all;
  if (!first || !second || !third) throw new Error('there is no organisation');
  return { folder, large: first, young: second, tiny: third, all };
}

/** The same organisations with files of their own: those that Plumb serves are opened by one process at a time. */
export function copyOf(world: BenchWorld, folder: string): BenchWorld {
  mkdirSync(folder, { mode: 0o700 });
  const copied = (organisation: Organisation): Organisation => {
    const file = join(folder, basename(organisation.file));
    copyFileSync(organisation.file, file, constants.COPYFILE_FICLONE);
    return { ...organisation, file };
  };
  return worldOf(folder, world.all.map(copied));
}

/** Makes a data folder with organisations that have so much history. */
export async function makeOrganisations(folder: string, sizes: readonly Size[]): Promise<readonly Organisation[]> {
  mkdirSync(folder, { mode: 0o700 });
  const all: Organisation[] = [];
  const app = await openApp({ folder, databaseUrl: undefined });
  try {
    for (const [number, size] of sizes.entries()) all.push(await found(app, folder, number, size));
  } finally {
    await app.close();
  }
  for (const { file, size } of all) await fillHistory(file, size);
  return all;
}

async function found(app: App, folder: string, number: number, size: Size): Promise<Organisation> {
  const actor = { via: 'demo' } as const;
  const { id, ownerId } = await createOrganisation(app.directory, actor, {
    name: `Organisation ${number}`,
    ownerEmail: 'owner@bench.example',
  });
  const people = Array.from({ length: size.people }, (_, n) => ({ line: n + 1, value: person(n, size) }));
  const { rejected } = await putRecords(app.directory, { organisationId: id, actor }, 'people', people);
  if (rejected[0]) throw new Error(rejected[0].detail);
  for (const { rejected } of await app.ingest.put(id, oneOfEach)) if (rejected[0]) throw new Error(rejected[0].detail);
  const { key } = await app.keys.create(id, actor, { creatorId: ownerId, name: 'bench' });
  return { number, id, size, key, file: join(folder, 'warehouse', `${id}.duckdb`) };
}

/** Every tenth is in two teams. */
function person(n: number, { teams }: Size): object {
  const team = (of: number) => `Team ${of % teams}`;
  return {
    merged_user_id: personId(n),
    name: `Person ${n}`,
    main_email: `person-${n}@bench.example`,
    github_username: `person-${n}`,
    is_bot: isBot(n),
    onboarded: isOnboarded(n),
    teams: n % 10 === 0 ? [team(n), team(n + 1)] : [team(n)],
  };
}

/** What the rows of a history are copies of. */
const oneOfEach = [
  {
    table: 'pull_requests',
    lines: [
      {
        line: 1,
        value: {
          pr_id: 'github:acme/service-0#0',
          pr_number: 0,
          pr_title: 'The first',
          source: 'github',
          repository: 'acme/service-0',
          person_login: 'person-0',
          pr_state: 'merged',
          is_draft: false,
          pr_created_at: '2015-06-01T10:00:00Z',
          pr_merged_at: '2015-06-01T12:00:00Z',
          pr_closed_at: '2015-06-01T12:00:00Z',
          base_branch: 'main',
          head_branch: 'topic-0',
          labels: ['feature'],
        },
      },
    ],
  },
  {
    table: 'pull_request_reviews',
    lines: [
      {
        line: 1,
        value: {
          pr_review_id: 'github:acme/service-0#0/review/1',
          pr_id: 'github:acme/service-0#0',
          person_login: 'person-1',
          review_state: 'approved',
          reviewed_at: '2015-06-01T11:00:00Z',
        },
      },
    ],
  },
] as const;
