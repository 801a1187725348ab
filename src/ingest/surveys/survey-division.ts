import { type ReportedAnswer, reportedAnswers, type SurveyRow, surveys } from '../../catalogue/derivation-state.ts';
import { peopleCopy, teamMembersCopy, teamsCopy } from '../../catalogue/directory-copies.ts';
import { type RowOf, storedNames } from '../../catalogue/table.ts';
import { surveyRecipients, surveyResponses } from '../../catalogue/tables/surveys.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { compareTexts } from '../../text-comparison.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { answerId } from '../derive/answer-id.ts';
import type { KnownDirectory } from '../publish/known-directory.ts';
import type { IntakeSession } from '../write/intake-session.ts';

type StoredAnswer = RowOf<typeof surveyResponses>;

const secondsPerHour = 3_600;
const secondsPerDay = 24 * secondsPerHour;
/** A survey that nobody closes is divided so long after its last answer. */
const openSeconds = 14 * secondsPerDay;
/** Answers may follow the recipients who gave them for this long, in records of their own. */
const arrivingSeconds = secondsPerHour;

/** Records that name no survey are those of one. */
export const surveyIdOf = ({ survey_id }: { readonly survey_id: string | null }): string => survey_id ?? '';

export const ofSurvey = (id: string): Condition =>
  id === ''
    ? {
        any: [
          { column: 'survey_id', in: [''] },
          { column: 'survey_id', isNull: true },
        ],
      }
    : { column: 'survey_id', in: [id] };

/** When an answer was given: the first of these that has a value. */
const answerTimes = ['final_response_submitted_at', 'response_updated_at', 'response_created_at'] as const;
const answeredAt = (answer: StoredAnswer): number | null =>
  answer.final_response_submitted_at ?? answer.response_updated_at ?? answer.response_created_at;

/** The surveys, of some or of all, whose answers are anonymous and not divided yet though it is time. */
export async function dueSurveys(session: TableReader, now: number, ids?: readonly string[]): Promise<SurveyRow[]> {
  const waiting = await session.select(surveys, storedNames(surveys) as (keyof SurveyRow)[], {
    all: [
      { column: 'survey_privacy', in: ['anonymous'] },
      { column: 'divided_at', isNull: true },
      ...(ids ? [{ column: 'survey_id', in: ids }] : []),
    ],
  });
  const due: SurveyRow[] = [];
  for (const survey of waiting) if (await isDue(session, survey, now)) due.push(survey);
  return due;
}

/**
 * Whether it is time to divide a survey: it is closed, or 14 days have gone by since its last answer. Each change of a survey
 * asks this: its answers are counted, not read.
 */
async function isDue(session: TableReader, { survey_id, last_record_at }: SurveyRow, now: number): Promise<boolean> {
  const where = ofSurvey(survey_id ?? '');
  if ((await countOf(session, surveyResponses, where)) === 0) return false;
  const isClosed = { all: [where, { column: 'survey_status', in: ['closed'] }] };
  const closed =
    (await countOf(session, surveyRecipients, isClosed)) + (await countOf(session, surveyResponses, isClosed));
  if (closed === 0 && !(await isLongAnswered(session, where, now))) return false;
  // Records of one survey may come in several requests, recipients before answers: what is divided too soon stays so.
  if (last_record_at === null || now >= last_record_at + arrivingSeconds) return true;
  const answered = new Set(
    (await session.tally(surveyResponses, ['survey_recipient_id'], where)).map((one) => one.survey_recipient_id),
  );
  const submitted = await session.select(surveyRecipients, ['survey_recipient_id'], {
    all: [where, { column: 'final_response_submitted_at', isNull: false }],
  });
  return submitted.every(({ survey_recipient_id }) => answered.has(survey_recipient_id));
}

/** Whether some answers say when they were given, and none of them was within the last 14 days. */
async function isLongAnswered(session: TableReader, where: Condition, now: number): Promise<boolean> {
  const answeredIn = (which: (column: string) => Condition): Condition => ({
    all: [
      where,
      { any: answerTimes.map((column, i) => ({ all: [...answerTimes.slice(0, i).map(isNull), which(column)] })) },
    ],
  });
  const recent = answeredIn((column) => ({ column, atLeast: now - openSeconds + 1 }));
  if ((await countOf(session, surveyResponses, recent)) > 0) return false;
  return (
    (await countOf(
      session,
      surveyResponses,
      answeredIn((column) => ({ column, isNull: false })),
    )) > 0
  );
}

const isNull = (column: string): Condition => ({ column, isNull: true });

async function countOf(
  session: TableReader,
  table: typeof surveyResponses | typeof surveyRecipients,
  where: Condition,
) {
  const [counted] = await session.tally<typeof surveyResponses | typeof surveyRecipients, never>(table, [], where);
  return counted?.rows ?? 0;
}

