import { addDays, dayOfNumber, secondsOfDay, secondsPerDay } from '../../calendar.ts';
import type { Json } from '../../catalogue/record.ts';
import { type GithubApi, listPageSize } from '../github/api.ts';
import { addressOf } from '../github/streams/listed-stream.ts';
import { beforeSince, type NotSeen } from '../not-seen.ts';
import { itemsOf } from '../paging.ts';
import { convertEach, Payload } from '../payload.ts';
import { type Page, SourceProblem, type Stream, type StreamPosition } from '../source.ts';
import {
  metricsDayRecord,
  type SeatRecord,
  seatRecord,
  usageDayRecord,
  userDayRecord,
  withoutOrganisationDay,
} from './convert.ts';
import { type UserReport, UserReports } from './reports.ts';

/** Days that are read again, since what people did offline is reported later. */
const rereadDays = 3;
/** GitHub reports no earlier day, and keeps a year of them. */
const firstReportedDay = '2025-10-10';
const keptDays = 365;
/** After so many days without a report nobody used Copilot yet. */
const maxEmptyDays = 28;

/** Where a page begins: a file of the report of 28 days, the report of one day, or a page of the older metrics. */
type UsagePosition = FilePosition | DayPosition | OlderPosition;
interface FilePosition {
  readonly file: number;
  readonly lastDay: string;
}
interface DayPosition {
  readonly day: string;
  /** Where what is new ends; absent while history is read. */
  readonly downToDay?: string;
  readonly emptyDays: number;
}
interface OlderPosition {
  readonly older: string;
  readonly form: OlderForm;
}
type OlderForm = 'metrics' | 'usage';

/**
 * The streams of what people did with Copilot, the newest days first. Today's reports are of people. Where a server of one's own has
 * none, the older metrics are read, which are of the whole organisation.
 */
export function usageStream(
  api: GithubApi,
  organization: string,
  since: string | undefined,
  hasOlderMetrics: boolean,
): Stream {
  const reading = new UsageReading(api, organization, since, hasOlderMetrics);
  return {
    id: `usage@${organization.toLowerCase()}`,
    name: 'use of Copilot',
    feeds: ['ai_copilot'],
    isDaily: true,
    scope: organization,
    notSeen: ofSetting(since),
    rereadSeconds: rereadDays * secondsPerDay,
    read: (position) => reading.page(position),
  };
}

class UsageReading {
  readonly #api: GithubApi;
  readonly #reports: UserReports;
  readonly #organization: string;
  readonly #since: string | undefined;

  readonly #hasOlderMetrics: boolean;

  constructor(api: GithubApi, organization: string, since: string | undefined, hasOlderMetrics: boolean) {
    this.#api = api;
    this.#reports = new UserReports(api, organization);
    this.#organization = organization;
    this.#since = since;
    this.#hasOlderMetrics = hasOlderMetrics;
  }

  async page(from: StreamPosition): Promise<Page> {
    const next = from.next as UsagePosition | undefined;
    if (next === undefined) return this.#first(from);
    if ('file' in next) return this.#latestFile(next, await this.#reports.latest());
    return 'day' in next ? this.#day(next) : this.#older(next.older, next.form);
  }

  async #first({ mark, downTo }: StreamPosition): Promise<Page> {
    const latest = await this.#reports.latest();
    if (!latest && !this.#hasOlderMetrics) throw noUse(this.#organization);
    if (!latest) return this.#olderFirst(downTo);
    const { lastDay, at } = latest;
    const lastRead = typeof mark === 'string' ? mark : undefined;
    if (lastRead === lastDay) return { records: [], count: 0, at, mark: lastDay, isUnchanged: true };
    const page =
      lastRead === undefined
        ? await this.#latestFile({ file: 0, lastDay }, latest)
        : await this.#day({ day: lastDay, downToDay: addDays(lastRead, 1 - rereadDays), emptyDays: 0 });
    return { ...page, mark: lastDay };
  }

  /** A page is one file, so that no more than one is in memory. The links are asked for again, since they expire. */
  async #latestFile({ file, lastDay }: FilePosition, latest: UserReport | undefined): Promise<Page> {
    if (!latest) throw noUse(this.#organization);
    // Meanwhile the report of the next day has come, with other files.
    const place = latest.lastDay === lastDay ? file : 0;
    const link = latest.links[place];
    const before = { day: addDays(latest.firstDay, -1), emptyDays: 0 };
    const read = link === undefined ? [] : await this.#entries(link);
    // A file that cannot be had, such as one that is too large: the days are read one by one.
    if (read instanceof SourceProblem) return this.#pageOf([], latest.at, { day: latest.lastDay, emptyDays: 0 });
    const isLast = place + 1 >= latest.links.length;
    const next = isLast ? this.#dayBelow(before, latest.at) : { file: place + 1, lastDay: latest.lastDay };
    return this.#pageOf(read, latest.at, next, isLast ? latest.firstDay : undefined);
  }

