import { beforeEach, describe, expect, test } from 'vitest';
import { issueComments } from '../../src/catalogue/tables/issues.ts';
import {
  pullRequestComments,
  pullRequestCommits,
  pullRequestEvents,
  pullRequestReviews,
} from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { KnownDirectories } from '../../src/ingest/publish/known-directory.ts';
import { rederive } from '../../src/ingest/rederive.ts';
import { BufferedSession } from '../../src/ingest/write/buffered-session.ts';
import type { TableWriter } from '../../src/warehouse/intake-port.ts';
import { patchRows } from '../warehouse/table-writes.ts';
import { type RecordsOrganisation, recordsOrganisations } from './records-app.ts';
import { stateOf } from './state.ts';

/** Reports how many rows are read at once, where it is more of them than a few columns. */
function watched(session: TableWriter, seen: (rows: number) => void): TableWriter {
  return new Proxy(session, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      return async (...given: readonly unknown[]) => {
        const answer = (await value.apply(target, given)) as unknown;
        const columns = given[1] as readonly unknown[];
        if (name === 'select' && columns.length > 6) seen((answer as readonly unknown[]).length);
        return answer;
      };
    },
  });
}

describe('recomputing everything derived', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
  });

  const numbers = Array.from({ length: 45 }, (_, i) => i);
  const organisationId = () => app.context.organisationId;

  test('Recomputing everything derived holds only so many rows at once, also of those without a date, of one day, and of what is not known itself', async () => {
    const day = { pr_created_at: '2024-03-04T10:00:00Z' };
    await app.putAll({
      pull_requests: [
        ...numbers.map((i) => ({ pr_id: `undated-${i}`, person_login: 'ada' })),
        ...numbers.map((i) => ({ pr_id: `same-day-${i}`, person_login: 'ada', ...day })),
      ],
      pull_request_reviews: numbers.map((i) => ({
        pr_review_id: `r${i}`,
        pr_id: `orphan-${i}`,
        person_login: 'bob',
      })),
      issue_comments: numbers.map((i) => ({ issue_comment_id: `c${i}`, issue_id: `orphan-${i}`, person_login: 'bob' })),
    });
    const before = await stateOf(app.app.warehouse, organisationId());
    const directory = await new KnownDirectories(app.app.store).of(organisationId());
    let most = 0;
    await app.app.warehouse.change(organisationId(), async (session) => {
      const buffered = new BufferedSession(
        watched(session, (rows) => {
          most = Math.max(most, rows);
        }),
      );
      await rederive(buffered.session, directory, { maxRows: 10 });
      await buffered.flush();
    });
    expect(most).toBeLessThanOrEqual(20);
    expect(await stateOf(app.app.warehouse, organisationId())).toEqual(before);
  });

  test('Recomputing everything derived stops between two portions when it is told to', async () => {
    await app.put(
      'pull_requests',
      numbers.map((i) => ({ pr_id: `p${i}`, person_login: 'ada' })),
    );
    const directory = await new KnownDirectories(app.app.store).of(organisationId());
    const stop = new AbortController();
    let rowsRead = 0;
    const stopped = app.app.warehouse.change(organisationId(), async (session) => {
      const buffered = new BufferedSession(
        watched(session, (rows) => {
          rowsRead += rows;
          if (rows > 1) stop.abort(new Error('stopped'));
        }),
      );
      await rederive(buffered.session, directory, { maxRows: 10, signal: stop.signal });
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(numbers.length / 2);
  });

  test('Recomputing everything derived fills columns that rows were kept without, of parts whose parent is as it was or not known, too', async () => {
    const issueComment = { issue_comment_id: 'c', issue_id: 'i', person_login: 'bob' };
    const orphan = { ...issueComment, issue_comment_id: 'o', issue_id: 'orphan' };
    const review = { pr_review_id: 'r', pr_id: 'p', person_login: 'bob', reviewed_at: '2024-03-04T11:30:00Z' };
    await app.putAll({
      issues: [{ issue_id: 'i', ticket_status: 'started', person_login: 'ada' }],
      issue_comments: [issueComment, orphan],
      pull_requests: [
        {
          pr_id: 'p',
          person_login: 'ada',
          pr_created_at: '2024-03-04T10:00:00Z',
          pr_merged_at: '2024-03-05T10:00:00Z',
        },
      ],
      pull_request_reviews: [review, { ...review, pr_review_id: 'o', pr_id: 'orphan' }],
      pull_request_comments: [{ comment_id: 'c', pr_id: 'p', person_login: 'bob' }],
      pull_request_commits: [{ commit_id: 'k', pr_id: 'p', person_login: 'ada' }],
      pull_request_events: [{ pr_id: 'p', event_type: 'labeled', event_at: '2024-03-04T12:00:00Z' }],
    });
    const before = await stateOf(app.app.warehouse, organisationId());
    const { issue_comments, pull_requests, pull_request_comments, pull_request_commits, pull_request_events } = before;
    const round = expect.stringContaining('"review_rounds_bucket":"1"');
    expect([issue_comments?.[0], pull_requests?.[0]]).toEqual([
      expect.stringContaining('"ticket_status":"started"'),
      expect.stringContaining('"review_hours":"[\\"11\\"]"'),
    ]);
    expect([pull_request_comments, pull_request_commits, pull_request_events]).toEqual([[round], [round], [round]]);
    const spoiled = { is_bot: true, actor: 'nonsense' };
    await app.app.warehouse.change(organisationId(), async (session) => {
      await patchRows(session, issueComments, ['ticket_status'], [{ issue_comment_id: 'c', ticket_status: null }]);
      await patchRows(session, pullRequests, ['review_hours'], [{ pr_id: 'p', review_hours: null }]);
      const rounds = { review_rounds_bucket: null };
      await patchRows(session, pullRequestReviews, ['review_rounds_bucket'], [{ pr_review_id: 'r', ...rounds }]);
      await patchRows(session, pullRequestComments, ['review_rounds_bucket'], [{ comment_id: 'c', ...rounds }]);
      await patchRows(session, pullRequestCommits, ['review_rounds_bucket'], [{ commit_id: 'k', ...rounds }]);
      const events = await session.select(pullRequestEvents, ['pr_id', 'event_type', 'event_at', 'event_url']);
      await patchRows(session, pullRequestEvents, ['review_rounds_bucket'], [{ ...events[0], ...rounds }] as never);
      // Of what is not known itself, too.
      await patchRows(session, issueComments, ['is_bot', 'actor'], [{ issue_comment_id: 'o', ...spoiled }]);
      await patchRows(session, pullRequestReviews, ['is_bot', 'actor'], [{ pr_review_id: 'o', ...spoiled }]);
    });
    const without = await stateOf(app.app.warehouse, organisationId());
    for (const table of ['pull_request_commits', 'pull_request_events']) {
      expect(without[table]).toEqual([expect.stringContaining('"review_rounds_bucket":null')]);
    }
    await app.app.ingest.rederive(organisationId());
    expect(await stateOf(app.app.warehouse, organisationId())).toEqual(before);
  });
});
