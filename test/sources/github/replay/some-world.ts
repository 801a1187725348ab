import {
  addComment,
  addCommit,
  addEvent,
  addFile,
  addReview,
  addReviewComment,
  at,
  bot,
  ghost,
  somePull,
  user,
} from './some-pull.ts';
import { emptyRepository, type Fields, type ReplayedPull, type ReplayedRepository, type World } from './world.ts';

/**
 * An invented organisation `acme` with the repository `acme/web`, which has one pull request for each thing that GitHub
 * says in two ways or hides somewhere.
 */
export function someWorld(): World {
  return {
    repositories: [
      {
        ...emptyRepository(someRepository('acme/web', 101)),
        pulls: [
          mergedWithEverything(),
          draftMadeReady(),
          madeDraftLater(),
          queued(),
          ofNobody(),
          ofApp(),
          ofLongLists(),
        ],
        ...otherThings(),
      },
    ],
    organizations: [
      {
        login: 'acme',
        members: [
          { login: 'ada', name: 'Ada Lovelace', emails: ['ada@acme.example'] },
          { login: 'grace', name: null, emails: [] },
        ],
        teams: [
          { name: 'Engineering', logins: ['ada', 'grace'] },
          { name: 'Web', parent: 'Engineering', logins: ['ada'] },
        ],
      },
    ],
  };
}

export const someRepository = (name: string, id: number, fields: Fields = {}): ReplayedRepository['repository'] => ({
  id,
  full_name: name,
  owner: { login: name.split('/')[0], type: 'Organization' },
  default_branch: 'main',
  created_at: '2020-01-01T00:00:00Z',
  fork: false,
  archived: false,
  ...fields,
});

/** Squashed: the merge commit is none of its commits. */
function mergedWithEverything(): ReplayedPull {
  const merged = { state: 'closed', merged_at: at(5), closed_at: at(5), labels: [{ name: 'bug' }, { name: 'ui' }] };
  const pull = somePull({ number: 1, fields: merged, updatedAt: at(5) });
  addCommit(pull, 'a1', { authored: at(1, 7), committed: at(1, 8) });
  addCommit(pull, 'a2', { authored: at(4), account: null, email: '77+linus@users.noreply.github.example' });
  addFile(pull, 'src/web.ts');
  addEvent(pull, 'labeled', at(1, 9, 0, 5), { label: { name: 'bug' } });
  addEvent(pull, 'labeled', at(1, 9, 0, 5), { label: { name: 'ui' } });
  addEvent(pull, 'renamed', at(1, 10), { rename: { from: 'Chnage 1', to: 'Change 1' } });
  addEvent(pull, 'review_requested', at(1, 10), { requested_reviewer: user('grace') });
  addEvent(pull, 'review_requested', at(1, 11), { requested_team: { name: 'Web' } });
  addEvent(pull, 'assigned', at(1, 11), { assignee: user('ada') });
  addEvent(pull, 'milestoned', at(1, 12), { milestone: { title: 'Spring' } });
  addEvent(pull, 'mentioned', at(1, 12));
  const asked = addReview(pull, 'CHANGES_REQUESTED', at(2), { body: 'Please shorten it.' });
  const first = addReviewComment(pull, asked, at(2));
  const answer = addReview(pull, 'COMMENTED', at(3), { user: user('ada') });
  addReviewComment(pull, answer, at(3), { in_reply_to_id: first.id, body: 'Done.' });
  addEvent(pull, 'head_ref_force_pushed', at(4));
  addReview(pull, 'DISMISSED', at(4, 10), { user: user('alan') });
  addEvent(pull, 'review_dismissed', at(4, 11), {
    dismissed_review: { state: 'approved', dismissal_message: 'Another look, please' },
  });
  addReview(pull, 'APPROVED', at(4, 12));
  addReview(pull, 'PENDING', null, { user: user('edsger') });
  addComment(pull, at(4, 13));
  addEvent(pull, 'merged', at(5), { commit_id: pull.pull.merge_commit_sha });
  addEvent(pull, 'closed', at(5));
  return pull;
}

function draftMadeReady(): ReplayedPull {
  const pull = somePull({ number: 2 });
  addEvent(pull, 'ready_for_review', at(2));
  addEvent(pull, 'convert_to_draft', at(3));
  addEvent(pull, 'ready_for_review', at(4));
  return pull;
}

/** It was ready when it was opened. */
function madeDraftLater(): ReplayedPull {
  const pull = somePull({ number: 3, fields: { draft: true, body: null } });
  addEvent(pull, 'convert_to_draft', at(3));
  return pull;
}

function queued(): ReplayedPull {
  const pull = somePull({ number: 4, fields: { state: 'closed', merged_at: at(4, 12), closed_at: at(4, 12) } });
  addEvent(pull, 'added_to_merge_queue', at(4, 10));
  addEvent(pull, 'removed_from_merge_queue', at(4, 10, 30));
  addEvent(pull, 'added_to_merge_queue', at(4, 11));
  return pull;
}

/** Its author and its reviewer deleted their accounts. */
function ofNobody(): ReplayedPull {
  const pull = somePull({ number: 5, author: ghost, fields: { state: 'closed', closed_at: at(6) } });
  addReview(pull, 'APPROVED', at(2), { user: null });
  addEvent(pull, 'closed', at(6), { actor: null });
  return pull;
}

function ofApp(): ReplayedPull {
  const pull = somePull({ number: 6, author: bot('renovate') });
  addCommit(pull, 'b1', {
    authored: at(1),
    account: bot('renovate'),
    email: '29139614+renovate[bot]@users.noreply.github.com',
  });
  addComment(pull, at(1), { user: bot('coverage') });
  return pull;
}

