import { setImmediate } from 'node:timers/promises';
import { serviceTicket } from '../admission/ticket.ts';
import { isDay, isoText, nextDay, secondsOfDay, secondsPerDay } from '../calendar.ts';
import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { ChangeContext, Directory } from '../directory/directory.ts';
import { createOrganisation, setOrganisation } from '../directory/organisations.ts';
import { putRecords } from '../directory/put-records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { Refusal } from '../refusal.ts';
import { findCursor, putCursor } from '../store/cursors.ts';
import { demoSource, findOrganisation } from '../store/organisation-rows.ts';
import {
  type DemoOptions,
  type DemoOrganisation,
  demoOrganisationIds,
  demoOrganisations,
} from './demo-organisations.ts';
import {
  type FilledHistory,
  type FillPart,
  filledHistory,
  newestPart,
  olderParts,
  rememberHistory,
  requireScale,
} from './fill-plan.ts';
import { historySteps } from './history/demo-history.ts';
import type { HistoryBatch } from './history/record-batcher.ts';
import { hour } from './history/working-calendar.ts';

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
  /** The year that is being filled in. */
  readonly year: string;
  /** The share of all that is to be filled in, and the rows until now. */
  readonly done: number;
  readonly rows: number;
}

/** The organisation that a newcomer is shown has its newest months, and can be looked at. */
export interface DemoReady {
  readonly ready: FilledOrganisation;
}

export interface FillOptions extends DemoOptions {
  /** The last day of the history, YYYY-MM-DD, in UTC. Where it is not said the history goes on until this hour. */
  readonly until?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many days, at scale 1, come before everything else: 90 where it is not said. */
  readonly newestDays?: number | undefined;
}

export interface FillPlaces {
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'put'>;
  /** Brings what was put into order, and makes it as small as it can be where an organisation is whole. */
  readonly tidy: (organisationId: string, state: Tidying) => Promise<void>;
}

interface Tidying {
  readonly signal: AbortSignal | undefined;
  readonly isWhole: boolean;
}

const maxRows = 20_000;
/** Milliseconds after which others are let on, while nothing is put. */
const sliceMs = 8;
const firstDay = '2024-01-01';

/**
 * Fills in the demo organisations and two years of their history, and reports its progress after each batch: first the
 * newest months, those of the first organisation before all others, then what was before. What is there already goes on
 * until now; what was changed in it since is left alone, and what was interrupted is taken up.
 */
export async function* fillingDemo(
  places: FillPlaces,
  options: FillOptions,
): AsyncGenerator<DemoProgress | DemoReady, FilledOrganisation[]> {
  requireScale(options.scale);
  const { directory } = places;
  const until = lastMoment(options.until, directory.now());
  const settled = { seed: options.seed, scale: await scaleThere(directory, options) };
  const all = demoOrganisations(settled);
  const progress = new FillProgress(all);
  const filled: FilledOrganisation[] = [];
  for (const organisation of all) {
    const { id, name, people, teams } = organisation;
    const owner_email = organisation.owner.main_email ?? '';
    const view = { id, name, owner_email, people: people.length, teams: teams.length };
    const isFirst = filled.push(view) === 1;
    yield progress.at(organisation, until);
    await fillDirectory(directory, organisation);
    const there = await filledHistory(directory.store, id);
    if (isFirst && there !== undefined) yield { ready: view };
    if (there === null) continue;
    if (there) progress.reach(organisation, there);
    const newest = newestPart(there, { ...settled, until }, options.newestDays);
    if (!newest) continue;
    const isAwaited = isFirst && !there;
    yield* fillPart(places, organisation, newest, options, progress, isAwaited);
    if (!isAwaited) continue;
    yield { ready: view };
    // A usual window of time is whole before the others begin.
    const { value: next } = olderParts(newest.after).next();
    if (next) yield* fillPart(places, organisation, next, options, progress);
    else await places.tidy(id, { signal: options.signal, isWhole: true });
  }
  for (const organisation of all) {
    const there = await filledHistory(directory.store, organisation.id);
    for (const part of there ? olderParts(there) : []) {
      yield* fillPart(places, organisation, part, options, progress);
    }
  }
  return filled;
}

