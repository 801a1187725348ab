import { afterAll, beforeAll, expect, test } from 'vitest';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
let clock = new Date('2024-03-20T12:00:00Z');
const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };
const people = ['Ann', 'Bob', 'Cy', 'Dee', 'Eve', 'Fay'];
const day = '2024-03-13T00:00:00Z';

const set = (values: Record<string, string>) =>
  setOrganisation(
    service.app.directory,
    { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } },
    values,
  );

/** Recipients of a survey who all answered its first question. */
function answered(survey: string, names: readonly string[], more: object = {}) {
  const recipients = names.map((name, i) => ({
    survey_recipient_id: `${survey}-${name}`,
    survey_id: survey,
    recipient_type: 'user',
    person_email: `${name}@survey.example`,
    created_at: '2024-03-01T08:00:00Z',
    final_response_submitted_at: `2024-03-${String(10 + i)}T09:0${String(i)}:00Z`,
    ...more,
  }));
  const answers = recipients.map(({ survey_recipient_id, final_response_submitted_at }) => ({
    survey_response_id: `${survey_recipient_id}-q1`,
    survey_recipient_id,
    survey_id: survey,
    survey_template_question_id: 'q1',
    answer_value: '4',
    recipient_type: 'user',
    final_response_submitted_at,
    response_created_at: final_response_submitted_at,
    response_updated_at: final_response_submitted_at,
    sent_at: '2024-03-01T08:00:00Z',
    ...more,
  }));
  return { recipients, answers };
}
const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));
const send = ({ recipients = [], answers = [] }: { recipients?: readonly object[]; answers?: readonly object[] }) =>
  service.app.ingest.put(service.organisationId, [
    { table: 'survey_recipients', lines: lines(recipients) },
    { table: 'survey_responses', lines: lines(answers) },
  ]);

/** Seven people of two teams and both places answered the survey of March, two another one; an earlier one is by role. */
beforeAll(async () => {
  service = await startService({ isQuick: true, now: () => clock });
  await service.put([
    ...people.map((name) => ({
      name,
      main_email: `${name}@survey.example`,
      teams: ['Core'],
      location: name < 'C' ? 'Graz' : 'Wien',
    })),
    { name: 'Gus', main_email: 'Gus@survey.example', teams: ['Solo'] },
  ]);
  await send(answered('by-role', [...people, 'Gus']));
  await set({ survey_privacy: 'anonymous' });
  await send(answered('big', [...people, 'Gus'], { survey_status: 'closed' }));
  await send(answered('small', ['Ann', 'Bob'], { survey_status: 'closed' }));
});
afterAll(() => service.close());

const ask = async (body: object, path = '/metrics/survey-responses-count') => {
  const { survey, ...rest } = body as { survey?: string };
  const answer = await service.request('POST', path, {
    key: service.keys.owner,
    body: { filters: { ...filters, ...(survey ? { survey_ids: [survey] } : {}) }, ...rest },
  });
  return {
    status: answer.status,
    json: answer.json as never,
    suppressed: (answer.headers['x-suppressed'] as string | undefined) ?? null,
  };
};
/** How many answers to a survey people filters show, and how many they leave out. */
const counted = async (survey: string, narrowed: object = {}) => {
  const { json, suppressed } = await ask({ filters: { ...filters, survey_ids: [survey], ...narrowed } });
  return [(json as { survey_responses_count: number }[])[0]?.survey_responses_count, suppressed];
};
type SurveyRows = Record<string, unknown>[];
const shown = ['survey_id', 'final_response_submitted_at', 'response_created_at', 'response_updated_at', 'sent_at'];

test('Surveys keep what the settings said when their first record came', async () => {
  const { json } = await ask({ survey: 'by-role', group_by: shown });
  expect(new Set((json as SurveyRows).map((row) => row.final_response_submitted_at)).size).toBe(7);
  await set({ survey_privacy: 'role', survey_minimum_group: '2' });
  expect(await counted('big')).toEqual([7, null]);
  expect(await counted('small')).toEqual([0, '2']);
  const { json: later } = await ask({ survey: 'big', group_by: shown });
  expect(later).toMatchObject([{ final_response_submitted_at: day }]);
  await set({ survey_privacy: 'anonymous', survey_minimum_group: '5' });
});

