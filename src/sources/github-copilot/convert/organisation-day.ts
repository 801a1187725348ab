import type { FieldValues } from '../../../catalogue/field-values.ts';
import { Payload } from '../../payload.ts';
import { mostUsed } from './most-used.ts';
import { count, dayOf, source } from './user-day.ts';

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
