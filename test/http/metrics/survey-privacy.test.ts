import { afterAll, beforeAll, expect, test } from 'vitest';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };
const people = ['Ann', 'Bob', 'Cy', 'Dee', 'Eve', 'Fay'];

/** Six people of one team and one of another answered the survey of March, two that of a small group. */
beforeAll(async () => {
  service = await startService();
  await service.put([
    ...people.map((name) => ({
      name,
      main_email: `${name}@survey.example`,
      teams: ['Core'],
      location: name < 'C' ? 'Graz' : 'Wien',
    })),
    { name: 'Gus', main_email: 'Gus@survey.example', teams: ['Solo'] },
  ]);
  const asked = (survey: string, names: readonly string[]) =>
    names.map((name, i) => ({
      survey_recipient_id: `${survey}-${i}`,
      survey_id: survey,
      person_email: `${name}@survey.example`,
      created_at: '2024-03-01T08:00:00Z',
      final_response_submitted_at: `2024-03-${String(10 + i)}T09:0${String(i)}:00Z`,
    }));
  const recipients = [
    ...asked('big', [...people.slice(0, 5), 'Fay', 'Gus'].slice(0, 7)),
    ...asked('small', ['Ann', 'Bob']),
  ];
  const answers = recipients.map(({ survey_recipient_id, survey_id, final_response_submitted_at }) => ({
    survey_response_id: `${survey_recipient_id}-q1`,
    survey_recipient_id,
    survey_id,
    survey_template_question_id: 'q1',
    answer_value: '4',
    final_response_submitted_at,
    response_created_at: final_response_submitted_at,
    response_updated_at: final_response_submitted_at,
    sent_at: '2024-03-01T08:00:00Z',
  }));
  const { ingest } = service.app;
  const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));
  await ingest.put(service.organisationId, [
    { table: 'survey_recipients', lines: lines(recipients) },
    { table: 'survey_responses', lines: lines(answers) },
  ]);
});
afterAll(() => service.close());

const set = (values: Record<string, string>) =>
  setOrganisation(
    service.app.directory,
    { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } },
    values,
  );
const ask = async (body: object, path = '/metrics/survey-responses-count') => {
  const answer = await service.request('POST', path, {
    key: service.keys.owner,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filters, ...body }),
  });
  return {
    status: answer.status,
    json: answer.json as never,
    suppressed: (answer.headers['x-suppressed'] as string | undefined) ?? null,
  };
};
type SurveyRows = Record<string, unknown>[];
const shown = ['survey_id', 'final_response_submitted_at', 'response_created_at', 'response_updated_at', 'sent_at'];

test('by role, answers carry their own times, and nothing is left out', async () => {
  const { json, suppressed } = await ask({ group_by: ['survey_response_id', ...shown] });
  expect((json as SurveyRows).length).toBe(9);
  expect(new Set((json as SurveyRows).map((row) => row.final_response_submitted_at)).size).toBeGreaterThan(5);
  expect((json as SurveyRows).every(({ sent_at }) => sent_at === '2024-03-01T08:00:00Z')).toBe(true);
  expect(suppressed).toBeNull();
});

