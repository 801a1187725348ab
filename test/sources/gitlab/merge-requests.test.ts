import { describe, expect, test } from 'vitest';
import {
  type ChangeSize,
  convertFamilies,
  type MergeRequestFamily,
} from '../../../src/sources/gitlab/convert/merge-request.ts';
import { convertProject } from '../../../src/sources/gitlab/convert/project.ts';
import { commit, daysAgo, type Item, note, someMergeRequest, someProject, systemNote } from './gitlab-world.ts';

const project = { ...convertProject(someProject(101, 'acme/shop/web').payload), firstName: 'acme/shop/web' };
const size: ChangeSize = { additions: 3, deletions: 1, changedFiles: 1, files: null };

const converted = (more: Item = {}, family: Partial<MergeRequestFamily> = {}) => {
  const mergeRequest = someMergeRequest(7, 2, more);
  const all = { mergeRequest, commits: [], notes: [], approvals: null, size, car: null, ...family };
  const { records, problems } = convertFamilies(project, [all]);
  expect(problems).toEqual([]);
  const of = (table: string) => records.find((some) => some.table === table)?.records ?? [];
  return { pull: of('pull_requests')[0], of, records };
};

describe('a merge request', () => {
  test('A merge request has its path, its number and what it changes', () => {
    expect(converted().pull).toEqual({
      pr_id: 'gitlab:acme/shop/web#7',
      source: 'gitlab',
      repository: 'acme/shop/web',
      pr_number: 7,
      pr_title: 'Change 7',
      pr_url: 'https://gitlab.example/acme/web/-/merge_requests/7',
      pr_body: 'Closes #7',
      person_login: 'ada',
      person_name: 'ADA',
      person_is_bot: null,
      pr_state: 'merged',
      is_draft: false,
      pr_created_at: '2026-03-29T00:00:00Z',
      ready_at: null,
      pr_merged_at: '2026-03-29T12:00:00Z',
      pr_closed_at: '2026-03-29T12:00:00Z',
      additions: 3,
      deletions: 1,
      changed_files: 1,
      base_branch: 'main',
      head_branch: 'change-7',
      merge_commit_sha: '7b7b7b7b7b7b7b7b',
      labels: ['backend'],
      merge_queue_entered_at: null,
    });
  });

  test.each([
    ['opened', 'open', null],
    ['locked', 'open', null],
    ['closed', 'closed', '2026-03-29T12:00:00Z'],
  ])('A merge request that is %s is %s, and has no merge', (state, expected, closedAt) => {
    // A locked one is being merged, and may have its commit already.
    expect(converted({ state, merge_commit_sha: 'b'.repeat(40) }).pull).toMatchObject({
      pr_state: expected,
      pr_merged_at: null,
      pr_closed_at: closedAt,
      merge_commit_sha: null,
    });
  });

  test('A merge request of another state is a problem that names the field, and stops no other', () => {
    const family = { commits: [], notes: [], approvals: null, size, car: null };
    const { records, problems } = convertFamilies(project, [
      { ...family, mergeRequest: someMergeRequest(1, 2, { state: 'thinking' }) },
      { ...family, mergeRequest: someMergeRequest(2, 2) },
    ]);
    expect(problems).toEqual(['acme/shop/web!1: merge request: state is none of the known ones']);
    expect(records[0]?.records).toHaveLength(1);
  });

  test('The commit of a merge is its own, else the squashed one, else the last one that was brought along', () => {
    const commitOf = (more: Item) => converted(more).pull?.merge_commit_sha;
    expect(commitOf({ merge_commit_sha: 'a', squash_commit_sha: 'b', sha: 'c' })).toBe('a');
    expect(commitOf({ merge_commit_sha: null, squash_commit_sha: 'b', sha: 'c' })).toBe('b');
    expect(commitOf({ merge_commit_sha: null, squash_commit_sha: null, sha: 'c' })).toBe('c');
  });

  test('Drafts of older versions, whole labels and a place on a merge train are understood', () => {
    const more = { draft: undefined, work_in_progress: true, labels: [{ id: 1, name: 'urgent' }] };
    expect(converted(more, { car: { created_at: daysAgo(2.05) } }).pull).toMatchObject({
      is_draft: true,
      labels: ['urgent'],
      merge_queue_entered_at: '2026-03-29T10:48:00Z',
    });
  });

  test('A deleted account is nobody, and the account of a token is a bot', () => {
    expect(converted({ author: { username: 'ghost', name: 'Ghost User' } }).pull).toMatchObject({ person_login: null });
    expect(converted({ author: null }).pull).toMatchObject({ person_login: null, person_is_bot: null });
    for (const username of ['project_12_bot_ab12', 'group_3_bot', 'service_account_group_1_x']) {
      expect(converted({ author: { username } }).pull).toMatchObject({ person_login: username, person_is_bot: true });
    }
    expect(converted({ author: { username: 'robot', bot: false } }).pull).toMatchObject({ person_is_bot: false });
  });
});

