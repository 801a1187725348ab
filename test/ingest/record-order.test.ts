import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeContext } from '../../src/directory/directory.ts';
import { mergePeople, unmergePerson } from '../../src/directory/merging.ts';
import { createOrganisation, setOrganisation } from '../../src/directory/organisations.ts';
import { setPerson } from '../../src/directory/people.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import type { App } from '../../src/main.ts';
import { quickStore } from '../conformance/stores.ts';
import { times } from '../setup/how-long.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';
import { type HistoryStep, history, lastWords, recordsOf } from './random-history.ts';
import { arrangement, world } from './random-records.ts';
import { stateOf } from './state.ts';

const people = [
  { main_email: 'ada@example.org', name: 'Ada', logins: { github: 'ada' } },
  { main_email: 'bob@example.org', name: 'Bob', logins: { github: 'bob', gitlab: 'bob' } },
  { main_email: 'carol@example.org', name: 'Carol', logins: { gitlab: 'carol' }, is_bot: false },
];
const repositories = [
  { repository: 'acme/web', default_branch: 'main' },
  { repository: 'acme/api', default_branch: 'develop', production_branch: 'main' },
];

describe('records', () => {
  let app: App;
  let made = 0;
  beforeAll(async () => {
    app = await openTemporaryApp({ store: quickStore });
  });
  afterAll(() => app.close());

  /** The same identifiers in every organisation would be the same people; comparing two needs them to be alike. */
  async function organisation(id: string): Promise<ChangeContext> {
    await createOrganisation(
      app.directory,
      { via: 'demo' },
      { id, name: `Example ${made++}`, ownerEmail: 'owner@example.org' },
    );
    const context: ChangeContext = { organisationId: id, actor: { via: 'demo' } };
    const put = async (table: 'people' | 'repositories', records: readonly object[]) => {
      await putRecords(
        app.directory,
        context,
        table,
        records.map((value, i) => ({ line: i + 1, value })),
        { strict: true },
      );
    };
    await put(
      'people',
      people.map((person) => ({ merged_user_id: person.name.toLowerCase(), ...person })),
    );
    await put('repositories', repositories);
    return context;
  }

  async function take({ organisationId }: ChangeContext, steps: readonly HistoryStep[]): Promise<void> {
    const batch = recordsOf(steps);
    for (const [i, { rejected }] of (await app.ingest.put(organisationId, batch)).entries()) {
      if (rejected[0]) throw new Error(`${batch[i]?.table}: ${rejected[0].detail}`);
    }
  }

  const id = () => `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  /** Which organisation it is must not matter. */
  const plain = (state: Record<string, string[]>, { organisationId }: ChangeContext): unknown =>
    JSON.parse(JSON.stringify({ ...state, organisation: [] }).replaceAll(organisationId, 'ORGANISATION'));
  const state = async (context: ChangeContext) => {
    const all = await stateOf(app.warehouse, context.organisationId);
    // The Owner's identifier follows from the organisation's.
    return plain({ ...all, people: [], person_emails: [], team_members: [] }, context);
  };

  test('Records give the same tables in any order and any batches, and a second time change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        world.chain((records) => fc.tuple(fc.constant(records), arrangement(records), arrangement(records))),
        async ([, one, other]) => {
          const first = await organisation(id());
          for (const batch of one) await take(first, batch);
          const second = await organisation(id());
          for (const batch of other) await take(second, batch);
          const expected = await state(first);
          expect(await state(second)).toEqual(expected);
          for (const batch of other) await take(first, batch);
          expect(await state(first)).toEqual(expected);
        },
      ),
      { numRuns: times(1, 240), endOnFailure: true },
    );
  });

  const change = fc.oneof(
    fc.constant({ do: 'merge' as const }),
    fc.constant({ do: 'unmerge' as const }),
    fc.record({ do: fc.constant('bot' as const), is: fc.boolean() }),
    fc.record({ do: fc.constant('login' as const), login: fc.constantFrom('stranger', 'helper') }),
    fc.record({
      do: fc.constant('zone' as const),
      zone: fc.constantFrom('UTC', 'Pacific/Auckland', 'America/New_York'),
    }),
    fc.record({ do: fc.constant('prices' as const), price: fc.constantFrom(0.01, 0.02) }),
    fc.record({ do: fc.constant('window' as const), days: fc.constantFrom(1, 30) }),
    fc.record({
      do: fc.constant('repository' as const),
      source: fc.constantFrom(null, 'merge_to_default', 'workflow_run', 'github_release'),
      active: fc.boolean(),
    }),
  );

  async function apply(
    context: ChangeContext,
    step: typeof change extends fc.Arbitrary<infer C> ? C : never,
  ): Promise<void> {
    const ignored = () => {};
    switch (step.do) {
      case 'merge':
        await mergePeople(app.directory, context, 'ada@example.org', 'bob@example.org').catch(ignored);
        return;
      case 'unmerge':
        await unmergePerson(app.directory, context, 'bob@example.org').catch(ignored);
        return;
      case 'bot':
        await setPerson(app.directory, context, 'carol@example.org', { is_bot: step.is }, { create: false });
        return;
      case 'login':
        await setPerson(
          app.directory,
          context,
          'carol@example.org',
          { logins: { gitlab: 'carol', github: step.login } },
          { create: false },
        );
        return;
      case 'zone':
        await setOrganisation(app.directory, context, { time_zone: step.zone });
        return;
      case 'prices':
        await setOrganisation(app.directory, context, { runner_prices: JSON.stringify({ ubuntu: step.price }) });
        return;
      case 'window':
        await setOrganisation(app.directory, context, { incident_window_days: String(step.days) });
        return;
      case 'repository':
        await putRecords(app.directory, context, 'repositories', [
          { line: 1, value: { repository: 'acme/web', deployment_source: step.source, is_active: step.active } },
        ]);
    }
  }

  test('Records updated, cleared, removed and replaced as they come, with the directory changing in between, leave no trace but the last word', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(change, { maxLength: 6 }), async (batches, changes) => {
        const context = await organisation(id());
        for (let i = 0; i < Math.max(batches.length, changes.length); i++) {
          const [batch, step] = [batches[i], changes[i]];
          if (batch) await take(context, batch);
          if (step) await apply(context, step);
        }
        const asItCame = await state(context);
        const last = batches.at(-1);
        if (last) await take(context, last);
        expect(await state(context)).toEqual(asItCame);
        await app.ingest.rederive(context.organisationId);
        expect(await state(context)).toEqual(asItCame);
        const other = await organisation(id());
        for (const step of changes) await apply(other, step);
        await take(other, lastWords(batches));
        expect(await state(other)).toEqual(asItCame);
      }),
      { numRuns: times(2, 240), endOnFailure: true },
    );
  });
});
