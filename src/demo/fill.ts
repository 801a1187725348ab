import { addDays, isDay, utcDay } from '../calendar.ts';
import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { ChangeContext, Directory } from '../directory/directory.ts';
import { createOrganisation, setOrganisation } from '../directory/organisations.ts';
import { putRecords } from '../directory/put-records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { Refusal } from '../refusal.ts';
import { findCursor, putCursor } from '../store/cursors.ts';
import { findOrganisation } from '../store/organisation-rows.ts';
import { type DemoOptions, type DemoOrganisation, demoOrganisations } from './demo-organisations.ts';
import { demoHistory } from './history/demo-history.ts';
import type { HistoryBatch } from './history/record-batcher.ts';

export interface FilledOrganisation {
  readonly id: string;
  readonly name: string;
  readonly owner_email: string;
  readonly people: number;
  readonly teams: number;
}

/** How far the filling is. */
export interface DemoProgress {
  readonly organisation: string;
  /** The number of the organisation, from 1, and how many there are. */
  readonly place: number;
  readonly of: number;
  /** Rows of all organisations so far. */
  readonly rows: number;
}

export interface FillOptions extends DemoOptions {
  /** The last day of the history, YYYY-MM-DD. Two days ago when it is not said: a day that is over everywhere. */
  readonly until?: string | undefined;
}

const maxRows = 20_000;
/** Under which the store remembers how far an organisation is filled, and so that it is one of the demo. */
export const demoSource = 'demo';

/**
 * Fills the demo organisations with two years of history, and reports the progress after each batch. A complete one is
 * left alone, whatever was changed in it since; an interrupted one is filled again.
 */
export async function* fillingDemo(
  { directory, ingest }: { readonly directory: Directory; readonly ingest: Pick<Ingest, 'put'> },
  options: FillOptions,
): AsyncGenerator<DemoProgress, FilledOrganisation[]> {
  if (!Number.isFinite(options.scale) || options.scale < 1) {
    throw new Refusal('bad-input', `The scale must be a number from 1 up, not ${options.scale}.`);
  }
  const until = lastDay(options.until, directory.now());
  const all = demoOrganisations(options);
  const filled: FilledOrganisation[] = [];
  let rows = 0;
  for (const [i, organisation] of all.entries()) {
    const { id, name, people, teams } = organisation;
    const progress = () => ({ organisation: name, place: i + 1, of: all.length, rows });
    const owner_email = organisation.owner.main_email ?? '';
    const markOf = (stream: string) => directory.store.read((session) => findCursor(session, id, demoSource, stream));
    const mark = (stream: string, value: string) =>
      directory.store.change(id, (session) => putCursor(session, demoSource, stream, value, directory.now()));
    if ((await markOf('directory')) === undefined) {
      yield progress();
      await fillDirectory(directory, organisation, owner_email);
      await mark('directory', 'filled');
    }
    if ((await markOf('history')) === undefined) {
      // Begun on one day and resumed on another it must still be one history.
      const begun = (await markOf('history begun')) ?? until;
      await mark('history begun', begun);
      for (const batch of demoHistory(organisation, { ...options, until: begun, maxRows })) {
        rows += await putBatch(ingest, id, batch);
        yield progress();
      }
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
  if (until === undefined) return addDays(utcDay(now), -2);
  if (isDay(until)) return until;
  throw new Refusal('bad-input', `The last day must be a date such as 2026-06-30, not '${until}'.`);
}

const numbered = (records: readonly object[]) => records.map((value, index) => ({ line: index + 1, value }));

function refuseRejected(table: string, [first]: readonly { readonly line: number; readonly detail: string }[]): void {
  if (first) throw new Error(`demo ${table}, record ${first.line}: ${first.detail}`);
}

/** Returns how many rows it had. */
async function putBatch(
  ingest: Pick<Ingest, 'put'>,
  organisationId: string,
  { tables }: HistoryBatch,
): Promise<number> {
  const batch = tables.map(({ table, records }) => ({ table, lines: numbered(records) }));
  for (const [index, { rejected }] of (await ingest.put(organisationId, batch)).entries()) {
    refuseRejected(tables[index]?.table ?? '', rejected);
  }
  return batch.reduce((sum, { lines }) => sum + lines.length, 0);
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