  async #entries(link: string): Promise<readonly unknown[] | SourceProblem> {
    try {
      return await this.#reports.entriesOf(link);
    } catch (error) {
      if (error instanceof SourceProblem && !error.mayPass) return error;
      throw error;
    }
  }

  async #day({ day, downToDay, emptyDays }: DayPosition): Promise<Page> {
    const { report, at } = await this.#reports.ofDay(day);
    const entries: unknown[] = [];
    for (const link of report?.links ?? []) entries.push(...(await this.#reports.entriesOf(link)));
    const below = {
      day: addDays(day, -1),
      emptyDays: report ? 0 : emptyDays + 1,
      ...(downToDay !== undefined && { downToDay }),
    };
    // A read of new reports ends at a day, whenever they were written; only history is read down to a time.
    return this.#pageOf(entries, at, this.#dayBelow(below, at), downToDay === undefined ? day : undefined);
  }

  /** The position itself, unless nothing more is wanted or there. */
  #dayBelow(position: DayPosition, at: number): DayPosition | undefined {
    const bounds = [firstKeptDay(at), this.#since ?? '', position.downToDay ?? ''];
    const isWanted = bounds.every((bound) => position.day >= bound) && position.emptyDays < maxEmptyDays;
    return isWanted ? position : undefined;
  }

  #pageOf(entries: readonly unknown[], at: number, next: UsagePosition | undefined, reachedDay?: string): Page {
    const { records, problems } = convertEach(entries, userDayRecord);
    const wanted = records.filter(({ date }) => this.#since === undefined || String(date) >= this.#since);
    const days = [...new Set(wanted.map(({ date }) => String(date)))].sort();
    const gone = days.map((day) => withoutOrganisationDay(this.#organization, day));
    return {
      records: [{ table: 'ai_copilot', records: [...gone, ...wanted] }],
      problems,
      count: wanted.length,
      at,
      ...(next !== undefined && { next: next as unknown as Json }),
      ...(reachedDay !== undefined && { reachedDownTo: secondsOfDay(reachedDay) }),
      ...(reachedDay !== undefined && next === undefined && { notSeen: notKept(reachedDay, at) }),
    };
  }

  async #olderFirst(downTo: number | undefined): Promise<Page> {
    const days = [this.#since, downTo === undefined ? undefined : dayOfNumber(Math.floor(downTo / secondsPerDay))];
    const since = days
      .filter((day) => day !== undefined)
      .sort()
      .at(-1);
    const query = `?per_page=100${since === undefined ? '' : `&since=${since}T00:00:00Z`}`;
    for (const form of ['metrics', 'usage'] as const) {
      const page = await this.#olderOrNone(`/orgs/${this.#organization}/copilot/${form}${query}`, form);
      if (page) return page;
    }
    throw noUse(this.#organization);
  }

  async #older(path: string, form: OlderForm): Promise<Page> {
    const page = await this.#olderOrNone(path, form);
    if (!page) throw noUse(this.#organization);
    return page;
  }

  async #olderOrNone(path: string, form: OlderForm): Promise<Page | undefined> {
    const answer = await this.#api.get(path, { alsoGood: [404, 410, 422] });
    if (answer.status !== 200) return undefined;
    const recordOf = form === 'metrics' ? metricsDayRecord : usageDayRecord;
    const { records, problems } = convertEach(itemsOf(answer.body), (day) => recordOf(day, this.#organization));
    return {
      records: [{ table: 'ai_copilot', records }],
      problems,
      count: records.length,
      at: answer.at,
      ...(answer.nextPage !== undefined && { next: { older: answer.nextPage, form } }),
    };
  }
}

const firstKeptDay = (at: number): string => {
  const kept = dayOfNumber(Math.floor(at / secondsPerDay) - keptDays);
  return kept < firstReportedDay ? firstReportedDay : kept;
};

/** History that ends where GitHub has nothing older. */
const notKept = (lastReadDay: string, at: number): readonly NotSeen[] =>
  addDays(lastReadDay, -1) < firstKeptDay(at)
    ? [{ why: 'retention', what: unkept, since: secondsOfDay(lastReadDay) }]
    : [];

const unkept = `GitHub keeps reports of a year, and made none before ${firstReportedDay}`;

const ofSetting = (since: string | undefined): readonly NotSeen[] =>
  beforeSince(since === undefined ? undefined : secondsOfDay(since));

const noUse = (organization: string): SourceProblem =>
  new SourceProblem(
    `${organization} shows no use of Copilot to the token`,
    'See that the organisation has Copilot, that its policy allows Copilot usage metrics, and that the token may read them: plumb source check says what is missing.',
  );

/** Who has a seat, and when they last used it. Read as a whole each time: a seat changes without being newer. */
export function seatsStream(api: GithubApi, organization: string, since: string | undefined): Stream {
  const first = addressOf(`/orgs/${organization}/copilot/billing/seats`, { per_page: listPageSize });
  return {
    id: `seats@${organization.toLowerCase()}`,
    name: 'Copilot seats',
    feeds: ['ai_copilot'],
    scope: organization,
    notSeen: ofSetting(since),
    read: (position) => readSeats(api, first, position, since),
  };
}

async function readSeats(api: GithubApi, first: string, { next, mark }: StreamPosition, since = ''): Promise<Page> {
  const path = typeof next === 'string' ? next : first;
  const etag = next === undefined && typeof mark === 'string' ? { etag: mark } : {};
  const answer = await api.get(path, etag);
  if (answer.isUnchanged) return { records: [], count: 0, at: answer.at, isUnchanged: true };
  const seats = itemsOf(answer.body, 'seats');
  const { records, problems } = convertEach(seats, seatRecord);
  const total = Payload.of(answer.body, 'list of seats').integerOrNull('total_seats');
  const used = records.filter((record) => record !== undefined && record.date >= since);
  // The first page says nothing of the others, so it is recognised only where it is the only one.
  const isOnly = next === undefined && answer.nextPage === undefined;
  return {
    records: [{ table: 'ai_copilot', records: used as readonly SeatRecord[] }],
    problems,
    count: seats.length,
    ...(total !== null && { total }),
    at: answer.at,
    ...(answer.nextPage !== undefined && { next: answer.nextPage }),
    ...(isOnly && answer.etag !== undefined && { mark: answer.etag }),
  };
}
