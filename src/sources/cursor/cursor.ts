import { createHash } from 'node:crypto';
import { nextDay, secondsOfDay } from '../../calendar.ts';
import type { Json } from '../../catalogue/record.ts';
import { basicAuthorization } from '../authorization.ts';
import type { Answer, Requests } from '../host-port.ts';
import { itemsOf, refuseCircle } from '../paging.ts';
import { Payload } from '../payload.ts';
import type { Check, OpenSource, SettingField, SourceKind, SourceOpening, Stream } from '../source.ts';
import { addressField, allowHostsField, keepFreeField, tokenField } from '../source-settings.ts';
import { dailyStream, type ReportedDays } from '../streams/daily-stream.ts';
import { convertUsage, UsageEvents } from './convert.ts';

const settings: readonly SettingField[] = [
  addressField('address of Cursor’s interface', 'https://api.cursor.com'),
  tokenField('API key', 'Admin API key of the team'),
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing before this day is read (all that Cursor still has when unset)',
    type: 'date',
  },
  keepFreeField,
  allowHostsField,
];

/** Some use of a day arrives late, and costs are corrected for a while. */
const rereadDays = 3;
/** Cursor gives at most thirty days of use at a time. */
const maxDays = 30;
/** Requests are many: a page of the stream has those of a few days. */
const eventDays = 4;
const eventPageSize = 500;
/** Cursor has no day that is older than its interface. */
const earliest = '2024-01-01';

const unkept = 'Cursor keeps use for a rolling time only';

const usagePath = '/teams/daily-usage-data';
const eventsPath = '/teams/filtered-usage-events';

/** The days of a team with Cursor: what its people did, and the tokens and costs of their requests. */
class OpenCursor implements OpenSource {
  readonly #requests: Requests;
  readonly #since: string | undefined;

  constructor({ requests, settings: { since } }: SourceOpening) {
    this.#requests = requests;
    this.#since = typeof since === 'string' ? since : undefined;
  }

  async check(): Promise<Check> {
    const members = await this.#members();
    const missing = members.status < 300 ? [] : ['Members of the team cannot be read. Make an Admin API key'];
    const now = members.at * 1_000;
    const aDay = { startDate: now - 86_400_000, endDate: now };
    const parts = [
      [
        usagePath,
        aDay,
        'Daily use cannot be read: Cursor shows it to teams of its Enterprise plan. Ask Cursor for access',
      ],
      [
        eventsPath,
        { ...aDay, page: 1, pageSize: 1 },
        'Requests cannot be read, so that tokens and costs stay unknown. Make an Admin API key',
      ],
    ] as const;
    for (const [path, asked, toDo] of parts) {
      const { status } = await this.#requests.post(path, asked, { alsoGood: refused });
      if (status >= 300) missing.push(toDo);
    }
    const count = members.status < 300 ? itemsOf(members.body, 'teamMembers').length : undefined;
    return {
      sees: count === undefined ? [] : [`${count} ${count === 1 ? 'member' : 'members'}`],
      missing,
      clockDifferenceSeconds: members.at - Math.floor(Date.now() / 1_000),
    };
  }

  /** What people did takes one request a month and comes first; their requests take as many pages as there are. */
  async *streams(): AsyncIterable<Stream> {
    const { at: now } = await this.#members();
    const common = {
      scope: '',
      table: 'ai_copilot',
      now,
      firstDay: earliest,
      since: this.#since,
      unkept,
      rereadDays,
    } as const;
    yield dailyStream({
      ...common,
      id: 'usage',
      name: 'use of Cursor',
      daysAtOnce: maxDays,
      read: (firstDay, lastDay) => this.#usage(firstDay, lastDay),
    });
    yield dailyStream({
      ...common,
      id: 'usage_events',
      name: 'tokens and costs',
      daysAtOnce: eventDays,
      read: (firstDay, lastDay) => this.#events(firstDay, lastDay),
    });
  }

  /** Also the clock: any answer has it. */
  #members(): Promise<Answer> {
    return this.#requests.get('/teams/members', { alsoGood: refused });
  }

  async #usage(firstDay: string, lastDay: string): Promise<ReportedDays> {
    const payloads: unknown[] = [];
    const at = await this.#pages(usagePath, range(firstDay, lastDay), 'data', (items) => payloads.push(...items));
    return { ...convertUsage(payloads), at };
  }

  /** Page by page: of the requests of a large team only sums are kept. */
  async #events(firstDay: string, lastDay: string): Promise<ReportedDays> {
    const events = new UsageEvents();
    const asked = { ...range(firstDay, lastDay), pageSize: eventPageSize };
    const at = await this.#pages(eventsPath, asked, 'usageEvents', (items) => events.add(items));
    return { ...events.result(), at };
  }

  async #pages(
    path: string,
    asked: Readonly<Record<string, Json>>,
    field: string,
    take: (items: readonly unknown[]) => unknown,
  ): Promise<number> {
    const seen = new Set<string>();
    for (let page = 1; ; page += 1) {
      const isPaged = page > 1 || 'pageSize' in asked;
      const answer = await this.#requests.post(path, isPaged ? { ...asked, page } : asked);
      const items = itemsOf(answer.body, field);
      refuseCircle(seen, createHash('sha256').update(JSON.stringify(items)).digest('hex'));
      take(items);
      const paging = Payload.of(answer.body, 'answer').objectOrNull('pagination');
      // An empty page is the end, whatever Cursor says.
      if (items.length === 0 || paging?.isTrue('hasNextPage') !== true) return answer.at;
    }
  }
}

const refused = [403, 404];

/** In milliseconds, to the end of the last day. */
const range = (firstDay: string, lastDay: string) => ({
  startDate: secondsOfDay(firstDay) * 1_000,
  endDate: secondsOfDay(nextDay(lastDay)) * 1_000,
});

export const cursor: SourceKind = {
  kind: 'cursor',
  label: 'Cursor',
  meaning: 'Use of Cursor by the people of a team, day by day, with tokens and costs.',
  accounts: 'own',
  settings,
  authorization: ({ token }) => basicAuthorization(String(token), ''),
  open: (opening) => new OpenCursor(opening),
};