test('Identifiers of answers tell nothing of recipients or of order, and are not told of anonymous ones', async () => {
  const refused = await ask({ group_by: ['survey_response_id'] });
  expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining('anonymous') } });
  await set({ survey_privacy: 'role' });
  const { json } = await ask({ group_by: ['survey_response_id', 'survey_id'] });
  const ids = (survey: string) =>
    (json as SurveyRows).flatMap((row) => (row.survey_id === survey ? [row.survey_response_id] : []));
  expect(new Set(ids('by-role')).size).toBe(7);
  for (const id of ids('by-role')) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(ids('big')).toEqual(Array.from({ length: 7 }, () => null));
  await set({ survey_privacy: 'anonymous' });
});

test('Answers carry the day of the middle one, and nothing that says who or where somebody is', async () => {
  const { json, suppressed } = await ask({ survey: 'big', group_by: [...shown, 'recipient_type', 'team_names'] });
  expect(json).toEqual([
    {
      survey_id: 'big',
      final_response_submitted_at: day,
      response_created_at: day,
      response_updated_at: day,
      sent_at: null,
      recipient_type: null,
      team_names: ['Core', 'Solo'],
      date_level_not_set: true,
      survey_responses_count: 7,
    },
  ]);
  expect(suppressed).toBe('0');
  // Filtered and put into buckets by that day, too.
  const within = { start_date: '2024-03-13', end_date: '2024-03-13', survey_ids: ['big'] };
  expect((await ask({ filters: within })).json).toMatchObject([{ survey_responses_count: 7 }]);
  expect((await ask({ survey: 'big', date_level: 'day' })).json).toMatchObject([{ day_date: '2024-03-13' }]);
});

test('Recipients show days, where their survey is anonymous', async () => {
  const path = '/metrics/survey-recipients-count';
  const of = (survey: string) => ask({ survey, group_by: ['name', 'final_response_submitted_at'] }, path);
  expect((await of('big')).json).toContainEqual(
    expect.objectContaining({ name: 'Bob', final_response_submitted_at: '2024-03-11T00:00:00Z' }),
  );
  expect((await of('by-role')).json).toContainEqual(
    expect.objectContaining({ name: 'Bob', final_response_submitted_at: '2024-03-11T09:01:00Z' }),
  );
  expect((await of('big')).suppressed).toBeNull();
});

test('People filters select whole groups, others select answers', async () => {
  expect(await counted('big', { locations: ['Graz'] })).toEqual([0, '7']);
  expect(await counted('big', { locations: ['Graz', 'Wien'] })).toEqual([0, '7']);
  expect(await counted('big', { team: ['Core', 'Solo'] })).toEqual([7, '0']);
  expect(await counted('big', { departments: ['none'] })).toEqual([0, '0']);
  expect(await counted('big', { survey_template_question_ids: ['q1'] })).toEqual([7, '0']);
  expect(await counted('big', { survey_template_question_ids: ['q2'] })).toEqual([0, '0']);
  expect((await ask({ filters: { ...filters, member: ['x'] } })).status).toBe(400);
});

test('Every form says how many are left out', async () => {
  for (const form of [{ include_previous_period: true }, { time_series_data: true, date_level: 'month' }]) {
    const { json, suppressed } = await ask(form);
    expect([(json as { meta: object }).meta, suppressed]).toMatchObject([{ suppressed: 2 }, '2']);
  }
  const several = { metrics: ['survey-responses-count', 'survey-respondents-count'], group_by: ['survey_id'] };
  expect(await ask(several, '/metrics/get-multiple-metrics')).toMatchObject({
    json: [
      { survey_id: 'big', survey_responses_count: 7, survey_respondents_count: 7 },
      { survey_id: 'by-role', survey_responses_count: 7, survey_respondents_count: 7 },
    ],
    suppressed: '2',
  });
  // Asked again, a kept answer says the same.
  expect((await ask({})).suppressed).toBe('2');
  expect((await ask({})).suppressed).toBe('2');
});

