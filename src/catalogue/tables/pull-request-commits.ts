import { amount, longText, text, timestamp } from '../record.ts';
import { type RowOf, table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { pullRequestColumns, pullRequestDates, pullRequestParent } from './pull-request-columns.ts';

export const pullRequestCommits = table({
  name: 'pull_request_commits',
  one: 'a commit of a pull request',
  meaning: 'Commits of pull requests. One commit can be in two pull requests, and is then two rows.',
  key: ['commit_id'],
  person: 'committer',
  naming: personNaming,
  activity: { at: ['authored_at', 'committed_at'] },
  parent: pullRequestParent,
  dates: { committed_at: 'committed_at', authored_at: 'authored_at', ...pullRequestDates },
  columns: {
    commit_id: text('Identifier of the commit in its pull request; connectors write {pr_id}:{sha}.'),
    ...pullRequestColumns,
    ...personColumns,
    sha: text('Hash of the commit.'),
    commit_message: longText('Message, in full.'),
    committed_at: timestamp('Committer date: when it came to be as it is.'),
    authored_at: timestamp('Author date: when it was first written.'),
    commit_url: text('Address of the commit.'),
    additions: amount('Added lines.'),
    deletions: amount('Deleted lines.'),
  },
});
export type CommitRow = RowOf<typeof pullRequestCommits>;