/** Each list is longer than what a pull request is asked for with. */
function ofLongLists(): ReplayedPull {
  const labels = Array.from({ length: 23 }, (_, i) => ({ name: `label ${i}` }));
  const pull = somePull({ number: 7, fields: { labels } });
  for (let i = 0; i < 130; i += 1) {
    addCommit(pull, `c${i}`, { authored: at(1, 0, 0, i) });
    addFile(pull, `src/file-${i}.ts`, i, 1);
    addEvent(pull, i % 2 ? 'labeled' : 'unlabeled', at(2, 0, 0, i), { label: { name: `label ${i}` } });
    addComment(pull, at(3, 0, 0, i));
  }
  for (let i = 0; i < 30; i += 1) {
    const review = addReview(pull, 'COMMENTED', at(4, 0, i));
    if (i === 29) addLongThread(pull, review);
  }
  return pull;
}

function addLongThread(pull: ReplayedPull, review: Fields): void {
  const { id } = addReviewComment(pull, review, at(5));
  for (let i = 1; i < 25; i += 1) addReviewComment(pull, review, at(5, 0, i), { in_reply_to_id: id });
}

function otherThings(): Pick<ReplayedRepository, 'issues' | 'releases' | 'runs' | 'deployments'> {
  return {
    issues: [
      someIssue(8, { state: 'open', assignees: [user('grace')], labels: [{ name: 'bug' }], type: { name: 'Bug' } }),
      someIssue(9, { state: 'closed', state_reason: 'completed', closed_at: at(4) }),
      someIssue(10, { state: 'closed', state_reason: 'not_planned', closed_at: at(4), user: ghost }),
    ],
    releases: [
      someRelease(1, 'v1.0.0', { published_at: at(6) }),
      someRelease(2, 'v1.1.0-rc', { published_at: at(7), prerelease: true }),
      someRelease(3, 'v1.1.0', { published_at: null, draft: true }),
    ],
    runs: [someRun(1, at(3)), someRun(2, at(4), { status: 'in_progress', conclusion: null })],
    deployments: [
      someDeployment(1, 'production', ['inactive', 'success', 'in_progress', 'queued'], true),
      someDeployment(2, 'customer-north', ['success'], true),
      someDeployment(3, 'staging', ['failure', 'in_progress']),
      someDeployment(4, 'staging', ['inactive', 'queued']),
      someDeployment(5, 'staging', ['in_progress', 'queued']),
      someDeployment(6, 'staging', []),
    ],
  };
}

export function someIssue(number: number, fields: Fields): ReplayedRepository['issues'][number] {
  const url = `https://github.example/acme/web/issues/${number}`;
  return {
    issue: {
      id: 9_000 + number,
      number,
      state: 'open',
      title: `Issue ${number}`,
      body: 'It does not work.',
      html_url: url,
      repository_url: 'https://api.github.example/repos/acme/web',
      user: user('alan'),
      assignees: [],
      labels: [],
      created_at: at(1),
      updated_at: at(4, 9, number),
      closed_at: null,
      ...fields,
    },
    comments: [
      {
        id: 7_000 + number,
        body: 'The same here.',
        user: user('ada'),
        html_url: `${url}#issuecomment-${7_000 + number}`,
        issue_url: `https://api.github.example/repos/acme/web/issues/${number}`,
        created_at: at(2),
        updated_at: at(2),
      },
    ],
  };
}

export const someRelease = (id: number, tag: string, fields: Fields): Fields => ({
  id,
  tag_name: tag,
  name: `Release ${tag}`,
  body: 'Better than before.',
  html_url: `https://github.example/acme/web/releases/${tag}`,
  author: user('grace'),
  created_at: at(5, id),
  draft: false,
  prerelease: false,
  ...fields,
});

export const someRun = (id: number, created: string, fields: Fields = {}): ReplayedRepository['runs'][number] => ({
  run: {
    id,
    name: 'Deploy',
    html_url: `https://github.example/acme/web/actions/runs/${id}`,
    head_branch: 'main',
    head_sha: 'a1',
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    run_number: id,
    run_attempt: 1,
    created_at: created,
    run_started_at: created,
    updated_at: created,
    actor: user('ada'),
    triggering_actor: user('grace'),
    pull_requests: [
      { number: 1, base: { repo: { id: 101 } } },
      { number: 99, base: { repo: { id: 555 } } },
    ],
    ...fields,
  },
  timing: {
    billable: { UBUNTU: { total_ms: 180_000, jobs: 1 }, MACOS: { total_ms: 60_000, jobs: 1 } },
    run_duration_ms: 9,
  },
  artifacts: [
    { id: 1, size_in_bytes: 1_000 },
    { id: 2, size_in_bytes: 234 },
  ],
});

/** Statuses newest first, one a minute. */
export function someDeployment(
  id: number,
  environment: string,
  states: readonly string[],
  isProduction = false,
): ReplayedRepository['deployments'][number] {
  return {
    deployment: {
      id,
      sha: 'a1',
      ref: 'main',
      environment,
      production_environment: isProduction,
      creator: user('grace'),
      created_at: at(8, id),
      updated_at: at(8, id, states.length),
    },
    statuses: states.map((state, i) => ({
      id: id * 100 + i,
      state,
      created_at: at(8, id, states.length - i),
      log_url: `https://github.example/acme/web/actions/runs/${id}`,
    })),
  };
}
