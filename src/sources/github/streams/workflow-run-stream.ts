import { isoText } from '../../../calendar.ts';
import type { NotSeen } from '../../not-seen.ts';
import { itemsOf, secondsOf } from '../../paging.ts';
import { Payload, readEach } from '../../payload.ts';
import type { Page, Stream, StreamPosition } from '../../source.ts';
import { type ListedBefore, type ListedItem, ListReads } from '../../streams/listed-before.ts';
import { type GithubApi, listPageSize } from '../api.ts';
import { convertArtifacts, convertTiming, convertWorkflowRun } from '../convert/delivery.ts';
import type { Repository } from '../convert/repository.ts';
import { addressOf, type ListPage, type PreviousPage, readListPage } from './listed-stream.ts';
import { asJson, isSettled, type ReadRange, rangeOf, repositoryStream, type StreamMark } from './repository-stream.ts';

const day = 24 * 3_600;
/** Runs have no order by update: those of the last days are looked at again, since they end and are run again. */
const rereadSeconds = 7 * day;
/** GitHub gives no more runs of a window of time than this, and says nothing of the rest. */
const maxWindowRuns = 1_000;
const firstWindow = 7 * day;
const widestWindow = 365 * day;
const narrowestWindow = 60;

/** GitHub keeps artifacts no longer, unless an owner says so; how long a run was billed for it keeps. */
const detailedSeconds = 90 * day;

/** Of which runs billable time and artifacts are asked for: two requests each, which a long history has no room for. */
interface RunRange extends ReadRange {
  /** Runs that ended before this moment are old, in seconds since 1970. */
  readonly recentFrom?: number;
  /** Of old runs nothing more is asked: there are more of them than fit onto one page. */
  readonly withoutOldDetails?: true;
}

/** Runs created in a window of time, which the next page goes on with. */
type RunPosition = RunRange & {
  /** When the first page was read; absent where a process of before this was kept has begun it. */
  readonly startedAt?: number;
  /** The end of the window and its length in seconds. */
  readonly until: number;
  readonly width: number;
  readonly total: number;
  readonly page?: string;
  readonly previous?: PreviousPage;
};

/** Workflow runs with their billable time and the size of their artifacts. */
export const workflowRunStream = (api: GithubApi, repository: Repository, before: ListedBefore<Repository>): Stream => {
  const reader = new WorkflowRunReader(api, repository, before);
  return repositoryStream(repository, {
    key: 'workflow_runs',
    name: 'workflow runs',
    feeds: ['workflow_runs'],
    rereadSeconds,
    read: (position) => reader.read(position),
  });
};

export class WorkflowRunReader {
  readonly #api: GithubApi;
  readonly #repository: Repository;
  /** Servers of one's own do not bill: found out by asking once. */
  #isTimingMissing = false;
  readonly #before: ListedBefore<Repository> | undefined;
  readonly #reads = new ListReads();

  constructor(api: GithubApi, repository: Repository, before?: ListedBefore<Repository>) {
    this.#api = api;
    this.#repository = repository;
    this.#before = before;
  }

  read(position: StreamPosition): Promise<Page> {
    return position.next === undefined
      ? this.#readFirst(position)
      : this.#readAt(position.next as unknown as RunPosition);
  }

