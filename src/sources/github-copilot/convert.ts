import type { FieldValues } from '../../catalogue/field-values.ts';
import { Payload, UnknownShape } from '../payload.ts';
import { isNamed } from '../person-days.ts';

export const source = 'github-copilot';

/** Features in which Copilot works on its own: it suggests nothing there, so nobody accepts or rejects anything. */
const actsByItself: ReadonlySet<string> = new Set(['agent_edit', 'copilot_cli']);

/** The kind of requests that a feature counts as. Other features of the chat count as chat. */
const requestColumns: Readonly<Record<string, string>> = {
  chat_inline: 'cmd_k_usages',
  chat_panel_edit_mode: 'composer_requests',
  chat_panel_agent_mode: 'agent_requests',
  chat_panel_custom_mode: 'agent_requests',
  chat_panel_plan_mode: 'agent_requests',
  copilot_cli: 'agent_requests',
};
const countsAsChat = /^chat_/;

/** An entry of a report as a record: what a person did with Copilot on one day. */
export function userDayRecord(entry: unknown): FieldValues {
  const day = Payload.of(entry, 'user-day');
  const features = day.list('totals_by_feature');
  const counted = {
    ...suggestions(features),
    ...requests(features),
    ai_lines: count(day, 'loc_added_sum'),
    ...tokens(day),
  };
  const isUsed = Object.values(counted).some((value) => value > 0) || used.some((field) => day.isTrue(field));
  const model = mostUsed(day.list('totals_by_model_feature'), 'model', activity);
  const language = mostUsed(day.list('totals_by_language_feature'), 'language', activity);
  return {
    source,
    date: dayOf(day, 'day'),
    person_login: day.text('user_login'),
    is_active: isUsed,
    ...counted,
    ...(model !== undefined && { model }),
    ...(language !== undefined && { language }),
  };
}

/** Each says that the person used it, though some of what was done there is not counted. */
const used = [
  'used_agent',
  'used_chat',
  'used_cli',
  'used_copilot_coding_agent',
  'used_copilot_cloud_agent',
  'used_copilot_code_review_active',
];

function suggestions(features: readonly Payload[]) {
  const sums = { suggested_lines: 0, accepted_lines: 0, accepts: 0, rejects: 0 };
  for (const feature of features) {
    const name = feature.text('feature');
    if (actsByItself.has(name)) continue;
    sums.suggested_lines += count(feature, 'loc_suggested_to_add_sum');
    sums.accepted_lines += count(feature, 'loc_added_sum');
    // A suggestion in a chat that nobody takes was not rejected; a completion is taken or it is not.
    if (name !== 'code_completion') continue;
    const accepted = count(feature, 'code_acceptance_activity_count');
    sums.accepts += accepted;
    sums.rejects += Math.max(0, count(feature, 'code_generation_activity_count') - accepted);
  }
  return sums;
}

function requests(features: readonly Payload[]) {
  const sums: Record<string, number> = { chat_requests: 0, composer_requests: 0, agent_requests: 0, cmd_k_usages: 0 };
  for (const feature of features) {
    const name = feature.text('feature');
    const column = requestColumns[name] ?? (countsAsChat.test(name) ? 'chat_requests' : undefined);
    if (column !== undefined) sums[column] = (sums[column] ?? 0) + count(feature, 'user_initiated_interaction_count');
  }
  return sums;
}

/** Only the command line says how many tokens it used. */
function tokens(day: Payload): { readonly tokens?: number } {
  const usage = day.objectOrNull('totals_by_cli')?.objectOrNull('token_usage');
  return usage ? { tokens: count(usage, 'prompt_tokens_sum') + count(usage, 'output_tokens_sum') } : {};
}

const activity = (total: Payload): number =>
  count(total, 'code_generation_activity_count') + count(total, 'user_initiated_interaction_count');

/** A number that is absent was not counted: none. */
export function count(payload: Payload, field: string): number {
  const value = payload.integerOrNull(field) ?? 0;
  if (value < 0) throw new UnknownShape(`${field} must not be negative`);
  return value;
}

export function dayOf(payload: Payload, field: string): string {
  const day = payload.text(field).slice(0, 10);
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw new UnknownShape(`${field} must be a day such as 2024-01-31`);
}

