import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { ChangeContext, Directory } from '../directory/directory.ts';
import { createOrganisation, setOrganisation } from '../directory/organisations.ts';
import { putRecords } from '../directory/records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { Refusal } from '../refusal.ts';
import { findCursor, putCursor } from '../store/cursors.ts';
import { findOrganisation } from '../store/organisations.ts';
import { type DemoOptions, type DemoOrganisation, demoOrganisations } from './demo-organisations.ts';
import { demoHistory, type HistoryOptions } from './history/demo-history.ts';

export type FilledOrganisation = Awaited<ReturnType<typeof fillDemo>>[number];

export interface FillOptions extends DemoOptions {
  /** The last day of the history, YYYY-MM-DD. Two days ago when it is not said: a day that is over everywhere. */
  readonly until?: string | undefined;
}

const rowsMost = 20_000;

/**
 * Fills in the demo organisations and two years of their history. One that is complete is left alone, whatever has been
 * changed in it since; one whose filling was interrupted is filled again.
 */
export async function fillDemo(
  { directory, ingest }: { readonly directory: Directory; readonly ingest: Ingest },
  options: FillOptions,
) {
  if (!Number.isFinite(options.scale) || options.scale < 1) {
    throw new Refusal('bad-input', `The scale must be a number from 1 up, not ${options.scale}.`);
  }
  const until = lastDay(options.until, directory.now());
  const filled: { id: string; name: string; owner_email: string; people: number; teams: number }[] = [];
  for (const organisation of demoOrganisations(options)) {
    const { id, name, people, teams } = organisation;
    const owner_email = organisation.owner.main_email ?? '';
    const markOf = (stream: string) => directory.store.read((session) => findCursor(session, id, 'demo', stream));
    const mark = (stream: string, value: string) =>
      directory.store.change(id, (session) => putCursor(session, 'demo', stream, value, directory.now()));
    if ((await markOf('directory')) === undefined) {
      await fillDirectory(directory, organisation, owner_email);
      await mark('directory', 'filled');
    }
    if ((await markOf('history')) === undefined) {
      // Begun on one day and resumed on another it must still be one history.
      const begun = (await markOf('history begun')) ?? until;
      await mark('history begun', begun);
      await fillHistory(ingest, organisation, { ...options, until: begun, rowsMost });
      await mark('history', begun);
    }
    filled.push({ id, name, owner_email, people: people.length, teams: teams.length });
  }
  return filled;
}

export function holdsDemo(organisationIds: readonly string[], options: DemoOptions): boolean {
  return demoOrganisations(options).some(({ id }) => organisationIds.includes(id));
}

function lastDay(until: string | undefined, now: Date): string {
  if (until === undefined) return new Date(now.getTime() - 2 * 86_400_000).toISOString().slice(0, 10);
  const day = new Date(`${until}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(until)) {
    throw new Refusal('bad-input', `The last day must be a date such as 2026-06-30, not '${until}'.`);
  }
  return until;
}

const numbered = (records: readonly object[]) => records.map((value, index) => ({ line: index + 1, value }));

function refuseRejected(table: string, [first]: readonly { readonly line: number; readonly detail: string }[]): void {
  if (first) throw new Error(`demo ${table}, record ${first.line}: ${first.detail}`);
}

async function fillHistory(ingest: Ingest, organisation: DemoOrganisation, options: HistoryOptions): Promise<void> {
  for (const { tables } of demoHistory(organisation, options)) {
    const batch = tables.map(({ table, records }) => ({ table, lines: numbered(records) }));
    for (const [index, { rejected }] of (await ingest.put(organisation.id, batch)).entries()) {
      refuseRejected(tables[index]?.table ?? '', rejected);
    }
  }
}

async function fillDirectory(directory: Directory, organisation: DemoOrganisation, ownerEmail: string): Promise<void> {
  const { id, name, timeZone, settings } = organisation;
  const context: ChangeContext = { organisationId: id, actor: { via: 'demo' } };
  if (!(await directory.store.read((session) => findOrganisation(session, id)))) {
    await createOrganisation(directory, context.actor, { id, name, ownerEmail });
  }
  const switches = Object.entries(settings).map(([setting, value]) => [setting, String(value)]);
  await setOrganisation(directory, context, { time_zone: timeZone, ...Object.fromEntries(switches) });
  const tables: readonly DirectoryTable[] = ['teams', 'squads', 'people', 'repositories'];
  for (const table of tables) {
    const lines = numbered(organisation[table]);
    refuseRejected(table, (await putRecords(directory, context, table, lines, { strict: true })).rejected);
  }
}
