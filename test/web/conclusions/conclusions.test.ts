import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenPromises } from './every-promise.ts';
import { type MadeService, roles, startMadeService } from './made-service.ts';
import { organisations, slowerReviews } from './organisations.ts';

let made: MadeService;
beforeAll(async () => {
  made = await startMadeService('organisations to draw conclusions from', organisations);
});
afterAll(() => made.service.close());

test.each(organisations.map((one) => [one.name, one] as const))(
  'Every conclusion that pages draw from these rows follows from them: %s',
  async (_, organisation) => {
    expect(await brokenPromises(made, organisation, 'Owner')).toEqual([]);
  },
);

test.each(roles.slice(1))(
  'Every conclusion that pages draw follows from the rows that their reader sees: %s',
  async (role) => {
    expect(await brokenPromises(made, slowerReviews, role)).toEqual([]);
  },
);
