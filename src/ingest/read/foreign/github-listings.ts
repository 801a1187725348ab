import type { FieldValues } from '../../../catalogue/field-values.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';
import { convertIssue, convertIssueComment } from '../../../sources/github/convert/issue.ts';
import {
  convertComment,
  convertCommit,
  convertReview,
  convertReviewComment,
} from '../../../sources/github/convert/pull-request-parts.ts';
import { convertRelease } from '../../../sources/github/convert/release.ts';
import type { Repository } from '../../../sources/github/convert/repository.ts';
import { convertWorkflowRun } from '../../../sources/github/convert/workflow-run.ts';
import { isObject } from './github-kinds.ts';

/** Null for what nobody but its author sees yet. */
type ConvertListing = (repository: Repository, value: FieldValues, pullRequest: string) => FieldValues | null;

/**
 * Lists of GitHub's REST interface, converted as the connector does. Keys that follow from other fields are left out: the
 * service makes them, and knows under which name it first saw a repository.
 */
export const apiConversions: Partial<Record<RecordTable, ConvertListing>> = {
  issues: (repository, value) => without('issue_id', convertIssue(repository, value)),
  issue_comments: convertIssueComment,
  pull_request_reviews: (_, value, pullRequest) => convertReview(pullRequest, value),
  pull_request_comments: (_, value, pullRequest) =>
    'path' in value ? convertReviewComment(pullRequest, value) : convertComment(pullRequest, value),
  pull_request_commits: (_, value, pullRequest) => convertCommit(pullRequest, value),
  workflow_runs: (repository, value) => without('workflow_run_id', convertWorkflowRun(repository, value)),
  release_details: (repository, value) => without('release_id', convertRelease(repository, value)),
};

/** Lists of `gh`, with the names of the REST interface. They hold only what was asked for: what they leave out stays as it is. */
export const listConversions: Partial<Record<RecordTable, ConvertListing>> = {
  workflow_runs: (repository, value) => {
    const [, number] = /\/runs\/(\d+)/.exec(String(value.url)) ?? [];
    const run = convertWorkflowRun(repository, {
      id: value.databaseId ?? number,
      name: value.workflowName || value.name,
      head_branch: value.headBranch,
      event: value.event,
      status: value.status,
      conclusion: value.conclusion,
      run_number: value.number,
      run_attempt: value.attempt,
      created_at: value.createdAt,
      run_started_at: value.startedAt,
      updated_at: value.updatedAt,
      head_sha: value.headSha,
      html_url: value.url,
    });
    const { associated_pr_ids: _unsaid, ...said } = known(run);
    // The number is in the address, which the key is made of; without the address the key has to say it.
    const record = typeof value.url === 'string' ? without('workflow_run_id', said) : said;
    return { ...record, ...('conclusion' in value ? { run_conclusion: run.run_conclusion } : {}) };
  },
  release_details: (repository, value) => {
    const release = convertRelease(repository, {
      tag_name: value.tagName,
      name: value.name,
      body: value.body,
      html_url: value.url,
      author: value.author,
      created_at: value.createdAt ?? value.publishedAt,
      published_at: value.publishedAt,
      draft: value.isDraft,
      prerelease: value.isPrerelease,
    });
    if (release === null) return null;
    const { is_prerelease, ...said } = known(without('release_id', release));
    return 'isPrerelease' in value ? { ...said, is_prerelease } : said;
  },
};

/** A repository as converters need it. Its first name is looked up where ids are made. */
export function repositoryNamed(name: string, value: FieldValues): Repository {
  const id = isObject(value.repository) ? String(value.repository.id ?? '') : '';
  return { id, name, firstName: name, defaultBranch: null, createdAt: '' };
}

const known = (record: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

function without<F extends FieldValues | null>(field: string, record: F): F {
  if (record === null) return record;
  const { [field]: _left, ...others } = record;
  return others as F;
}