test('Explanations count no answers of too few, give no reason about them and no day of theirs', async () => {
  const explain = async (survey: string, narrowed: object = {}) => {
    const body = { filters: { ...filters, survey_ids: [survey], ...narrowed } };
    const { json } = await ask(body, '/metrics/survey-responses-count/explain');
    const { values, nearest, rows_request } = json as {
      values: object;
      nearest: object;
      rows_request: { path: string; body: object };
    };
    // What lists the rows is a question that may be asked.
    expect((await ask(rows_request.body, rows_request.path)).status).toBe(200);
    return { ...values, nearest };
  };
  const nowhere = { before: null, after: null };
  const before = { start_date: '2024-01-01', end_date: '2024-01-31' };
  const tooFew = (count: number) => [{ reason: 'too few respondents', count }];
  expect(await explain('small')).toEqual({ used: 0, left_out: tooFew(2), nearest: nowhere });
  expect(await explain('big', { locations: ['Graz'] })).toEqual({ used: 0, left_out: tooFew(7), nearest: nowhere });
  expect(await explain('small', before)).toEqual({ used: 0, left_out: [], nearest: nowhere });
  expect(await explain('big', before)).toEqual({
    used: 0,
    left_out: [{ reason: 'outside the window', count: 7 }],
    nearest: { before: null, after: '2024-03-13' },
  });
});

test('Groups stay as they were, whoever leaves, moves or answers again', async () => {
  const values = async () => (await ask({ survey: 'big', group_by: ['answer_value', 'team_names'] })).json;
  const before = await values();
  await service.put([
    { main_email: 'Ann@survey.example', onboarded: false },
    { main_email: 'Bob@survey.example', teams: ['Solo'] },
  ]);
  expect(await values()).toEqual(before);
  // Ann is gone and Bob has moved: one does not stand in the way of the others, the other one does.
  expect(await counted('big', { team: ['Core'] })).toEqual([0, '7']);
  expect(await counted('big', { team: ['Core', 'Solo'] })).toEqual([7, '0']);
  const { answers } = answered('big', people);
  await send({ answers: [{ ...answers[2], answer_value: '1' }] });
  expect([await values(), await counted('big')]).toEqual([before, [7, '1']]);
  await send({ answers: [{ ...answers[2], survey_response_id: 'big-Cy-q2', survey_template_question_id: 'q2' }] });
  expect([await values(), await counted('big')]).toEqual([before, [7, '2']]);
  await send({ answers: [{ survey_response_id: 'big-Cy-q2', survey_recipient_id: 'big-Cy', _deleted: true }] });
  await send({ answers: [{ survey_response_id: 'big-Dee-q1', survey_recipient_id: 'big-Dee', _deleted: true }] });
  // The same answer once more is no change.
  await send({ answers: [answers[2] ?? {}] });
  expect([await values(), await counted('big')]).toEqual([before, [7, '0']]);
});

test('Until it is divided only participation is shown: 14 days after the last answer, where nobody closes it', async () => {
  await send(answered('open', ['Cy', 'Dee', 'Eve', 'Fay', 'Gus'], { survey_status: 'active' }));
  expect(await counted('open')).toEqual([0, '5']);
  expect((await ask({ survey: 'open' }, '/metrics/survey-completed-recipients-count')).json).toMatchObject([
    { survey_completed_recipients_count: 5 },
  ]);
  const questions = { ...filters, survey_template_question_ids: ['q-open'] };
  await send({
    answers: [
      { ...answered('open', ['Cy']).answers[0], survey_response_id: 'o2', survey_template_question_id: 'q-open' },
    ],
  });
  // That somebody answered a question is not told, either.
  expect(
    (
      await service.request('POST', '/metrics/survey-responses-count', {
        key: service.keys.owner,
        body: { filters: questions },
      })
    ).headers['x-unmatched-filters'],
  ).toContain('q-open');
  clock = new Date('2024-03-28T09:03:59Z');
  expect(await service.app.ingest.divideSurveys(service.organisationId)).toBe(false);
  clock = new Date('2024-03-28T09:04:00Z');
  expect(await service.app.ingest.divideSurveys(service.organisationId)).toBe(true);
  expect(await counted('open')).toEqual([6, '0']);
  expect(await service.app.ingest.divideSurveys(service.organisationId)).toBe(false);
});

