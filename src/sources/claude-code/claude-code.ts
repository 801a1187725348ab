import { addDays, dayOfNumber, secondsPerDay } from '../../calendar.ts';
import type { Answer, Requests } from '../host-port.ts';
import { readAll, tokenPage } from '../paging.ts';
import {
  type Check,
  type OpenSource,
  type SettingField,
  type SettingValues,
  type SourceKind,
  type SourceOpening,
  SourceProblem,
  type Stream,
} from '../source.ts';
import { addressField, allowHostsField, keepFreeField, tokenField } from '../source-settings.ts';
import { dailyStream, type ReportedDays } from '../streams/daily-stream.ts';
import { convertActivity, convertReport } from './convert.ts';

const interfaceNames = ['console', 'enterprise'] as const;
type InterfaceName = (typeof interfaceNames)[number];

const settings: readonly SettingField[] = [
  addressField('address of Anthropic’s interface', 'https://api.anthropic.com'),
  tokenField('API key', 'Admin API key of the Console, or a key of the Enterprise plan with the scope read:analytics'),
  {
    name: 'interface',
    label: 'Interface',
    meaning: 'console or enterprise, by the plan (found out when unset)',
    type: 'text',
    oneOf: interfaceNames,
  },
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing before this day is read (the whole history when unset)',
    type: 'date',
  },
  keepFreeField,
  allowHostsField,
];

/** One of the two interfaces: the Console's counts tokens and costs, that of the Enterprise plan does not. */
interface DaysInterface {
  readonly label: string;
  readonly path: string;
  readonly dayField: string;
  /** It refuses days before. */
  readonly firstDay: string;
  /** The days that are read again each time. */
  readonly rereadDays: number;
  /** Days that may not be reported yet: it answers 400 then. */
  readonly lateDays: number;
  readonly toDo: string;
  /** What it tells nobody. */
  readonly hidden?: string;
  convert(payloads: readonly unknown[], day: string): Omit<ReportedDays, 'at'>;
}

const interfaces: Readonly<Record<InterfaceName, DaysInterface>> = {
  console: {
    label: 'the Console',
    path: '/v1/organizations/usage_report/claude_code',
    dayField: 'starting_at',
    firstDay: '2025-02-24',
    rereadDays: 3,
    lateDays: 0,
    toDo: 'Make an Admin API key in the Console (Settings, Admin keys)',
    convert: (payloads) => convertReport(payloads),
  },
  enterprise: {
    label: 'the Enterprise plan',
    path: '/v1/organizations/analytics/users',
    dayField: 'date',
    firstDay: '2026-01-01',
    // A day comes up to four days late, and is corrected for three more.
    rereadDays: 7,
    lateDays: 7,
    toDo: 'Make a key with the scope read:analytics at claude.ai/analytics/api-keys',
    hidden: 'The interface of the Enterprise plan reports no tokens and no costs',
    convert: convertActivity,
  },
};

const maxPageSize = 1_000;
const refused = [401, 403, 404];
/** A day that both interfaces have, whatever the time is. */
const probedDay = '2026-01-05';

/** What people did with Claude Code, day by day. */
class OpenClaudeCode implements OpenSource {
  readonly #requests: Requests;
  readonly #settings: SettingValues;

  constructor({ requests, settings: values }: SourceOpening) {
    this.#requests = requests;
    this.#settings = values;
  }

  async check(): Promise<Check> {
    const { name, at } = await this.#chosen();
    const { label, hidden } = interfaces[name];
    const missing = hidden === undefined ? [] : [hidden];
    return { sees: [`days of ${label}`], missing, clockDifferenceSeconds: at - Math.floor(Date.now() / 1_000) };
  }

  async *streams(): AsyncIterable<Stream> {
    const { name, at } = await this.#chosen();
    const chosen = interfaces[name];
    const { since } = this.#settings;
    yield dailyStream({
      id: `days@${name}`,
      name: 'use of Claude Code',
      scope: '',
      table: 'ai_copilot',
      now: at,
      firstDay: chosen.firstDay,
      since: typeof since === 'string' ? since : undefined,
      hidden: chosen.hidden,
      unkept: `The interface of ${chosen.label} has no earlier day`,
      daysAtOnce: chosen.rereadDays + 1,
      rereadDays: chosen.rereadDays,
      read: (firstDay, lastDay) => this.#days(chosen, firstDay, lastDay, at),
    });
  }

  /** The interface that the settings name, else the one that accepts the key: each has keys of its own. */
  async #chosen(): Promise<{ readonly name: InterfaceName; readonly at: number }> {
    const wanted = interfaceNames.find((name) => name === this.#settings.interface);
    const tried = wanted === undefined ? interfaceNames : [wanted];
    for (const name of tried) {
      const { status, at } = await this.#probe(interfaces[name]);
      if (!refused.includes(status)) return { name, at };
    }
    throw new SourceProblem(
      `The key is not accepted by ${tried.map((name) => interfaces[name].label).join(' nor by ')}`,
      `${tried.map((name) => interfaces[name].toDo).join('. Or: ')}. Other plans have no such interface.`,
      { isRefused: true },
    );
  }

  /** Any answer has the clock, and one that refuses the day (400) has accepted the key. */
  #probe({ path, dayField }: DaysInterface): Promise<Answer> {
    return this.#requests.get(path, { query: { [dayField]: probedDay, limit: 1 }, alsoGood: [400, ...refused] });
  }

  async #days(one: DaysInterface, firstDay: string, lastDay: string, now: number): Promise<ReportedDays> {
    const records: ReportedDays['records'][number][] = [];
    const problems: string[] = [];
    let at = now;
    for (let day = lastDay; day >= firstDay; day = addDays(day, -1)) {
      const read = await this.#day(one, day, now);
      const converted = one.convert(read.items, day);
      records.push(...converted.records);
      problems.push(...converted.problems);
      at = read.at;
    }
    return { records, problems, at };
  }

  #day({ path, dayField, lateDays }: DaysInterface, day: string, now: number) {
    const mayBeLate = day >= dayOfNumber(Math.floor(now / secondsPerDay) - lateDays);
    return readAll(async (page) => {
      const query = { [dayField]: day, limit: maxPageSize, ...(typeof page === 'string' && { page }) };
      const answer = await this.#requests.get(path, { query, alsoGood: mayBeLate ? [400] : [] });
      if (answer.status === 400) return { items: [], at: answer.at };
      return tokenPage(answer, { field: 'data', token: 'next_page' });
    });
  }
}

export const claudeCode: SourceKind = {
  kind: 'claude-code',
  label: 'Claude Code',
  meaning: 'Use of Claude Code by the people of an organisation, day by day.',
  accounts: 'own',
  settings,
  authorization: ({ token }) => ({ 'x-api-key': String(token), 'anthropic-version': '2023-06-01' }),
  open: (opening) => new OpenClaudeCode(opening),
};