/** The name that most was done with; of several the first by name. Undefined where nothing was. */
function mostUsed(
  totals: readonly Payload[],
  field: 'model' | 'language' | 'name',
  amountOf: (total: Payload) => number,
): string | undefined {
  const amounts = new Map<string, number>();
  for (const total of totals) {
    const name = total.textOrNull(field);
    if (name === null || !isNamed(name)) continue;
    amounts.set(name, (amounts.get(name) ?? 0) + amountOf(total));
  }
  const [first] = [...amounts]
    .filter(([, amount]) => amount > 0)
    .sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
  return first?.[0];
}

/**
 * A day of a whole organisation, under the organisation's own login, which no person can have. It counts in totals of the
 * organisation and under nobody: the older metrics name no people. It is no person's active day either.
 */
const ofOrganisation = (organization: string, date: string): FieldValues => ({
  source,
  date,
  person_login: organization,
  person_is_bot: true,
  is_active: false,
});

/** Takes the day of the whole organisation away, once its people are reported: together they would count twice. */
export const withoutOrganisationDay = (organization: string, date: string): FieldValues => ({
  source,
  date,
  person_login: organization,
  _deleted: true,
});

/** A day of `/orgs/{org}/copilot/metrics`. */
export function metricsDayRecord(entry: unknown, organization: string): FieldValues {
  const day = Payload.of(entry, 'metrics day');
  const languages = listOf(day.objectOrNull('copilot_ide_code_completions'), 'editors')
    .flatMap((editor) => editor.list('models'))
    .flatMap((model) => model.list('languages'));
  const chats = [
    ...listOf(day.objectOrNull('copilot_ide_chat'), 'editors').flatMap((editor) => editor.list('models')),
    ...listOf(day.objectOrNull('copilot_dotcom_chat'), 'models'),
  ];
  const language = mostUsed(languages, 'name', (total) => count(total, 'total_code_suggestions'));
  const model = mostUsed(chats, 'name', (total) => count(total, 'total_chats'));
  return {
    ...ofOrganisation(organization, dayOf(day, 'date')),
    ...taken(sum(languages, 'total_code_suggestions'), sum(languages, 'total_code_acceptances')),
    suggested_lines: sum(languages, 'total_code_lines_suggested'),
    accepted_lines: sum(languages, 'total_code_lines_accepted'),
    ai_lines: sum(languages, 'total_code_lines_accepted'),
    chat_requests: sum(chats, 'total_chats'),
    ...(language !== undefined && { language }),
    ...(model !== undefined && { model }),
  };
}

/** A day of `/orgs/{org}/copilot/usage`, which came before the metrics. */
export function usageDayRecord(entry: unknown, organization: string): FieldValues {
  const day = Payload.of(entry, 'usage day');
  const language = mostUsed(day.list('breakdown'), 'language', (total) => count(total, 'suggestions_count'));
  return {
    ...ofOrganisation(organization, dayOf(day, 'day')),
    ...taken(count(day, 'total_suggestions_count'), count(day, 'total_acceptances_count')),
    suggested_lines: count(day, 'total_lines_suggested'),
    accepted_lines: count(day, 'total_lines_accepted'),
    ai_lines: count(day, 'total_lines_accepted'),
    chat_requests: count(day, 'total_chat_turns'),
    ...(language !== undefined && { language }),
  };
}

const taken = (suggested: number, accepts: number) => ({ accepts, rejects: Math.max(0, suggested - accepts) });

const sum = (totals: readonly Payload[], field: string): number =>
  totals.reduce((all, total) => all + count(total, field), 0);

const listOf = (parent: Payload | null, field: string): readonly Payload[] => parent?.list(field) ?? [];

/** Fields of a record. */
export type SeatRecord = Readonly<Record<'source' | 'date' | 'person_login', string> & { is_active: true }>;

/**
 * A seat as a record: its person used Copilot on the day of their last activity. A seat that was never used says nothing
 * about any day, and one that is no person's is nobody's; both are undefined.
 */
export function seatRecord(entry: unknown): SeatRecord | undefined {
  const seat = Payload.of(entry, 'seat');
  const lastActivity = seat.timeOrNull('last_activity_at');
  const assignee = seat.objectOrNull('assignee');
  if (lastActivity === null || assignee === null) return undefined;
  return { source, date: lastActivity.slice(0, 10), person_login: assignee.text('login'), is_active: true };
}
