import { convertEach, Payload, UnknownShape } from '../payload.ts';
import { type DayPart, PersonDays, type ReportedPerson } from '../person-days.ts';

/** Days of people, from everything that an interface reports of them. */
function daysOf(payloads: readonly unknown[], partOf: (payload: unknown) => DayPart | undefined) {
  const days = new PersonDays('claude-code');
  const { records: parts, problems } = convertEach(payloads, partOf);
  for (const part of parts) if (part !== undefined) days.add(part);
  return { records: days.records(), problems };
}

/** The report of the Console has a row for each person, terminal and kind of plan. */
export const convertReport = (payloads: readonly unknown[]) => daysOf(payloads, reportPart);

function reportPart(payload: unknown): DayPart {
  const row = Payload.of(payload, 'row');
  const models = row.list('model_breakdown').map(modelUse);
  return {
    date: dayOf(row),
    person: actorOf(row.object('actor')),
    isActive: true,
    counts: {
      ai_lines: row.objectOrNull('core_metrics')?.objectOrNull('lines_of_code')?.count('added'),
      ...decisions(row, { accepted: 'accepted', rejected: 'rejected' }),
      tokens: sumOf(models.map(({ tokens }) => tokens)),
    },
    costCents: sumOf(models.map(({ cents }) => cents)),
    models: models.map(({ model, tokens = 0 }) => [model, tokens]),
  };
}

interface ModelUse {
  readonly model: string;
  readonly tokens: number | undefined;
  readonly cents: number | undefined;
}

function modelUse(use: Payload): ModelUse {
  const tokens = use.objectOrNull('tokens');
  const cost = use.objectOrNull('estimated_cost');
  const isDollars = (cost?.textOrNull('currency') ?? 'USD') === 'USD';
  const kinds = ['input', 'output', 'cache_read', 'cache_creation'];
  return {
    model: use.text('model'),
    tokens: tokens === null ? undefined : kinds.reduce((all, kind) => all + (tokens.count(kind) ?? 0), 0),
    cents: isDollars ? (cost?.measureOrNull('amount') ?? undefined) : undefined,
  };
}

/** Of several of which one is unknown the sum is unknown. Of none, too. */
function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum = (sum ?? 0) + amount;
  }
  return sum;
}

/** Decisions on what any tool proposed. */
function decisions(parent: Payload, fields: { readonly accepted: string; readonly rejected: string }) {
  const tools = parent.entries('tool_actions').map(([, tool]) => tool);
  return {
    accepts: sumOf(tools.map((tool) => tool.count(fields.accepted))),
    rejects: sumOf(tools.map((tool) => tool.count(fields.rejected))),
  };
}

/** A person, or a key of the interface, which may be anybody's. */
function actorOf(actor: Payload): ReportedPerson {
  const key = actor.textOrNull('api_key_name');
  return key === null ? { email: actor.text('email_address') } : { login: key, isBot: true };
}

function dayOf(row: Payload): string {
  const day = row.text('date').slice(0, 10);
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw new UnknownShape('row: date must be a day such as 2026-01-31');
}

/**
 * The interface of the Enterprise plan has a row for each person who used Claude at all, also where that was not Claude
 * Code. It says nothing of the day, which is the one that was asked for.
 */
export const convertActivity = (payloads: readonly unknown[], date: string) =>
  daysOf(payloads, (payload) => activityPart(payload, date));

function activityPart(payload: unknown, date: string): DayPart | undefined {
  const row = Payload.of(payload, 'row');
  const metrics = row.objectOrNull('claude_code_metrics');
  const core = metrics?.objectOrNull('core_metrics');
  if (!metrics || !core) return undefined;
  const counts = {
    ai_lines: core.objectOrNull('lines_of_code')?.count('added_count'),
    ...decisions(metrics, { accepted: 'accepted_count', rejected: 'rejected_count' }),
  };
  const others = ['distinct_session_count', 'commit_count', 'pull_request_count'].map((field) => core.count(field));
  if ([...Object.values(counts), ...others].every((count) => !count)) return undefined;
  const user = row.object('user');
  const email = user.textOrNull('email_address');
  // An account that was deleted has only its number.
  return { date, person: email === null ? { login: user.text('id') } : { email }, isActive: true, counts };
}
