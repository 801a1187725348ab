import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { ChangeContext, Directory } from '../directory/directory.ts';
import { createOrganisation, setOrganisation } from '../directory/organisations.ts';
import { putRecords } from '../directory/records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { Refusal } from '../refusal.ts';
import { findCursor, putCursor } from '../store/cursors.ts';
import { findOrganisation } from '../store/organisations.ts';
import { type DemoOptions, type DemoOrganisation, demoOrganisations } from './demo-organisations.ts';
import { demoHistory } from './history/demo-history.ts';

export interface FilledOrganisation {
  readonly id: string;
  readonly name: string;
  readonly owner_email: string;
  readonly people: number;
  readonly teams: number;
}

export interface FillOptions extends DemoOptions {
  /** The last day of the history, YYYY-MM-DD. Two days ago when it is not said: a day that is over everywhere. */
  readonly until?: string | undefined;
}

export interface FillParts {
  readonly directory: Directory;
  readonly ingest: Ingest;
}

/**
 * Fills in the demo organisations and two years of their history. One that is complete is left alone, whatever has been
 * changed in it since; one whose filling was interrupted is filled again.
 */
export async function fillDemo({ directory, ingest }: FillParts, options: FillOptions): Promise<FilledOrganisation[]> {
  if (!Number.isFinite(options.scale) || options.scale < 1) {
    throw new Refusal('bad-input', `The scale must be a number from 1 up, not ${options.scale}.`);
  }
  const until = lastDay(options.until, directory.now());
  const filled: FilledOrganisation[] = [];
  for (const organisation of demoOrganisations(options)) {
    if (!(await isMarked(directory, organisation.id, 'directory'))) await fillOrganisation(directory, organisation);
    if (!(await isMarked(directory, organisation.id, 'history'))) {
      // Begun on one day and resumed on another it must still be one history.
      const begun = (await markOf(directory, organisation.id, 'history begun')) ?? until;
      await mark(directory, organisation.id, 'history begun', begun);
      await fillHistory(ingest, organisation, { ...options, until: begun });
      await mark(directory, organisation.id, 'history', begun);
    }
    filled.push({
      id: organisation.id,
      name: organisation.name,
      owner_email: ownerEmail(organisation),
      people: organisation.people.length,
      teams: organisation.teams.length,
    });
  }
  return filled;
}

/** Whether a store has anything of this demo in it. */
export function holdsDemo(organisationIds: readonly string[], options: DemoOptions): boolean {
  const demo = new Set(demoOrganisations(options).map(({ id }) => id));
  return organisationIds.some((id) => demo.has(id));
}

/** Written last, in the way a connector remembers how far it has read. */
type Stream = 'directory' | 'history begun' | 'history';

function markOf(directory: Directory, organisationId: string, stream: Stream): Promise<string | undefined> {
  return directory.store.read((session) => findCursor(session, organisationId, 'demo', stream));
}

async function isMarked(directory: Directory, organisationId: string, stream: Stream): Promise<boolean> {
  return (await markOf(directory, organisationId, stream)) !== undefined;
}

async function mark(directory: Directory, organisationId: string, stream: Stream, value: string): Promise<void> {
  await directory.store.change(organisationId, (session) => putCursor(session, 'demo', stream, value, directory.now()));
}

function lastDay(until: string | undefined, now: Date): string {
  if (until === undefined) return new Date(now.getTime() - 2 * 86_400_000).toISOString().slice(0, 10);
  const day = new Date(`${until}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(until)) {
    throw new Refusal('bad-input', `The last day must be a date such as 2026-06-30, not '${until}'.`);
  }
  return until;
}

async function fillHistory(
  ingest: Ingest,
  organisation: DemoOrganisation,
  options: DemoOptions & { readonly until: string },
): Promise<void> {
  for (const { tables } of demoHistory(organisation, { ...options, rowsMost: rowsAtOnce })) {
    const batch = tables.map(({ table, records }) => ({
      table,
      lines: records.map((value, i) => ({ line: i + 1, value })),
    }));
    for (const [i, { rejected }] of (await ingest.put(organisation.id, batch)).entries()) {
      const [first] = rejected;
      if (first)
        throw new Error(`demo ${tables[i]?.table} of ${organisation.name}, record ${first.line}: ${first.detail}`);
    }
  }
}

/** Larger batches take fewer looks at what is there; smaller ones less memory. */
const rowsAtOnce = 20_000;

async function fillOrganisation(directory: Directory, organisation: DemoOrganisation): Promise<void> {
  const context: ChangeContext = { organisationId: organisation.id, actor: { via: 'demo' } };
  if (!(await directory.store.read((session) => findOrganisation(session, organisation.id)))) {
    const { id, name } = organisation;
    await createOrganisation(directory, context.actor, { id, name, ownerEmail: ownerEmail(organisation) });
  }
  await setOrganisation(directory, context, {
    time_zone: organisation.timeZone,
    ...Object.fromEntries(Object.entries(organisation.settings).map(([name, value]) => [name, String(value)])),
  });
  const put = async (table: DirectoryTable, records: readonly object[]) => {
    const lines = records.map((value, i) => ({ line: i + 1, value }));
    const { rejected } = await putRecords(directory, context, table, lines, { strict: true });
    const [first] = rejected;
    if (first) throw new Error(`demo ${table} of ${organisation.name}, record ${first.line}: ${first.detail}`);
  };
  await put('teams', organisation.teams);
  await put('squads', organisation.squads);
  await put('people', organisation.people);
  await put('repositories', organisation.repositories);
  await mark(directory, organisation.id, 'directory', 'filled');
}

function ownerEmail({ name, owner }: DemoOrganisation): string {
  if (owner.main_email == null) throw new Error(`the owner of ${name} has no address`);
  return owner.main_email;
}