/** Divides the respondents of a survey into reporting groups, and keeps their answers as they are now. */
export async function divideSurvey(
  session: IntakeSession,
  { surveyKey }: Pick<KnownDirectory, 'surveyKey'>,
  survey: SurveyRow,
  now: number,
): Promise<void> {
  const id = survey.survey_id ?? '';
  const all = await unreported(
    session,
    await session.select(surveyResponses, storedNames(surveyResponses) as (keyof StoredAnswer)[], ofSurvey(id)),
  );
  const { answers, respondents } = await respondentsOf(session, survey, all);
  const sharedOf = sharedColumns(answers);
  const day = middleDay(all);
  const groups = divideRespondents(respondents, survey.respondents_least ?? 1);
  const groupOf = new Map(groups.flatMap((group, i) => group.respondents.map((one) => [one, { group, place: i + 1 }])));
  const rows = answers.flatMap((answer): ReportedAnswer[] => {
    const place = groupOf.get(respondentOf(answer));
    if (!place) return [];
    return [
      {
        ...answer,
        ...sharedOf(answer),
        answer_id: null,
        merged_user_id: null,
        is_bot: null,
        // Good for this survey alone: nobody is found again in another one.
        actor: answerId(surveyKey, JSON.stringify([id, respondentOf(answer)])),
        recipient_type: null,
        // Even where it has none: that somebody did not submit their answers is shown of the recipient.
        final_response_submitted_at: day,
        response_created_at: day,
        response_updated_at: day,
        sent_at: null,
        report_group: `${id}#${place.place}`,
        report_team_names: survey.report_by === 'team' ? JSON.stringify(place.group.values) : null,
      },
    ];
  });
  await session.put(reportedAnswers, rows);
  await session.put(surveys, [{ ...survey, divided_at: now, answered_on: day }]);
}

/** Answers that no survey has reported. What one has reported stays as it was, wherever the answer is now. */
async function unreported(session: TableReader, answers: readonly StoredAnswer[]): Promise<StoredAnswer[]> {
  const ids = answers.flatMap(({ survey_response_id }) => survey_response_id ?? []);
  const isAmong = { column: 'survey_response_id', in: ids };
  const known = await session.select(reportedAnswers, ['survey_response_id'], isAmong);
  const reported = new Set(known.map(({ survey_response_id }) => survey_response_id));
  return answers.filter(({ survey_response_id }) => !reported.has(survey_response_id));
}

const columnsOfSurvey = ['survey_id', 'survey_name', 'survey_status'] as const;
const columnsOfQuestion = ['section_id', 'section_title', 'question_order', 'question_text', 'response_type'] as const;

/**
 * What answers say of their survey and their question, the same for all of these: what most of them say. A source may have
 * named a survey otherwise in the records of one day, or asked in another language, and that would tell who answered.
 */
function sharedColumns(answers: readonly StoredAnswer[]): (answer: StoredAnswer) => Partial<StoredAnswer> {
  const ofSurvey = mostOf(answers, columnsOfSurvey);
  const byQuestion = listsByKey(answers, questionOf);
  const ofQuestions = new Map([...byQuestion].map(([question, some]) => [question, mostOf(some, columnsOfQuestion)]));
  return (answer) => ({ ...ofSurvey, ...ofQuestions.get(questionOf(answer)) });
}

/** A question without an identifier is known by what answers say of it. */
const questionOf = (answer: StoredAnswer): string =>
  answer.survey_template_question_id ?? JSON.stringify(columnsOfQuestion.map((column) => answer[column]));

/** The most frequent value of the answers in each of these columns. */
function mostOf(answers: readonly StoredAnswer[], columns: readonly (keyof StoredAnswer)[]): Partial<StoredAnswer> {
  const most = columns.map((column) => {
    const counts = new Map<StoredAnswer[typeof column], number>();
    for (const answer of answers) counts.set(answer[column], (counts.get(answer[column]) ?? 0) + 1);
    const [first] = [...counts].sort(([a, m], [b, n]) => n - m || compareTexts(String(a), String(b)));
    return [column, first?.[0] ?? null];
  });
  return Object.fromEntries(most) as Partial<StoredAnswer>;
}

/** Somebody who was invited from outside is known by nothing but the invitation. */
const respondentOf = ({ actor, survey_recipient_id, survey_response_id }: StoredAnswer): string =>
  actor ?? survey_recipient_id ?? survey_response_id ?? '';

