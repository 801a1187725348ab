import type { FieldValues } from '../../../catalogue/field-values.ts';
import { Payload, UnknownShape } from '../../payload.ts';
import { mostUsed } from './most-used.ts';

export const source = 'github-copilot';

/** What Copilot does on its own: nothing is suggested there, so nothing of it is accepted or rejected. */
const actsByItself: ReadonlySet<string> = new Set(['agent_edit', 'copilot_cli']);

/** Which requests a feature counts as. Other features of the chat count as chat. */
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
    // What a chat shows and nobody takes was not rejected; a completion is taken or it is not.
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
