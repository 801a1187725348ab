import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from '../../setup/seed.ts';
import { type MadeService, roles, startMadeService } from './made-service.ts';
import { organisations } from './organisations.ts';
import { PromiseKeeper } from './promise-keeper.ts';
import { randomOrganisation } from './random-organisations.ts';

/** Every page, as every role, over every organisation; in the gate each organisation is opened by its Owner. */
describe('Every conclusion that pages draw follows from the rows that their reader sees', () => {
  let made: MadeService;
  let keeper: PromiseKeeper;
  beforeAll(async () => {
    made = await startMadeService('organisations to draw conclusions from', organisations);
    keeper = new PromiseKeeper(made);
  });
  afterAll(() => made.service.close());

  for (const organisation of organisations) {
    test.each(roles.slice(1))(`${organisation.name}: %s`, async (role) => {
      expect(await keeper.brokenBy(organisation, role)).toEqual([]);
    });
  }
});

describe('Whatever the organisation is like', () => {
  const ranges = ['r=7d', 'r=30d', 'r=90d'];
  const random = Array.from({ length: 24 }, (_, i) => randomOrganisation(seed + i));
  let made: MadeService;
  let keeper: PromiseKeeper;
  beforeAll(async () => {
    made = await startMadeService(`random organisations ${seed}`, random);
    keeper = new PromiseKeeper(made);
  });
  afterAll(() => made.service.close());

  test.each(random.map((one, at) => [one.name, one, at] as const))('%s', async (_, organisation, at) => {
    const role = roles[at % roles.length] ?? 'Owner';
    for (const range of ranges) expect(await keeper.brokenBy(organisation, role, range)).toEqual([]);
  });
});
