import { describe, expect, test } from 'vitest';
import { groupedBy, medianOf, secondsOf, shareOf, someHistories } from './some-history.ts';

const histories = someHistories();
const pullRequests = histories.flatMap(({ records }) => records.pull_requests);
const commits = histories.flatMap(({ records }) => records.pull_request_commits);
const reviews = histories.flatMap(({ records }) => records.pull_request_reviews);
const comments = histories.flatMap(({ records }) => records.pull_request_comments);
const events = histories.flatMap(({ records }) => records.pull_request_events);
const commitsOf = groupedBy(commits, ({ pr_id }) => pr_id);
const reviewsOf = groupedBy(reviews, ({ pr_id }) => pr_id);

const saysRevert = ({ head_branch, pr_title, pr_body }: (typeof pullRequests)[number]) =>
  /^revert-\d+-/.test(head_branch ?? '') ||
  /Reverts (\S+)?#\d+|This reverts commit/.test(pr_body ?? '') ||
  /^Revert "/.test(pr_title ?? '');
const saysHotfix = ({ head_branch, pr_title, labels }: (typeof pullRequests)[number]) =>
  /^hotfix\//.test(head_branch ?? '') || /^Hotfix/.test(pr_title ?? '') || labels?.includes('hotfix') === true;

describe('the timeline of a pull request', () => {
  test('The timeline of a pull request is in order: created, ready, queued, merged', () => {
    for (const pr of pullRequests) {
      const created = secondsOf(pr.pr_created_at);
      if (pr.ready_at != null) expect(secondsOf(pr.ready_at)).toBeGreaterThan(created);
      if (pr.pr_state === 'open') expect([pr.pr_merged_at, pr.pr_closed_at]).toEqual([null, null]);
      else expect(secondsOf(pr.pr_closed_at)).toBeGreaterThanOrEqual(created);
      expect(pr.pr_merged_at != null).toBe(pr.pr_state === 'merged');
      expect(pr.merge_commit_sha != null).toBe(pr.pr_state === 'merged');
      if (pr.merge_queue_entered_at == null) continue;
      expect(secondsOf(pr.merge_queue_entered_at)).toBeLessThanOrEqual(secondsOf(pr.pr_merged_at));
      expect(secondsOf(pr.merge_queue_entered_at)).toBeGreaterThanOrEqual(created);
    }
  });

  test('The timeline of a pull request has all its reviews, comments and events in it, and no commit after it', () => {
    const known = new Map(pullRequests.map((pr) => [pr.pr_id ?? '', pr]));
    const inside = (prId: string | null | undefined, at: string | null | undefined, from: 'creation' | 'any') => {
      const pr = known.get(prId ?? '');
      if (!pr) throw new Error(`${prId} is unknown`);
      if (from === 'creation' && secondsOf(at) < secondsOf(pr.pr_created_at)) expect.fail(`${prId} before: ${at}`);
      if (pr.pr_closed_at != null && secondsOf(at) > secondsOf(pr.pr_closed_at)) expect.fail(`${prId} after: ${at}`);
    };
    for (const { pr_id, reviewed_at } of reviews) inside(pr_id, reviewed_at, 'creation');
    for (const { pr_id, commented_at } of comments) inside(pr_id, commented_at, 'creation');
    for (const { pr_id, event_at } of events) inside(pr_id, event_at, 'creation');
    for (const { pr_id, committed_at, authored_at } of commits) {
      inside(pr_id, committed_at, 'any');
      if (secondsOf(authored_at) > secondsOf(committed_at)) expect.fail(`${pr_id} was committed before it was written`);
    }
  });

  test('The timeline of a pull request comes from at least one commit, and its lines from its commits', () => {
    for (const pr of pullRequests) {
      const own = commitsOf.get(pr.pr_id ?? '') ?? [];
      expect(own.length, pr.pr_id ?? '').toBeGreaterThan(0);
      // A promotion names only the latest of the merges it carries.
      if (pr.labels?.includes('release') || pr.pr_state === 'open') continue;
      expect(own.reduce((sum, { additions }) => sum + (additions ?? 0), 0)).toBe(pr.additions);
      const files = (pr.files ?? []) as readonly { readonly additions: number }[];
      expect(files.reduce((sum, { additions }) => sum + additions, 0)).toBe(pr.additions);
    }
  });

  test('The timeline of a pull request mostly ends with a merge, sometimes without one, and is now and then still open', () => {
    expect(shareOf(pullRequests, ({ pr_state }) => pr_state === 'merged')).toBeGreaterThan(0.85);
    const closed = shareOf(pullRequests, ({ pr_state }) => pr_state === 'closed');
    expect(closed).toBeGreaterThan(0.04);
    expect(closed).toBeLessThan(0.12);
    const open = shareOf(pullRequests, ({ pr_state }) => pr_state === 'open');
    expect(open).toBeGreaterThan(0.01);
    expect(open).toBeLessThan(0.06);
  });

  test('The timeline of a pull request begins as a draft once in eight', () => {
    const drafts = shareOf(pullRequests, ({ ready_at, is_draft }) => ready_at != null || is_draft === true);
    expect(drafts).toBeGreaterThan(0.07);
    expect(drafts).toBeLessThan(0.18);
    expect(pullRequests.some(({ is_draft }) => is_draft)).toBe(true);
  });

  test('The timeline of a pull request goes without a review once in seven', () => {
    const unreviewed = shareOf(
      pullRequests,
      ({ pr_id, pr_state }) => pr_state === 'merged' && !reviewsOf.has(pr_id ?? ''),
    );
    expect(unreviewed).toBeGreaterThan(0.05);
    expect(unreviewed).toBeLessThan(0.2);
  });

  test('The timeline of a pull request has commits that follow a review in a third of the cases, and pushes by force in some', () => {
    const reworked = shareOf(pullRequests, ({ pr_id }) => {
      const first = reviewsOf.get(pr_id ?? '')?.[0];
      return (
        first !== undefined &&
        (commitsOf.get(pr_id ?? '') ?? []).some((c) => secondsOf(c.committed_at) > secondsOf(first.reviewed_at))
      );
    });
    expect(reworked).toBeGreaterThan(0.2);
    expect(reworked).toBeLessThan(0.5);
    const forced = new Set(
      events.filter(({ event_type }) => event_type === 'head_ref_force_pushed').map(({ pr_id }) => pr_id),
    );
    expect(forced.size).toBeGreaterThan(20);
    expect(commits.some((c) => forced.has(c.pr_id) && c.authored_at !== c.committed_at)).toBe(true);
  });

  test('The timeline of a pull request is a revert in one to four of a hundred cases, recognisable by each of the marks that hosts and people leave', () => {
    const reverts = pullRequests.filter(saysRevert);
    expect(reverts.length / pullRequests.length).toBeGreaterThan(0.01);
    expect(reverts.length / pullRequests.length).toBeLessThan(0.04);
    expect(reverts.some(({ head_branch }) => /^revert-\d+-/.test(head_branch ?? ''))).toBe(true);
    expect(reverts.some(({ pr_body }) => /Reverts #\d+/.test(pr_body ?? ''))).toBe(true);
    expect(reverts.some(({ pr_body }) => /This reverts commit [0-9a-f]{40}/.test(pr_body ?? ''))).toBe(true);
    expect(reverts.some(({ pr_title }) => /^Revert "Revert "/.test(pr_title ?? ''))).toBe(true);
  });

  test('The timeline of a pull request that is a revert names a pull request of its repository that was merged before', () => {
    const byNumber = new Map(pullRequests.map((pr) => [`${pr.repository}#${pr.pr_number}`, pr]));
    const numbered = pullRequests.flatMap((pr) => {
      const number = /^revert-(\d+)-/.exec(pr.head_branch ?? '')?.[1];
      return number === undefined ? [] : [{ pr, undone: byNumber.get(`${pr.repository}#${number}`) }];
    });
    expect(numbered.length).toBeGreaterThan(10);
    for (const { pr, undone } of numbered) {
      expect(secondsOf(undone?.pr_merged_at)).toBeLessThan(secondsOf(pr.pr_created_at));
      expect(pr.pr_title).toContain(undone?.pr_title);
    }
  });

  test('The timeline of a pull request is a hotfix in some cases, which is quicker than the rest', () => {
    const hotfixes = pullRequests.filter(saysHotfix);
    expect(hotfixes.length / pullRequests.length).toBeGreaterThan(0.003);
    expect(hotfixes.length / pullRequests.length).toBeLessThan(0.03);
    const hours = (list: typeof pullRequests) =>
      medianOf(
        list.flatMap((pr) =>
          pr.pr_merged_at == null ? [] : [secondsOf(pr.pr_merged_at) - secondsOf(pr.pr_created_at)],
        ),
      );
    expect(hours(hotfixes)).toBeLessThan(hours(pullRequests) / 3);
  });

  test('The timeline of a pull request says what kind of work it is in some cases, and leaves it to labels, title and branch in others', () => {
    const said = shareOf(pullRequests, ({ pr_category }) => pr_category != null);
    expect(said).toBeGreaterThan(0.2);
    expect(said).toBeLessThan(0.6);
    const silent = pullRequests.filter(({ pr_category }) => pr_category == null);
    expect(silent.some(({ labels }) => labels?.includes('bug'))).toBe(true);
    expect(silent.some(({ pr_title }) => /^feat: /.test(pr_title ?? ''))).toBe(true);
  });

  test('Changes lock files and generated files too', () => {
    const paths = new Set(
      pullRequests.flatMap(({ files }) => ((files ?? []) as readonly { path: string }[]).map(({ path }) => path)),
    );
    for (const path of ['package-lock.json', 'go.sum', 'gen/messages.pb.go', 'src/generated/schema.generated.ts']) {
      expect(paths).toContain(path);
    }
    const twice = pullRequests.filter(({ files }) => {
      const named = ((files ?? []) as readonly { path: string }[]).map(({ path }) => path);
      return new Set(named).size !== named.length;
    });
    expect(twice).toEqual([]);
  });

  test('The timeline of a pull request is opened by a bot in some cases, and bots comment and review', () => {
    const bots = new Set(
      histories.flatMap(({ organisation }) =>
        organisation.people
          .filter(({ is_bot }) => is_bot)
          .flatMap(({ logins }) => Object.values(logins as Record<string, string>)),
      ),
    );
    const opened = shareOf(pullRequests, ({ person_login }) => bots.has(person_login ?? ''));
    expect(opened).toBeGreaterThan(0.04);
    expect(opened).toBeLessThan(0.14);
    expect(comments.some(({ person_login }) => bots.has(person_login ?? ''))).toBe(true);
    expect(reviews.some(({ person_login }) => person_login?.endsWith('[bot]'))).toBe(true);
  });

  test('The timeline of a pull request has hashes of forty digits and addresses that lead nowhere', () => {
    const leadsNowhere = (url: string | null | undefined) => /^https:\/\/[a-z]+\.example\//.test(url ?? '');
    expect(
      commits.filter(({ sha, commit_url }) => !/^[0-9a-f]{40}$/.test(sha ?? '') || !leadsNowhere(commit_url)),
    ).toEqual([]);
    const looksReal = (id: string) => /^(github|gitlab|bitbucket):[a-z-]+\/[a-z0-9-]+#\d+$/.test(id);
    expect(pullRequests.filter(({ pr_id, pr_url }) => !looksReal(pr_id ?? '') || !leadsNowhere(pr_url))).toEqual([]);
  });
});
