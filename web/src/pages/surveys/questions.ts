import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { ask, askSeveral, type Question, type RequestFilters } from '../../ask/question.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow } from '../../ask/windows.ts';

/** The reader's filters without those of people: one person's answers are nobody's business. */
function filtersOf(view: View, window: DayWindow): RequestFilters {
  const { member: _nobody, ...filters } = view.filtersFor('survey-recipients-count', window);
  return filters;
}

/** Who was asked and who answered, of the surveys sent in the window. */
export const participationQuestion = (view: View, window: DayWindow): Question =>
  askSeveral(['survey-recipients-count', 'survey-completed-recipients-count'], { filters: filtersOf(view, window) });

/** The same by survey: of all, or of some, where the request of the others would tell what the page hides. */
export const surveysQuestion = (view: View, only?: readonly string[]): Question =>
  askSeveral(['survey-recipients-count', 'survey-completed-recipients-count'], {
    filters: { ...filtersOf(view, view.window), ...(only ? { survey_ids: only } : {}) },
    group_by: ['survey_id', 'survey_name', 'survey_status'],
  });

/** When each was sent, to know the newest. */
export const sentQuestion = (view: View): Question =>
  ask('survey-recipients-count', {
    filters: filtersOf(view, view.window),
    group_by: ['survey_id'],
    date_level: 'month',
  });

/** Answers arrive after the survey was sent, so the window reaches until today. */
const answersOf = (view: View, survey: string, more: RequestFilters = {}): RequestFilters => ({
  ...filtersOf(view, { start: view.window.start, end: view.today }),
  survey_ids: [survey],
  ...more,
});

/** How many people answered: in all, each question, and each set of teams. Only counts, never answers. */
export const respondentsQuestion = (view: View, survey: string): Question =>
  ask('survey-respondents-count', { filters: answersOf(view, survey) });
export const respondentsByQuestion = (view: View, survey: string): Question =>
  askSeveral(['survey-respondents-count'], {
    filters: answersOf(view, survey),
    group_by: ['survey_template_question_id'],
  });
export const respondentsByTeams = (view: View, survey: string): Question =>
  askSeveral(['survey-respondents-count'], { filters: answersOf(view, survey), group_by: ['team_names'] });

/** Every answer of a survey, counted. */
export const answersQuestion = (view: View, survey: string): Question =>
  askSeveral(['survey-responses-count'], {
    filters: answersOf(view, survey),
    group_by: [
      'section_title',
      'question_order',
      'survey_template_question_id',
      'question_text',
      'response_type',
      'answer_value',
    ],
  });

/** The answers to one question: what a card shows as its request. */
export const oneQuestion = (view: View, survey: string, question: string): Question =>
  askSeveral(['survey-responses-count'], {
    filters: answersOf(view, survey, { survey_template_question_ids: [question] }),
    group_by: ['answer_value'],
  });

/** The ratings of one team. */
export const teamQuestion = (view: View, survey: string, team: string): Question =>
  askSeveral(['survey-responses-count'], {
    filters: answersOf(view, survey, { team: [team], survey_response_types: ['rating'] }),
    group_by: ['survey_template_question_id', 'answer_value'],
  });

export interface Survey {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly recipients: number;
  readonly completed: number;
  readonly sent: string;
}

/** Answers are still arriving: how many there are so far says nothing about the end. */
export const isOpen = ({ status }: Survey): boolean => status === 'active';

/** Newest first. */
export function surveysOf(rows: readonly Row[], sent: readonly Row[]): Survey[] {
  const months = new Map<string, string>();
  for (const row of sent) {
    const [id, month] = [String(row.survey_id), String(row.month_date)];
    if (month < (months.get(id) ?? '9999')) months.set(id, month);
  }
  return rows
    .map((row) => ({
      id: String(row.survey_id),
      name: textOf(row.survey_name) ?? String(row.survey_id),
      status: textOf(row.survey_status),
      recipients: numberIn(row, 'survey_recipients_count') ?? 0,
      completed: numberIn(row, 'survey_completed_recipients_count') ?? 0,
      sent: months.get(String(row.survey_id)) ?? '',
    }))
    .toSorted((a, b) => b.sent.localeCompare(a.sent) || a.name.localeCompare(b.name));
}

interface Participation {
  readonly recipients: number;
  readonly completed: number;
  readonly share: number | null;
}
export function participationOf(row: Row | undefined): Participation {
  const recipients = (row && numberIn(row, 'survey_recipients_count')) ?? 0;
  const completed = (row && numberIn(row, 'survey_completed_recipients_count')) ?? 0;
  return { recipients, completed, share: recipients > 0 ? completed / recipients : null };
}