test('identifiers of answers tell nothing of recipients or of order, in both modes', async () => {
  for (const survey_privacy of ['role', 'anonymous']) {
    await set({ survey_privacy });
    const { json } = await ask({ group_by: ['survey_response_id', 'survey_id'] });
    const ids = (json as SurveyRows).map(({ survey_response_id }) => String(survey_response_id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(JSON.stringify(json)).not.toMatch(/(big|small)-\d/);
  }
});

test('anonymous answers carry the day of the middle one, and those of few people are left out and counted', async () => {
  await set({ survey_privacy: 'anonymous' });
  const { json, suppressed } = await ask({ group_by: ['survey_response_id', ...shown] });
  expect(suppressed).toBe('2');
  expect((json as SurveyRows).length).toBe(7);
  for (const row of json as SurveyRows) {
    const day = '2024-03-13T00:00:00Z';
    const times = { final_response_submitted_at: day, response_created_at: day, response_updated_at: day };
    expect(row).toMatchObject({ survey_id: 'big', ...times, sent_at: null });
  }
  // Filtered and put into buckets by that day, too.
  expect(await ask({ filters: { start_date: '2024-03-13', end_date: '2024-03-13' } })).toMatchObject({
    json: [{ survey_responses_count: 7 }],
    suppressed: '0',
  });
  expect((await ask({ filters: { start_date: '2024-03-10', end_date: '2024-03-12' } })).json).toMatchObject([
    { survey_responses_count: 0 },
  ]);
  expect((await ask({ date_level: 'day' })).json).toMatchObject([
    { day_date: '2024-03-13', survey_responses_count: 7 },
  ]);
});

test('teams are shown where enough respondents share them, and filters that leave few people leave nothing', async () => {
  await set({ survey_privacy: 'anonymous' });
  expect((await ask({ group_by: ['team_names'] })).json).toEqual([
    expect.objectContaining({ team_names: ['Core'], survey_responses_count: 6 }),
    expect.objectContaining({ team_names: null, survey_responses_count: 1 }),
  ]);
  expect(await ask({ filters: { ...filters, locations: ['Graz'] } })).toMatchObject({
    json: [{ survey_responses_count: 0 }],
    suppressed: '4',
  });
  // Grouping leaves nothing out.
  expect(await ask({ group_by: ['survey_id', 'answer_value', 'recipient_type'] })).toMatchObject({
    json: [{ survey_responses_count: 7 }],
    suppressed: '2',
  });
  expect((await ask({ filters: { ...filters, member: ['x'] } })).status).toBe(400);
});

test('every form says how many are left out', async () => {
  await set({ survey_privacy: 'anonymous' });
  for (const form of [{ include_previous_period: true }, { time_series_data: true, date_level: 'month' }]) {
    const { json, suppressed } = await ask(form);
    expect([(json as { meta: object }).meta, suppressed]).toMatchObject([{ suppressed: 2 }, '2']);
  }
  const several = { metrics: ['survey-responses-count', 'survey-respondents-count'], group_by: ['survey_id'] };
  expect(await ask(several, '/metrics/get-multiple-metrics')).toMatchObject({
    json: [{ survey_id: 'big', survey_responses_count: 7, survey_respondents_count: 7 }],
    suppressed: '2',
  });
  const explained = await ask({}, '/metrics/survey-responses-count/explain');
  expect(explained).toMatchObject({ json: { rows_read: 7 }, suppressed: '2' });
  // Asked again, a kept answer says the same.
  expect((await ask({})).suppressed).toBe('2');
  expect((await ask({})).suppressed).toBe('2');
  expect((await ask({}, '/metrics/survey-recipients-count')).suppressed).toBeNull();
});

test('explanations count no answers of too few, give no reason about them and no day of theirs', async () => {
  interface Explained {
    readonly values: { readonly used: number; readonly left_out: readonly object[] };
    readonly nearest: object;
  }
  const explain = async (narrowed: object): Promise<Explained> => {
    const { json } = await ask({ filters: { ...filters, ...narrowed } }, '/metrics/survey-responses-count/explain');
    const { values, nearest } = json as Explained;
    return { values, nearest };
  };
  const nowhere = { before: null, after: null };
  const before = { start_date: '2024-01-01', end_date: '2024-01-31' };
  const gus = (onboarded: boolean) => service.put([{ main_email: 'Gus@survey.example', onboarded }]);
  await gus(false);
  await set({ survey_privacy: 'role' });
  expect(await explain({})).toEqual({
    values: { used: 8, left_out: [{ reason: 'not onboarded', count: 1 }] },
    nearest: nowhere,
  });
  expect(await explain(before)).toEqual({
    values: { used: 0, left_out: [{ reason: 'outside the window', count: 9 }] },
    nearest: { before: null, after: '2024-03-10' },
  });
  await set({ survey_privacy: 'anonymous' });
  // The one who is not onboarded is too few by himself.
  expect(await explain({})).toEqual({
    values: { used: 6, left_out: [{ reason: 'too few respondents', count: 2 }] },
    nearest: nowhere,
  });
  expect(await explain(before)).toEqual({
    values: { used: 0, left_out: [{ reason: 'outside the window', count: 6 }] },
    // The day that all answers of the survey carry, not that of the first one.
    nearest: { before: null, after: expect.stringMatching(/^2024-03-1[23]$/) },
  });
  expect(await explain({ locations: ['Graz'] })).toEqual({
    values: { used: 0, left_out: [{ reason: 'too few respondents', count: 4 }] },
    nearest: nowhere,
  });
  expect(await explain({ ...before, locations: ['Graz'] })).toEqual({
    values: { used: 0, left_out: [] },
    nearest: nowhere,
  });
  await gus(true);
});

test('a change of the settings holds for the very next question', async () => {
  await set({ survey_privacy: 'anonymous', survey_minimum_group: '5' });
  expect((await ask({})).json).toMatchObject([{ survey_responses_count: 7 }]);
  await set({ survey_minimum_group: '8' });
  expect(await ask({})).toMatchObject({ json: [{ survey_responses_count: 0 }], suppressed: '9' });
  await set({ survey_minimum_group: '2' });
  expect(await ask({})).toMatchObject({ json: [{ survey_responses_count: 9 }], suppressed: '0' });
  await set({ survey_privacy: 'role' });
  expect(await ask({})).toMatchObject({ json: [{ survey_responses_count: 9 }], suppressed: null });
  await expect(set({ survey_privacy: 'secret' })).rejects.toThrow('survey_privacy must be one of role, anonymous');
});
