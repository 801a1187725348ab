import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GithubApi } from '../github/api.ts';
import type { Answer } from '../host-port.ts';
import { Payload, UnknownShape } from '../payload.ts';

/** A report about people: signed links to its files, good for a few minutes. */
export interface UserReport {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly links: readonly string[];
  readonly at: number;
}

interface ReportOfDay {
  readonly report?: UserReport;
  readonly at: number;
}

/** The reports of one organisation about its people. */
export class UserReports {
  readonly #api: GithubApi;
  readonly #path: string;

  constructor(api: GithubApi, organization: string) {
    this.#api = api;
    this.#path = `/orgs/${organization}/copilot/metrics/reports`;
  }

  /** The last 28 days that are reported. Undefined where the host has no such reports. */
  async latest(): Promise<UserReport | undefined> {
    const answer = await this.#api.get(`${this.#path}/users-28-day/latest`, { alsoGood: [404] });
    if (!hasReport(answer)) return undefined;
    const body = Payload.of(answer.body, 'report');
    return reportOf(answer, body, {
      firstDay: dayIn(body, 'report_start_day'),
      lastDay: dayIn(body, 'report_end_day'),
    });
  }

  /** One day; undefined where nothing is reported of it. */
  ofDay(day: string): Promise<ReportOfDay> {
    return this.#ofDay('users-1-day', day);
  }

  /** Who was in which team on a day; undefined where nothing is reported of it. */
  teamsOfDay(day: string): Promise<ReportOfDay> {
    return this.#ofDay('user-teams-1-day', day);
  }

  async #ofDay(name: string, day: string): Promise<ReportOfDay> {
    const answer = await this.#api.get(`${this.#path}/${name}`, { query: { day }, alsoGood: [404] });
    if (!hasReport(answer)) return { at: answer.at };
    return {
      at: answer.at,
      report: reportOf(answer, Payload.of(answer.body, 'report'), { firstDay: day, lastDay: day }),
    };
  }

  /** A file of a report: an entry for each person and day, or for each person and team. */
  async entriesOf(link: string): Promise<readonly unknown[]> {
    const { body } = await this.#api.requests.get(link, { isAnonymous: true, asText: true });
    return typeof body === 'string' ? entriesIn(body) : [];
  }
}

const hasReport = ({ status }: Answer): boolean => status === 200;

function reportOf({ at }: Answer, body: Payload, days: Pick<UserReport, 'firstDay' | 'lastDay'>): UserReport {
  const links = body.raw('download_links');
  if (!Array.isArray(links) || links.some((link) => typeof link !== 'string')) {
    throw new UnknownShape('report: download_links must be a list of addresses');
  }
  return { ...days, links: links as readonly string[], at };
}

function dayIn(body: Payload, field: string): string {
  const day = body.text(field);
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw new UnknownShape(`report: ${field} must be a day`);
}

/**
 * The entries of a file. Files hold an entry on each line; some hold one document instead, with the entries in
 * `day_totals` or as a list.
 */
export async function entriesIn(text: string): Promise<readonly unknown[]> {
  const documents: unknown[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const document = parsed(line);
    if (document === undefined && index === 0) return entriesOfDocument(parsed(text));
    if (document === undefined) throw new UnknownShape(`report file: line ${index + 1} is not JSON`);
    documents.push(document);
    if (index % linesAtOnce === 0) await nextTurn();
  }
  return documents.flatMap(entriesOfDocument);
}

/** A line has a few kilobytes: so many are read without a look at what else is to be done. */
const linesAtOnce = 500;

function entriesOfDocument(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  if (typeof document !== 'object' || document === null) throw new UnknownShape('report file: it is not JSON');
  const { day_totals: days } = document as { readonly day_totals?: unknown };
  return Array.isArray(days) ? days : [document];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