/** Remembers a part only once it is tidied up, so that a start after an interruption does that, too. */
async function* fillPart(
  { directory, ingest, tidy }: FillPlaces,
  organisation: DemoOrganisation,
  { days, since, after }: FillPart,
  { signal }: FillOptions,
  progress: FillProgress,
  isAwaited = false,
): AsyncGenerator<DemoProgress> {
  const { id } = organisation;
  const last = (days.to - 2) * secondsPerDay;
  let began = performance.now();
  for (const batch of historySteps(organisation, { ...after, days, since, maxRows })) {
    if (batch) {
      progress.rows += await putBatch(ingest, id, batch, signal);
      yield progress.at(organisation, last);
    }
    if (performance.now() - began < sliceMs) continue;
    await setImmediate();
    signal?.throwIfAborted();
    began = performance.now();
  }
  // Nobody waits for order in what was put.
  if (!isAwaited) await tidy(id, { signal, isWhole: since === undefined && after.from === after.begin });
  await rememberHistory(directory.store, id, after, directory.now());
  progress.reach(organisation, after);
  yield progress.at(organisation, last);
}

class FillProgress {
  rows = 0;
  readonly #done = new Map<DemoOrganisation, number>();

  constructor(private readonly all: readonly DemoOrganisation[]) {}

  reach(organisation: DemoOrganisation, { from, begin, until }: FilledHistory): void {
    const end = until / secondsPerDay;
    this.#done.set(organisation, Math.min(1, (end - from) / (end - begin)));
  }

  at(organisation: DemoOrganisation, moment: number): DemoProgress {
    const [of, place] = [this.all.length, this.all.indexOf(organisation) + 1];
    const weightOf = ({ profile }: DemoOrganisation) => profile.activity.pullRequests;
    const sum = (shareOf: (one: DemoOrganisation) => number) =>
      this.all.reduce((all, one) => all + weightOf(one) * shareOf(one), 0);
    const done = sum((one) => this.#done.get(one) ?? 0) / sum(() => 1);
    return { organisation: organisation.name, place, of, year: isoText(moment).slice(0, 4), done, rows: this.rows };
  }
}

export function holdsDemo(organisationIds: readonly string[], options: DemoOptions): boolean {
  return demoOrganisationIds(options).some((id) => organisationIds.includes(id));
}

/** A demo that is there keeps its size. */
async function scaleThere({ store }: Directory, options: DemoOptions): Promise<number> {
  for (const id of demoOrganisationIds(options)) {
    const there = await filledHistory(store, id);
    if (there) return there.scale;
  }
  return options.scale;
}

/** The end of the last day, or of the last hour. */
function lastMoment(until: string | undefined, now: Date): number {
  if (until === undefined) return Math.floor(now.getTime() / 1_000 / hour) * hour;
  if (isDay(until) && until >= firstDay) return secondsOfDay(nextDay(until));
  throw new Refusal(
    'bad-input',
    `The last day must be a date such as 2026-06-30, from ${firstDay} on, not '${until}'.`,
  );
}

const numbered = (records: readonly object[]) => records.map((value, index) => ({ line: index + 1, value }));

function refuseRejected(table: string, [first]: readonly { readonly line: number; readonly detail: string }[]): void {
  if (first) throw new Error(`demo ${table}, record ${first.line}: ${first.detail}`);
}

/** Returns how many rows it had. It takes its turn as every import does. */
async function putBatch(
  ingest: Pick<Ingest, 'put'>,
  organisationId: string,
  { tables }: HistoryBatch,
  signal: AbortSignal | undefined,
): Promise<number> {
  const batch = tables.map(({ table, records }) => ({ table, lines: numbered(records) }));
  // What is stopped is put again at the next start.
  const caller = { ticket: serviceTicket(organisationId, signal), mayBeStopped: true };
  const outcomes = await ingest.put(organisationId, batch, caller);
  for (const [index, { rejected }] of outcomes.entries()) refuseRejected(tables[index]?.table ?? '', rejected);
  return batch.reduce((sum, { lines }) => sum + lines.length, 0);
}

async function fillDirectory(directory: Directory, organisation: DemoOrganisation): Promise<void> {
  const { id, name, timeZone, settings, owner } = organisation;
  if ((await directory.store.read((session) => findCursor(session, id, demoSource, 'directory'))) !== undefined) return;
  const context: ChangeContext = { organisationId: id, actor: { via: 'demo' } };
  if (!(await directory.store.read((session) => findOrganisation(session, id)))) {
    await createOrganisation(directory, context.actor, { id, name, ownerEmail: owner.main_email ?? '' });
  }
  const switches = Object.entries(settings).map(([setting, value]) => [setting, String(value)]);
  await setOrganisation(directory, context, { time_zone: timeZone, ...Object.fromEntries(switches) });
  const tables: readonly DirectoryTable[] = ['teams', 'squads', 'people', 'repositories'];
  for (const table of tables) {
    const lines = numbered(organisation[table]);
    refuseRejected(table, (await putRecords(directory, context, table, lines, { strict: true })).rejected);
  }
  await directory.store.change(id, (session) => putCursor(session, demoSource, 'directory', 'filled', directory.now()));
}
