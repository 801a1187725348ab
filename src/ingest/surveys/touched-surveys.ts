import { reportedAnswers, type SurveyRow, surveys } from '../../catalogue/derivation-state.ts';
import { storedNames } from '../../catalogue/table.ts';
import { surveyRecipients, surveyResponses } from '../../catalogue/tables/surveys.ts';
import { Refusal } from '../../refusal.ts';
import type { Batch } from '../apply/batch.ts';
import type { KnownDirectory } from '../publish/known-directory.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { divideSurvey, dueSurveys, ofSurvey, surveyIdOf } from './survey-division.ts';

interface MovedAnswer {
  readonly from: string;
  readonly to: string;
}

/** The surveys of which a change brings records. */
export class TouchedSurveys {
  readonly ids = new Set<string>();
  /** Whether records came now. Where everything is recomputed, those that came before are looked at again. */
  readonly bringsRecords: boolean;
  /** Answers that say now that they are of another survey than before, each pair of surveys once. */
  readonly moved = new Map<string, MovedAnswer>();
  /** Surveys of which records were taken away. */
  readonly left = new Set<string>();

  constructor(bringsRecords = true) {
    this.bringsRecords = bringsRecords;
  }

  collect({ survey_recipients, survey_responses }: Batch['tables']): void {
    for (const { before, after } of [...survey_recipients.changed(), ...survey_responses.changed()]) {
      if (after) this.ids.add(surveyIdOf(after));
      if (before && (!after || surveyIdOf(after) !== surveyIdOf(before))) this.left.add(surveyIdOf(before));
    }
    for (const { before, after } of survey_responses.changed()) {
      if (!before || !after || surveyIdOf(before) === surveyIdOf(after)) continue;
      const move = { from: surveyIdOf(before), to: surveyIdOf(after) };
      this.moved.set(JSON.stringify(move), move);
    }
  }
}

/** Every survey of which anything is stored. */
export async function everySurvey(session: IntakeSession): Promise<TouchedSurveys> {
  const touched = new TouchedSurveys(false);
  for (const table of [surveyRecipients, surveyResponses])
    for (const row of await session.tally(table, ['survey_id'])) touched.ids.add(surveyIdOf(row));
  return touched;
}

/**
 * Keeps with each new survey how its answers are shown.
 */
export async function settleSurveys(
  session: IntakeSession,
  directory: Pick<KnownDirectory, 'surveySettings'>,
  touched: TouchedSurveys,
  now: Date,
): Promise<void> {
  const at = Math.floor(now.getTime() / 1_000);
  const ids = [...touched.ids];
  const asked = [...new Set([...ids, ...touched.left])];
  if (asked.length === 0) return;
  const known = new Map(
    (
      await session.select(surveys, storedNames(surveys) as (keyof SurveyRow)[], { column: 'survey_id', in: asked })
    ).map((survey) => [survey.survey_id, survey]),
  );
  const { privacy, minRespondents, reportBy } = directory.surveySettings;
  const rows = ids.flatMap((survey_id): SurveyRow[] => {
    const survey = known.get(survey_id);
    if (survey) return touched.bringsRecords && isWaiting(survey) ? [{ ...survey, last_record_at: at }] : [];
    return [
      {
        survey_id,
        survey_privacy: privacy,
        respondents_least: minRespondents,
        report_by: reportBy,
        last_record_at: touched.bringsRecords && privacy === 'anonymous' ? at : null,
        divided_at: null,
        answered_on: null,
      },
    ];
  });
  for (const row of rows) known.set(row.survey_id, row);
  refuseUncovered(touched.moved.values(), known);
  await session.put(surveys, rows);
  await forgetEmpty(session, [...touched.left]);
}

/** Divides those of the surveys whose time has come. */
export async function divideTouched(
  session: IntakeSession,
  directory: Pick<KnownDirectory, 'surveyKey'>,
  { ids }: TouchedSurveys,
  now: Date,
): Promise<void> {
  if (ids.size === 0) return;
  const at = Math.floor(now.getTime() / 1_000);
  for (const survey of await dueSurveys(session, at, [...ids])) await divideSurvey(session, directory, survey, at);
}

/** Whether it will be divided, for which it matters when its last record came. */
const isWaiting = ({ survey_privacy, divided_at }: SurveyRow): boolean =>
  survey_privacy === 'anonymous' && divided_at === null;

/** An anonymous answer stays so: under the name of another survey it would be shown by itself. */
function refuseUncovered(moved: Iterable<MovedAnswer>, known: ReadonlyMap<string | null, SurveyRow>): void {
  for (const { from, to } of moved) {
    const [given, shown] = [known.get(from), known.get(to)];
    if (given?.survey_privacy !== 'anonymous') continue;
    const isAnonymous = shown?.survey_privacy === 'anonymous';
    if (isAnonymous && (shown.respondents_least ?? 1) >= (given.respondents_least ?? 1)) continue;
    const why = isAnonymous ? 'which shows groups of fewer respondents' : 'whose answers are not';
    throw new Refusal(
      'bad-input',
      `Answers to the survey '${from}' were given anonymously, and cannot be moved to '${to}', ${why}. Send them under the survey that they were given to.`,
    );
  }
}

/** A survey of which nothing is left is forgotten, with what it reported. */
async function forgetEmpty(session: IntakeSession, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const [recipient] = await session.tally(surveyRecipients, [], ofSurvey(id));
    const [answer] = await session.tally(surveyResponses, [], ofSurvey(id));
    if ((recipient?.rows ?? 0) + (answer?.rows ?? 0) > 0) continue;
    await session.remove(reportedAnswers, ofSurvey(id));
    await session.remove(surveys, { column: 'survey_id', in: [id] });
  }
}