/** The answers of those who count, and who these are. Nobody counts who is known and not onboarded, bots excepted. */
async function respondentsOf(session: TableReader, { report_by }: SurveyRow, all: readonly StoredAnswer[]) {
  const ids = [...new Set(all.flatMap(({ merged_user_id }) => merged_user_id ?? []))];
  const people = await session.select(peopleCopy, ['merged_user_id', 'location', 'onboarded'], {
    column: 'merged_user_id',
    in: ids,
  });
  const uncounted = new Set(people.flatMap((one) => (one.onboarded === false ? [one.merged_user_id] : [])));
  const answers = all.filter((answer) => answer.is_bot === true || !uncounted.has(answer.merged_user_id));
  const valuesOf =
    report_by === 'location'
      ? new Map(people.map((one) => [one.merged_user_id, one.location === null ? [] : [one.location]]))
      : await teamValues(session, ids, report_by === 'department' ? 'department' : 'team_name');
  const respondents = answers.map((answer): Respondent => {
    const values = answer.is_bot === true ? undefined : valuesOf.get(answer.merged_user_id);
    return { id: respondentOf(answer), values: values ?? [] };
  });
  return { answers, respondents };
}

/** The names of the teams of people, or of the departments of these. */
async function teamValues(session: TableReader, people: readonly string[], column: 'team_name' | 'department') {
  const memberships = await session.select(teamMembersCopy, ['team_id', 'merged_user_id'], {
    column: 'merged_user_id',
    in: people,
  });
  const teams = await session.select(teamsCopy, ['team_id', 'team_name', 'department']);
  const named = new Map(teams.map((team) => [team.team_id, team[column]]));
  const values = new Map<string | null, string[]>();
  for (const { team_id, merged_user_id } of memberships) {
    const value = named.get(team_id) ?? null;
    if (value !== null) values.set(merged_user_id, [...(values.get(merged_user_id) ?? []), value]);
  }
  return values;
}

/** Midnight (UTC) of the day of the middle answer; of two middle ones the earlier. */
function middleDay(answers: readonly StoredAnswer[]): number | null {
  const times = answers.flatMap((answer) => answeredAt(answer) ?? []).sort((a, b) => a - b);
  const middle = times[Math.ceil(times.length / 2) - 1];
  return middle === undefined ? null : Math.floor(middle / secondsPerDay) * secondsPerDay;
}

/** Somebody who answered, with the names of what they may be reported by. */
interface Respondent {
  readonly id: string;
  readonly values: readonly string[];
}

/** Respondents whose answers are only ever shown together. */
interface ReportingGroup {
  /** What they are reported as, in order: one name, several of a joined group, none of those who have none. */
  readonly values: readonly string[];
  readonly respondents: readonly string[];
}

/**
 * Divides those who answered a survey into groups of at least so many. Somebody with several values belongs to the first
 * by name. Groups that are too small are joined; what is then still too small joins the smallest of the others, of several
 * equally small ones the first by name. Where all together are too few there is no group.
 */
export function divideRespondents(respondents: readonly Respondent[], minRespondents: number): ReportingGroup[] {
  const byValue = new Map<string | undefined, Set<string>>();
  for (const [id, values] of valuesById(respondents)) {
    const [first] = [...values].sort(compareTexts);
    const ids = byValue.get(first) ?? new Set();
    byValue.set(first, ids.add(id));
  }
  const alone = [...byValue].map(([value, ids]) => groupOf(value === undefined ? [] : [value], ids)).sort(byName);
  const groups = alone.filter(isEnough);
  const small = alone.filter((group) => !isEnough(group));
  if (small.length === 0) return groups;
  const rest = joined(small);
  if (isEnough(rest)) return [...groups, rest].sort(byName);
  const [smallest] = [...groups].sort((a, b) => a.respondents.length - b.respondents.length || byName(a, b));
  if (!smallest) return [];
  return groups.map((group) => (group === smallest ? joined([group, rest]) : group)).sort(byName);

  function isEnough(group: ReportingGroup): boolean {
    return group.respondents.length >= minRespondents;
  }
}

/** Two accounts of one person are one respondent, with the values of both. */
function valuesById(respondents: readonly Respondent[]): Map<string, Set<string>> {
  const byId = new Map<string, Set<string>>();
  for (const { id, values } of respondents) {
    const known = byId.get(id) ?? new Set();
    for (const value of values) known.add(value);
    byId.set(id, known);
  }
  return byId;
}

const groupOf = (values: Iterable<string>, ids: Iterable<string>): ReportingGroup => ({
  values: [...new Set(values)].sort(compareTexts),
  respondents: [...ids].sort(compareTexts),
});

const joined = (groups: readonly ReportingGroup[]): ReportingGroup =>
  groupOf(
    groups.flatMap(({ values }) => values),
    groups.flatMap(({ respondents }) => respondents),
  );

/** Every value is in one group only, so the first decides. The group without any comes last. */
function byName(a: ReportingGroup, b: ReportingGroup): number {
  const [first, second] = [a.values[0], b.values[0]];
  if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
  return compareTexts(first, second);
}