describe('notes', () => {
  const readyAt = (...notes: Item[]) => converted({}, { notes }).pull?.ready_at;
  const at = (days: number) => daysAgo(days).replace('.000', '');

  test.each(['marked this merge request as **ready**', 'unmarked as a **Work In Progress**'])(
    'One that was opened as a draft was ready when a note said so: %s',
    (body) => {
      expect(readyAt(systemNote(1, 4, 'ada', 'assigned to @ada'), systemNote(2, 3, 'ada', body))).toBe(at(3));
      // A note of GitLab says it, not somebody who writes the same.
      expect(readyAt(note(2, 3, 'ada', body))).toBeNull();
    },
  );

  test('One that was turned into a draft later was not opened as one', () => {
    const draft = systemNote(1, 4, 'ada', 'marked this merge request as **draft**');
    const ready = systemNote(2, 3, 'ada', 'marked this merge request as **ready**');
    expect(readyAt(draft, ready)).toBeNull();
    // Whatever their order in the answer.
    expect(readyAt(ready, draft)).toBeNull();
  });

  const reviews = (...notes: Item[]) =>
    converted({}, { notes })
      .of('pull_request_reviews')
      .map(({ pr_review_id, person_login, review_state, reviewed_at }) => [
        String(pr_review_id).split(':').at(-1),
        person_login,
        review_state,
        reviewed_at,
      ]);

  test('Approvals, what is taken back and requests for changes are reviews', () => {
    expect(
      reviews(
        systemNote(1, 5, 'grace', 'requested changes'),
        systemNote(2, 4, 'grace', 'approved this merge request'),
        systemNote(3, 3, 'grace', 'unapproved this merge request'),
        systemNote(4, 2.5, 'grace', 'approved this merge request'),
      ),
    ).toEqual([
      ['1', 'grace', 'changes_requested', at(5)],
      ['2', 'grace', 'approved', at(4)],
      ['3', 'grace', 'dismissed', at(3)],
      ['4', 'grace', 'approved', at(2.5)],
    ]);
    expect(reviews(note(1, 5, 'grace', 'approved this merge request'))).toEqual([]);
  });

  test('Comments of one other person on lines within a minute are one review', () => {
    const onLine = (id: number, author: string, seconds: number) =>
      note(id, 3 - seconds / 86_400, author, 'Hm', { type: 'DiffNote', position: { new_path: 'a.ts' } });
    expect(
      reviews(
        onLine(1, 'grace', 0),
        onLine(2, 'ada', 10),
        onLine(3, 'linus', 20),
        onLine(4, 'grace', 60),
        onLine(5, 'grace', 61),
        onLine(6, 'grace', 90),
        note(7, 1, 'grace', 'In the conversation'),
      ),
    ).toEqual([
      ['1', 'grace', 'commented', at(3)],
      ['3', 'linus', 'commented', at(3 - 20 / 86_400)],
      ['5', 'grace', 'commented', at(3 - 61 / 86_400)],
    ]);
  });

  test('An approval without a note counts where GitLab says when it was given', () => {
    const approvals = {
      approved_by: [
        { user: { username: 'grace' }, approved_at: daysAgo(1) },
        { user: { username: 'linus' } },
        { user: { username: 'ken' }, approved_at: daysAgo(1) },
      ],
    };
    const notes = [systemNote(4, 2, 'ken', 'approved this merge request')];
    const found = converted({}, { approvals, notes }).of('pull_request_reviews');
    expect(found.map(({ pr_review_id, reviewed_at }) => [pr_review_id, reviewed_at])).toEqual([
      ['gitlab:acme/shop/web#7:review:4', at(2)],
      ['gitlab:acme/shop/web#7:review:approval-grace', at(1)],
    ]);
  });

  test('What people write is a comment, and what happens is an event', () => {
    const { of } = converted(
      { state: 'closed' },
      {
        notes: [
          note(1, 3, 'grace', 'Here', { type: 'DiffNote', position: { new_path: null, old_path: 'gone.ts' } }),
          systemNote(2, 2.9, 'ada', 'requested review from @grace and @linus\nand more'),
          systemNote(3, 2.8, 'ada', 'changed the description'),
        ],
      },
    );
    expect(of('pull_request_comments')).toEqual([
      {
        comment_id: 'gitlab:acme/shop/web#7:comment:1',
        pr_id: 'gitlab:acme/shop/web#7',
        person_login: 'grace',
        person_name: 'GRACE',
        person_is_bot: null,
        comment: 'Here',
        comment_url: 'https://gitlab.example/acme/web/-/merge_requests/7#note_1',
        commented_at: at(3),
        file_path: 'gone.ts',
      },
    ]);
    expect(
      of('pull_request_events').map(({ event_type, person_login, details }) => [event_type, person_login, details]),
    ).toEqual([
      ['closed', 'ada', null],
      ['review_requested', 'ada', { text: 'requested review from @grace and @linus' }],
    ]);
  });
});

describe('commits', () => {
  test('The person of a commit is its author, by address, or by the login that a hidden address has', () => {
    const hidden = { ...commit('c2', 3), author_email: '1234-grace@users.noreply.gitlab.com' };
    const elsewhere = { ...commit('c3', 3), author_email: '99+ken@users.noreply.github.com' };
    const found = converted({}, { commits: [commit('c1', 4), hidden, elsewhere] }).of('pull_request_commits');
    expect(found.map(({ commit_id, person_login, person_email }) => [commit_id, person_login, person_email])).toEqual([
      ['gitlab:acme/shop/web#7:c1', null, 'ada@acme.example'],
      ['gitlab:acme/shop/web#7:c2', 'grace', null],
      ['gitlab:acme/shop/web#7:c3', null, '99+ken@users.noreply.github.com'],
    ]);
  });

  test('Commits that cannot be listed stay as they are known', () => {
    const wholeSets = (commits: MergeRequestFamily['commits']) =>
      converted({}, { commits }).records.find(({ table }) => table === 'pull_request_commits')?.wholeSetsOf;
    expect(wholeSets(undefined)).toEqual([]);
    expect(wholeSets([])).toEqual(['gitlab:acme/shop/web#7']);
  });
});