  async #readFirst(position: StreamPosition): Promise<Page> {
    const { mark: last, ...wanted } = rangeOf(this.#repository, position);
    const answer = await this.#api.get(addressOf(this.#path, { per_page: listPageSize }), {
      // Actions can be switched off.
      alsoGood: [404],
      ...(last?.etag && { etag: last.etag }),
    });
    if (answer.isUnchanged)
      return { records: [], count: 0, at: answer.at, mark: asJson({ ...last }), isUnchanged: true };
    const newMark: StreamMark = {
      repository: this.#repository.name,
      at: answer.at,
      ...(answer.etag && { etag: answer.etag }),
    };
    const mark = asJson(newMark);
    const total = answer.status >= 300 ? 0 : Payload.of(answer.body, 'list of workflow runs').integer('total_count');
    if (answer.status >= 300) return { records: [], count: 0, total, at: answer.at, mark };
    const range: RunRange = { ...wanted, recentFrom: answer.at - detailedSeconds };
    this.#reads.begin(answer.at);
    if (!answer.nextPage) {
      const items = itemsOf(answer.body, runsField);
      const { records, ...page } = await this.#readAll(items, range);
      const missing = await this.#missingFrom(answer.at, range, items);
      return { ...page, records: [...records, ...missing], total, at: answer.at, mark };
    }
    const start = {
      ...range,
      startedAt: answer.at,
      withoutOldDetails: true as const,
      until: answer.at + day,
      width: firstWindow + day,
      total,
    };
    return { ...(await this.#readAt(start)), mark };
  }

  /** All there are: no window is needed. */
  async #readAll(items: readonly unknown[], range: RunRange): Promise<Omit<Page, 'at'>> {
    const { downTo = 0 } = range;
    const createdAt = (item: unknown) => secondsOf(Payload.of(item, 'workflow run').time('created_at'));
    const wanted = items.filter((item) => createdAt(item) >= downTo);
    const { records, problems } = await this.readRuns(wanted, range);
    return { records, count: wanted.length, ...(problems.length > 0 && { problems }) };
  }

  async #readAt(position: RunPosition): Promise<Page> {
    const { window, page, isCut } = await this.#readWindow(position);
    const runs = page.items.map((item) => Payload.of(item, 'workflow run'));
    const { records, problems } = await this.readRuns(page.items, position);
    const from = window.until - window.width;
    const { nextPage, at } = page.answer;
    const oldest = Math.min(...runs.map((run) => secondsOf(run.time('created_at'))));
    const next = nextPage
      ? { ...window, page: nextPage, previous: page.previous }
      : this.#windowBefore(window, runs.length);
    if (next) this.#reads.add(position.startedAt, runs.map(listedRun));
    const missing = next ? [] : await this.#missingFrom(position.startedAt, position, page.items);
    return {
      records: [...records, ...missing],
      count: runs.length,
      total: position.total,
      at,
      ...(!position.isWhole && { reachedDownTo: nextPage ? oldest : from }),
      ...(next && { next: asJson(next) }),
      notSeen: oldDetails(position, oldest),
      ...(isCut && { problems: [...problems, `more than ${maxWindowRuns} runs were created within a minute`] }),
      ...(!isCut && problems.length > 0 && { problems }),
    };
  }

  /** The first page of a window that is narrow enough, or a further page of it. */
  async #readWindow(position: RunPosition): Promise<{ window: RunPosition; page: ListPage; isCut: boolean }> {
    const { page, previous, ...window } = position;
    if (page !== undefined) {
      const read = await readListPage(this.#api, page, { field: runsField, ...(previous && { previous }) });
      return { window, page: read, isCut: false };
    }
    for (let { width } = window; ; width = Math.ceil(width / 2)) {
      const created = `${isoText(window.until - width)}..${isoText(window.until)}`;
      const read = await readListPage(this.#api, addressOf(this.#path, { created, per_page: listPageSize }), {
        field: runsField,
      });
      const isCut = Payload.of(read.answer.body, 'list of workflow runs').integer('total_count') >= maxWindowRuns;
      if (!isCut || width <= narrowestWindow) return { window: { ...window, width }, page: read, isCut };
    }
  }

  /** Twice as wide where there was little, so that quiet years take few requests. */
  #windowBefore({ until, width, ...rest }: RunPosition, found: number): RunPosition | undefined {
    const start = Math.max(rest.downTo ?? 0, secondsOf(this.#repository.createdAt));
    const from = until - width;
    if (from <= start) return undefined;
    const wanted = found < maxWindowRuns / 4 ? width * 2 : width;
    return { ...rest, until: from, width: Math.min(wanted, widestWindow, from - start) };
  }

  /** At the end of a read. Older runs go when GitHub keeps them no longer: what was read of them stays. */
  async #missingFrom(startedAt: number | undefined, { lastReadAt }: ReadRange, lastItems: readonly unknown[]) {
    const items = this.#reads.end(startedAt);
    if (!this.#before || !items || startedAt === undefined) return [];
    return this.#before.missingFrom(this.#repository, {
      key: 'workflow_runs',
      kind: 'workflow_run',
      startedAt,
      ...(lastReadAt !== undefined && { lastReadAt }),
      items: [...items, ...lastItems.map((item) => listedRun(Payload.of(item, 'workflow run')))],
      reachedDownTo: startedAt - rereadSeconds,
    });
  }

  async readRuns(items: readonly unknown[], range: RunRange) {
    const { records, problems } = await readEach(items, (item) => this.#readRun(item, range));
    return { records: [{ table: 'workflow_runs' as const, records }], problems };
  }

  /** Columns that are left out keep what they have: a run that was complete at the last read is not asked for again. */
  async #readRun(payload: unknown, range: RunRange) {
    const record = convertWorkflowRun(this.#repository, payload);
    const endedAt = secondsOf(record.run_updated_at ?? record.run_created_at);
    const isOld = endedAt < (range.recentFrom ?? 0);
    const isSkipped = record.run_status !== 'completed' || isSettled(endedAt, range);
    if (isSkipped || (isOld && range.withoutOldDetails)) return record;
    const path = `${this.#path}/${Payload.of(payload, 'workflow run').id('id')}`;
    const [timing, artifacts] = await Promise.all([
      this.#isTimingMissing ? undefined : this.#api.get(`${path}/timing`, { alsoGood: unavailable }),
      this.#api.list(`${path}/artifacts`, { field: 'artifacts', alsoGood: unavailable }),
    ]);
    // Where the run is still there, it is the host that does not know the time.
    this.#isTimingMissing ||= timing !== undefined && timing.status >= 300 && artifacts !== undefined;
    // An old run that has none may have had some: that is unknown, and not nothing.
    const areKnown = artifacts !== undefined && (!isOld || artifacts.items.length > 0);
    return {
      ...record,
      ...(timing && timing.status < 300 && { billable_ms: convertTiming(timing.body) }),
      ...(areKnown && { artifact_bytes: convertArtifacts(artifacts.items) }),
    };
  }

  get #path(): string {
    return `/repos/${this.#repository.name}/actions/runs`;
  }
}

/** A page with old runs, of which nothing more was asked. */
const oldDetails = ({ recentFrom = 0, withoutOldDetails }: RunRange, oldest: number): readonly NotSeen[] =>
  withoutOldDetails && oldest < recentFrom ? [{ why: 'retention', what: unasked, since: recentFrom }] : [];

const unasked =
  'Billable time and artifacts are not asked for of runs older than 90 days, of which GitHub keeps no artifacts';

const listedRun = (run: Payload): ListedItem => [run.id('id'), secondsOf(run.time('created_at'))];

const runsField = 'workflow_runs';
/** A server without billing, or a run that was deleted meanwhile. */
const unavailable = [404, 410];
