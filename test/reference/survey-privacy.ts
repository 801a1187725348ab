import type { Row } from '../../src/catalogue/table.ts';
import { onboardedPerson } from './directory.ts';
import type { World } from './world.ts';

/** Answers as they are shown: under another identifier, and where they are anonymous without times of their own. */
export function answersShown(world: World, rows: readonly Row[]): Row[] {
  return rows.map((row) => {
    const shown = { ...row, survey_response_id: row.answer_id ?? null };
    if (world.respondentsLeast === undefined) return shown;
    const day = dayOfSurvey(rows.filter((other) => isOfOneSurvey(row, other)));
    const instead = (time: Row[string] | undefined) => (time == null ? null : day);
    return {
      ...shown,
      sent_at: null,
      final_response_submitted_at: instead(row.final_response_submitted_at),
      response_created_at: instead(row.response_created_at),
      response_updated_at: instead(row.response_updated_at),
    };
  });
}

const isOfOneSurvey = (a: Row, b: Row): boolean => (a.survey_id ?? '') === (b.survey_id ?? '');

/** Midnight of the day of the middle answer; of two middle ones the earlier. */
function dayOfSurvey(answers: readonly Row[]): number | null {
  const submitted = answers
    .flatMap((row) => row.final_response_submitted_at ?? row.response_updated_at ?? row.response_created_at ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
  const middle = submitted[Math.ceil(submitted.length / 2) - 1];
  return middle === undefined ? null : Math.floor(middle / 86_400) * 86_400;
}

const respondentsOf = (rows: readonly Row[]): number =>
  new Set(rows.map(({ actor, survey_recipient_id }) => actor ?? survey_recipient_id)).size;

/** Whether enough people are left of the survey of an answer, among the answers that filters leave. */
export function isOfEnough(world: World, answer: Row, left: readonly Row[]): boolean {
  const { respondentsLeast: least } = world;
  return least === undefined || respondentsOf(left.filter((other) => isOfOneSurvey(answer, other))) >= least;
}

/** Whether enough respondents of the whole survey are in exactly these teams. */
export function areTeamsShared(world: World, answer: Row, teams: string, teamsOf: (row: Row) => string): boolean {
  const { respondentsLeast: least } = world;
  if (least === undefined) return true;
  const alike = world.facts.survey_responses.filter(
    (other) => isOfOneSurvey(answer, other) && onboardedPerson(world, other) !== undefined && teamsOf(other) === teams,
  );
  return respondentsOf(alike) >= least;
}