test('Answers that follow their recipients in another request are waited for', async () => {
  const { recipients, answers } = answered('late', ['Cy', 'Dee', 'Eve', 'Fay', 'Gus'], { survey_status: 'closed' });
  await send({ recipients });
  await send({ answers: answers.slice(0, 3) });
  expect(await counted('late')).toEqual([0, '3']);
  await send({ answers: answers.slice(3) });
  expect(await counted('late')).toEqual([5, '0']);
});

test('Answers that were given anonymously are not moved to a survey that shows them', async () => {
  const moved = { survey_response_id: 'big-Eve-q1', survey_recipient_id: 'big-Eve', survey_id: 'by-role' };
  await expect(send({ answers: [moved] })).rejects.toThrow("Answers to the survey 'big' were given anonymously");
});

test('Records that say other things of one survey and question tell nobody apart', async () => {
  const names = ['Bob', 'Cy', 'Dee', 'Eve', 'Fay'];
  const { recipients, answers } = answered('differing', names, { survey_status: 'active', survey_name: 'Spring' });
  const last = {
    survey_status: 'closed',
    survey_name: 'Frühling',
    question_text: 'Wie geht es?',
    response_type: 'text',
    final_response_submitted_at: null,
    response_created_at: null,
  };
  await send({ recipients, answers: [...answers.slice(1), { ...answers[0], ...last }] });
  const told = ['survey_name', 'survey_status', 'question_text', 'response_type'];
  const { json } = await ask({ survey: 'differing', group_by: [...shown, ...told] });
  expect(json).toMatchObject([{ survey_name: 'Spring', survey_status: 'active', survey_responses_count: 5 }]);
});

test('A body that comes in parts is divided once all of it is there', async () => {
  const { recipients, answers } = answered('long', ['Bob', 'Cy', 'Dee', 'Eve', 'Fay'], { survey_status: 'closed' });
  await send({ recipients });
  // More than are written at once.
  const body = Array.from({ length: 1_001 }, (_, i) =>
    answers.map((one) => ({
      ...one,
      survey_response_id: `${one.survey_response_id} ${i}`,
      survey_template_question_id: `q${i}`,
    })),
  );
  const { status } = await service.request('POST', '/ingest/survey_responses', {
    key: service.keys.owner,
    body: body.flat(),
  });
  expect(status).toBe(200);
  expect(await counted('long')).toEqual([5_005, '0']);
});

test('What was reported stays, also where an answer comes again under another survey', async () => {
  const before = await counted('differing');
  const { recipients, answers } = answered('second', ['Bob', 'Cy', 'Dee', 'Eve', 'Fay'], { survey_status: 'closed' });
  const taken = { ...answers[0], survey_response_id: 'differing-Bob-q1' };
  await send({ recipients, answers: [taken, ...answers] });
  expect([await counted('differing'), await counted('second')]).toEqual([before, [5, '1']]);
});

test('Answers are not moved to a survey that shows smaller groups', async () => {
  await set({ survey_minimum_group: '1' });
  const moved = { survey_response_id: 'second-Eve-q1', survey_recipient_id: 'second-Eve', survey_id: 'one by one' };
  await expect(send({ answers: [moved] })).rejects.toThrow('which shows groups of fewer respondents');
  await set({ survey_minimum_group: '5' });
});

test('Reports by location or department name no team', async () => {
  await set({ survey_report_by: 'location', survey_minimum_group: '2' });
  await send(answered('places', ['Ann', 'Cy', 'Dee', 'Eve', 'Fay'], { survey_status: 'closed' }));
  expect((await ask({ survey: 'places', group_by: ['team_names'] })).json).toMatchObject([
    { team_names: null, survey_responses_count: 4 },
  ]);
  await expect(set({ survey_report_by: 'squad' })).rejects.toThrow(
    'survey_report_by must be one of team, department, location',
  );
  await expect(set({ survey_privacy: 'secret' })).rejects.toThrow('survey_privacy must be one of role, anonymous');
});
