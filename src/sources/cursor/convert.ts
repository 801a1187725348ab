import { dayOfNumber, msPerDay } from '../../calendar.ts';
import { convertEach, Payload, UnknownShape } from '../payload.ts';
import { type DayPart, PersonDays, type ReportedPerson } from '../person-days.ts';

const source = 'cursor';

/** What people did with Cursor on some days, by the report of each. */
export function convertUsage(payloads: readonly unknown[]) {
  const days = new PersonDays(source);
  const { records: parts, problems } = convertEach(payloads, usagePart);
  for (const part of parts) if (!isIdle(part)) days.add(part);
  return { records: days.records(), problems };
}

function usagePart(payload: unknown): DayPart {
  const day = Payload.of(payload, 'day');
  const accepted = day.count('acceptedLinesAdded');
  const requests = {
    chat_requests: day.count('chatRequests'),
    composer_requests: day.count('composerRequests'),
    agent_requests: day.count('agentRequests'),
    cmd_k_usages: day.count('cmdkUsages'),
  };
  const [shown, tabs] = [day.count('totalTabsShown'), day.count('totalTabsAccepted')];
  const counts = {
    lines_added: day.count('totalLinesAdded'),
    lines_deleted: day.count('totalLinesDeleted'),
    ai_lines: accepted,
    accepted_lines: accepted,
    accepts: sum(day.count('totalAccepts'), tabs),
    rejects: sum(day.count('totalRejects'), difference(shown, tabs)),
    ...requests,
  };
  const model = day.textOrNull('mostUsedModel');
  const used = Object.values(requests).reduce<number>((all, count) => all + (count ?? 0), counts.accepts ?? 0);
  return {
    date: dayOf(day),
    person: personOf(day, 'email', 'userId'),
    isActive: day.isTrue('isActive'),
    counts,
    ...(model !== null && { models: [[model, used + 1]] }),
  };
}

/** Cursor has a row for each member and day, also where nothing happened. */
const isIdle = ({ isActive, counts }: DayPart): boolean =>
  isActive !== true && Object.values(counts).every((count) => !count);

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

const difference = (all: number | undefined, some: number | undefined): number | undefined =>
  all === undefined || some === undefined ? undefined : Math.max(0, all - some);

/** Newer answers say the day itself, older ones its first millisecond. */
function dayOf(payload: Payload): string {
  const day = payload.textOrNull('day');
  if (day === null) return utcDayOf(payload.integer('date'));
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw new UnknownShape('day: day must be a day such as 2026-01-31');
}

const utcDayOf = (ms: number): string => dayOfNumber(Math.floor(ms / msPerDay));

/** An account that has no address any more is known by its number. */
function personOf(payload: Payload, email: string, id: string): ReportedPerson {
  const address = payload.textOrNull(email);
  if (address !== null) return { email: address };
  return { login: payload.has(id) ? payload.id(id) : payload.text(email) };
}

/**
 * Tokens and costs of people by day, added up request by request. Pages may shift while they are read, so that a request
 * is counted once, whichever of them it is on.
 */
export class UsageEvents {
  readonly #days = new PersonDays(source);
  readonly #seen = new Set<string>();
  readonly #problems: string[] = [];

  add(payloads: readonly unknown[]): void {
    const { records: parts, problems } = convertEach(payloads, eventPart);
    this.#problems.push(...problems);
    for (const part of parts) {
      if (part === undefined || this.#seen.has(part.key)) continue;
      this.#seen.add(part.key);
      this.#days.add(part);
    }
  }

  result() {
    return { records: this.#days.records(), problems: this.#problems };
  }
}

/** Requests that are part of the plan, or that failed, have no tokens: nothing is known of what they used. */
function eventPart(payload: unknown): (DayPart & { readonly key: string }) | undefined {
  const event = Payload.of(payload, 'usage event');
  const usage = event.objectOrNull('tokenUsage');
  const time = event.id('timestamp');
  if (usage === null) return undefined;
  const person = eventPerson(event);
  const tokens = ['inputTokens', 'outputTokens', 'cacheWriteTokens', 'cacheReadTokens'].map((kind) =>
    usage.count(kind),
  );
  return {
    key: JSON.stringify([time, person, event.textOrNull('model')]),
    date: utcDayOf(Number(time)),
    person,
    counts: { tokens: tokens.reduce<number>((all, count) => all + (count ?? 0), 0) },
    costCents: usage.measureOrNull('totalCents') ?? undefined,
  };
}

/** A request without a person is a service account's. */
function eventPerson(event: Payload): ReportedPerson {
  const account = event.textOrNull('serviceAccountId');
  if (event.has('userEmail') || account === null) return { email: event.text('userEmail') };
  return { login: account, isBot: true };
}
