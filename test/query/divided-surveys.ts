import type { ReportedAnswer, SurveyRow } from '../../src/catalogue/derivation-state.ts';
import { divideRespondents } from '../../src/ingest/surveys/survey-division.ts';
import { personOf, teamsOf } from '../reference/directory.ts';
import { dayOfSurvey, surveyOf } from '../reference/survey-privacy.ts';
import type { World } from '../reference/world.ts';

/**
 * The same world, where the survey y1 is anonymous and divided by team, y2 gated by role, and of answers without a survey is
 * only known what the organisation says now. Some answers to y1 came or changed after the division.
 */
export function withDividedSurveys(world: World, least: number): World {
  const survey = (survey_id: string, more: Partial<SurveyRow>): SurveyRow => ({
    survey_id,
    survey_privacy: 'role',
    respondents_least: least,
    report_by: 'team',
    last_record_at: 0,
    divided_at: null,
    answered_on: null,
    ...more,
  });
  const own = world.facts.survey_responses.filter((row) => surveyOf(row) === 'y1');
  const before = own.filter((_, i) => i % 5 > 0);
  const day = dayOfSurvey(before);
  const respondent = (row: (typeof own)[number]) => String(row.actor ?? row.survey_recipient_id);
  const respondents = before.map((row) => {
    const person = personOf(world, row.merged_user_id);
    const values = person ? teamsOf(world, person).flatMap(({ team_name }) => team_name ?? []) : [];
    return { id: respondent(row), values };
  });
  const groups = divideRespondents(respondents, least);
  const reportedAnswers = before.flatMap((row, i): ReportedAnswer[] => {
    const place = groups.findIndex((group) => group.respondents.includes(respondent(row)));
    const instead = (time: unknown) => (time == null ? null : day);
    if (place < 0) return [];
    const answer = {
      ...row,
      answer_digest: i % 7 === 0 ? 'as it was' : (row.answer_digest ?? null),
      answer_id: null,
      merged_user_id: null,
      is_bot: null,
      actor: `respondent ${respondent(row)}`,
      recipient_type: null,
      sent_at: null,
      final_response_submitted_at: instead(row.final_response_submitted_at),
      response_created_at: instead(row.response_created_at),
      response_updated_at: instead(row.response_updated_at),
      report_group: `y1#${place}`,
      report_team_names: JSON.stringify(groups[place]?.values ?? []),
    };
    return [answer as unknown as ReportedAnswer];
  });
  const surveys = [survey('y1', { survey_privacy: 'anonymous', divided_at: 0, answered_on: day }), survey('y2', {})];
  return { ...world, surveys, reportedAnswers };
}
