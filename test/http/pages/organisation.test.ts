import { afterAll, beforeAll, expect, test } from 'vitest';
import { organisationName } from '../../setup/running-app.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

const settings = {
  time_zone: 'Asia/Calcutta',
  team_restrictions: true,
  salary_visibility: true,
  benchmark_opt_out: true,
  incident_window_days: 14,
  survey_minimum_group: 8,
  survey_privacy: 'anonymous',
  survey_report_by: 'location',
  onboard_automatically: false,
  runner_prices: { ubuntu: 0.008 },
};

test('An Owner sets what `plumb org set` sets, everybody reads it, and no key of surveys is told', async () => {
  const { status, json } = await pages.owner.request('PATCH', '/app/organisation', settings);
  expect([status, json]).toEqual([200, { id: pages.service.organisationId, name: organisationName, ...settings }]);
  expect((await pages.engineer.request('GET', '/app/organisation')).json).toEqual(json);
  const cleared = await pages.owner.request('PATCH', '/app/organisation', { runner_prices: null, name: 'Engines' });
  expect(cleared.json).toMatchObject({ runner_prices: null, name: 'Engines', time_zone: 'Asia/Calcutta' });
});

test.each([
  [{ time_zone: 'Mars/Olympus' }, 'time_zone must be an IANA name'],
  [{ survey_minimum_group: 0 }, 'survey_minimum_group must be a whole number'],
  [{ survey_privacy: 'none' }, 'survey_privacy must be one of'],
  [{ survey_report_by: 'squad' }, 'survey_report_by must be one of team, department, location'],
  [{ runner_prices: [1] }, 'runner_prices must be JSON'],
  [{ name: null }, 'name must not be blank'],
  [{ survey_key: 'x' }, "'survey_key' is not a setting"],
  [{ version: 1 }, "'version' is not a setting"],
  [{ time_zone: 'Europe/Vienna', colour: 'red' }, "'colour' is not a setting"],
])('Refuses %j, and changes nothing', async (body, says) => {
  const before = await pages.version();
  const { status, json } = await pages.owner.request('PATCH', '/app/organisation', body);
  expect([status, json]).toEqual([400, { detail: expect.stringContaining(says) }]);
  expect(await pages.version()).toBe(before);
});
