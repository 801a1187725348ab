import type { ReportedAnswer, SurveyRow } from '../../src/catalogue/derivation-state.ts';
import type { Row } from '../../src/catalogue/table.ts';
import { isWanted, onboardedPerson, type PeopleWanted, personOf } from './directory.ts';
import { personSeen, type View } from './visibility.ts';
import type { World } from './world.ts';

export const surveyOf = ({ survey_id }: Row): string => String(survey_id ?? '');

const settingsOf = ({ surveys = [] }: World, survey: string): SurveyRow | undefined =>
  surveys.find(({ survey_id }) => survey_id === survey);

/** Whether the survey of a row is anonymous. One that nothing is known of is what the organisation says now. */
export function isAnonymous(world: World, row: Row): boolean {
  const known = settingsOf(world, surveyOf(row))?.survey_privacy;
  return known === undefined || known === null ? world.minRespondents !== undefined : known === 'anonymous';
}

/** A recipient, of an anonymous survey with days in place of times. */
export function recipientShown(world: World, row: Row): Row {
  if (!isAnonymous(world, row)) return row;
  const day = (time: Row[string] | undefined) => (time == null ? null : Math.floor(Number(time) / 86_400) * 86_400);
  return {
    ...row,
    created_at: day(row.created_at),
    sent_at: day(row.sent_at),
    survey_email_sent_at: day(row.survey_email_sent_at),
    final_response_submitted_at: day(row.final_response_submitted_at),
  };
}

/** Answers to surveys that are gated by role, under another identifier. */
export const answersByRole = (world: World): Row[] =>
  world.facts.survey_responses
    .filter((row) => !isAnonymous(world, row))
    .map((row) => ({ ...row, survey_response_id: row.answer_id ?? null }));

export const isReported = (row: Row): boolean => row.report_group != null;

/** Somebody of a reporting group: selected, or gone from the directory's people that count. */
export interface Member {
  readonly group: string;
  readonly isSelected: boolean;
  readonly isGone: boolean;
}

/** Which groups are selected whole, and which in part. Whoever is gone stands in nobody's way. */
export function selectGroups(members: readonly Member[]): { whole: ReadonlySet<string>; inPart: ReadonlySet<string> } {
  const touched = new Set(members.flatMap(({ group, isSelected }) => (isSelected ? [group] : [])));
  const missing = new Set(members.flatMap(({ group, isSelected, isGone }) => (!isSelected && !isGone ? [group] : [])));
  return {
    whole: new Set([...touched].filter((group) => !missing.has(group))),
    inPart: new Set([...touched].filter((group) => missing.has(group))),
  };
}

/** Reported answers of the groups that filters of people and visibility select whole, or in part. */
export function reportedAnswersOf(view: View, people: PeopleWanted, which: 'whole' | 'inPart'): Row[] {
  const { world, visible } = view;
  const rows = (world.reportedAnswers ?? []).map((row: ReportedAnswer): Row => ({ ...row, survey_response_id: null }));
  if (!visible && Object.keys(people).length === 0) return which === 'whole' ? rows : [];
  const members = rows.map((row): Member => {
    const recipient = world.facts.survey_recipients.find(
      (one) => row.survey_recipient_id !== null && one.survey_recipient_id === row.survey_recipient_id,
    );
    const person = recipient && personSeen(view, recipient);
    return {
      group: String(row.report_group),
      isSelected: person !== undefined && isWanted(world, person, people),
      isGone: recipient !== undefined && personOf(world, recipient.merged_user_id)?.onboarded === false,
    };
  });
  const chosen = selectGroups(members)[which];
  return rows.filter((row) => chosen.has(String(row.report_group)));
}

/** Answers that are left out: of groups that are selected in part, and of surveys as far as they are in no group. */
export function answersLeftOut(view: View, people: PeopleWanted): Row[] {
  const { world, visible } = view;
  const reported = new Map((world.reportedAnswers ?? []).map((one) => [one.survey_response_id, one.answer_digest]));
  const own = world.facts.survey_responses.filter((row) => isAnonymous(world, row));
  const ungrouped = own.filter(
    ({ survey_response_id: id, answer_digest }) =>
      answer_digest === null || reported.get(id as string | null) !== answer_digest,
  );
  const isEveryone = !visible && Object.keys(people).length === 0;
  const touched = new Set(
    ungrouped
      .filter((row) => {
        const person = onboardedPerson(world, row) && personSeen(view, row);
        return isEveryone || (person !== undefined && isWanted(world, person, people));
      })
      .map(surveyOf),
  );
  const waiting = ungrouped
    .filter((row) => touched.has(surveyOf(row)))
    .map((row): Row => {
      const all = world.facts.survey_responses.filter((other) => surveyOf(other) === surveyOf(row));
      const day = settingsOf(world, surveyOf(row))?.answered_on ?? dayOfSurvey(all);
      const instead = (time: Row[string] | undefined) => (time == null ? null : day);
      return {
        ...row,
        sent_at: null,
        final_response_submitted_at: instead(row.final_response_submitted_at),
        response_created_at: instead(row.response_created_at),
        response_updated_at: instead(row.response_updated_at),
      };
    });
  return [...reportedAnswersOf(view, people, 'inPart'), ...waiting];
}

/** Midnight of the day of the middle answer; of two middle ones the earlier. */
export function dayOfSurvey(answers: readonly Row[]): number | null {
  const submitted = answers
    .flatMap((row) => row.final_response_submitted_at ?? row.response_updated_at ?? row.response_created_at ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
  const middle = submitted[Math.ceil(submitted.length / 2) - 1];
  return middle === undefined ? null : Math.floor(middle / 86_400) * 86_400;
}
