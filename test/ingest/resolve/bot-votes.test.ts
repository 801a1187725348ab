import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { botAccounts } from '../../../src/catalogue/derivation-state.ts';
import type { Row } from '../../../src/catalogue/table.ts';
import { factTables } from '../../../src/catalogue/tables/all-tables.ts';
import { disputedAccounts } from '../../../src/ingest/resolve/bots.ts';
import { times } from '../../setup/how-long.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';
import { stateOf } from '../state.ts';

/** A record with everything that its vote depends on. Reviews and comments that name no source have their pull request's. */
interface VotingRecord {
  readonly table: 'pull_requests' | 'pull_request_reviews' | 'pull_request_comments' | 'issues';
  readonly id: number;
  readonly login: string;
  readonly bot: boolean | null;
  readonly source: string | null;
  readonly isDeleted: boolean;
}

const keyOf = {
  pull_requests: 'pr_id',
  pull_request_reviews: 'pr_review_id',
  pull_request_comments: 'comment_id',
  issues: 'issue_id',
} as const;
const parentOf = (id: number): string => `p${id % 3}`;

const said: fc.Arbitrary<VotingRecord> = fc.record({
  table: fc.constantFrom('pull_requests', 'pull_request_reviews', 'pull_request_comments', 'issues'),
  id: fc.nat(5),
  login: fc.constantFrom('helper', 'Helper', 'grace', 'renovate[bot]'),
  bot: fc.constantFrom(true, false, null),
  source: fc.constantFrom('github', 'gitlab', null),
  isDeleted: fc.nat(5).map((n) => n === 0),
});

function recordOf({ table, id, login, bot, source, isDeleted }: VotingRecord): object {
  const isChild = table === 'pull_request_reviews' || table === 'pull_request_comments';
  const key = { [keyOf[table]]: table === 'pull_requests' ? parentOf(id) : `${table}${id}` };
  if (isDeleted) return { ...key, _deleted: true };
  return { ...key, ...(isChild ? { pr_id: parentOf(id) } : {}), person_login: login, person_is_bot: bot, source };
}

/** Which accounts are bots by what is left of the records, counted plainly. */
function expected(history: readonly VotingRecord[]): { readonly bots: string[]; readonly disputed: string[] } {
  const left = new Map<string, VotingRecord>();
  for (const one of history) {
    const name = (s: VotingRecord) => (s.table === 'pull_requests' ? parentOf(s.id) : `${s.table}${s.id}`);
    if (!one.isDeleted) left.set(name(one), one);
    else {
      left.delete(name(one));
      // A pull request takes its parts along.
      if (one.table !== 'pull_requests') continue;
      for (const [key, part] of left)
        if (part.table.startsWith('pull_request_') && parentOf(part.id) === parentOf(one.id)) left.delete(key);
    }
  }
  const votes = new Map<string, { yes: number; no: number }>();
  for (const one of left.values()) {
    const isPart = one.table.startsWith('pull_request_');
    const source = one.source ?? (isPart ? (left.get(parentOf(one.id))?.source ?? null) : null);
    const account = `login:${source ?? ''}:${one.login.toLowerCase()}`;
    const own = votes.get(account) ?? { yes: 0, no: 0 };
    votes.set(account, own);
    if (one.bot === true) own.yes += 1;
    if (one.bot === false) own.no += 1;
  }
  const named = (wanted: (own: { yes: number; no: number }) => boolean) =>
    [...votes]
      .filter(([, own]) => wanted(own))
      .map(([account]) => account)
      .sort();
  return { bots: named(({ yes, no }) => yes > no), disputed: named(({ yes, no }) => yes > 0 && no > 0) };
}

describe('votes on whether an account is a bot', () => {
  const anOrganisation = recordsOrganisations();

  const put = async (
    { app, context }: RecordsOrganisation,
    history: readonly VotingRecord[],
    batches: readonly number[],
  ): Promise<void> => {
    let at = 0;
    for (let i = 0; at < history.length; i += 1) {
      const some = history.slice(at, at + (batches[i % batches.length] ?? 1));
      at += some.length;
      // One change of several tables, each record in its place in the order.
      await app.ingest.put(
        context.organisationId,
        some.map((one) => ({ table: one.table, lines: [{ line: 1, value: recordOf(one) }] })),
      );
    }
  };
  const botsOf = async (app: RecordsOrganisation) =>
    (await app.select(botAccounts, ['account'])).map(({ account }) => `${account}`).sort();

  test('Votes on whether an account is a bot are counted over the records that are left, in any order and any batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 1, maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
        async (history, batches) => {
          const app = await anOrganisation();
          const { organisationId: id } = app.context;
          await put(app, history, batches);
          const wanted = expected(history);
          expect(await botsOf(app)).toEqual(wanted.bots);
          const disputed = await app.app.warehouse.read(id, disputedAccounts);
          expect(disputed.map(({ account }) => account).sort()).toEqual(wanted.disputed);
          for (const table of ['pull_requests', 'pull_request_reviews', 'pull_request_comments', 'issues'] as const) {
            const rows = (await app.app.warehouse.read(id, (session) =>
              session.select(factTables[table] as never, ['source', 'person_login', 'is_bot'] as never),
            )) as Row[];
            for (const { source, person_login, is_bot } of rows) {
              const login = String(person_login).toLowerCase();
              const isBot = login.endsWith('[bot]') || wanted.bots.includes(`login:${source ?? ''}:${login}`);
              expect([table, source, login, is_bot]).toEqual([table, source, login, isBot]);
            }
          }
          const before = await stateOf(app.app.warehouse, id);
          await app.app.ingest.rederive(id);
          expect(await stateOf(app.app.warehouse, id)).toEqual(before);
          expect(await botsOf(app)).toEqual(wanted.bots);
        },
      ),
      { numRuns: times(3, 240) },
    );
  });
});
