import { GraphqlMissing, TooMuchAtOnce } from '../host-port.ts';
import { withoutIncident } from '../issue-incidents.ts';
import { Payload } from '../payload.ts';
import type { ChangedObject, Page, SourceRecords } from '../source.ts';
import type { GithubApi } from './api.ts';
import { convertRelease } from './convert/delivery.ts';
import { convertIssueComment } from './convert/issue.ts';
import { convertFamilies } from './convert/pull-request.ts';
import { deploymentId, numberedId, type Repository, runId, taggedId } from './convert/repository.ts';
import { readOneByGraphql } from './pull-requests/read-by-graphql.ts';
import { readOneByRest } from './pull-requests/read-by-rest.ts';
import { convertIssues, convertList, readDeployment } from './streams/repository-listings.ts';
import { WorkflowRunReader } from './streams/workflow-run-stream.ts';
import type { ObjectKind } from './webhook.ts';

/** 404 and 410: the object is gone. */
const gone = [404, 410];

/** Reads an object of a repository that a webhook has named, as it is now. One that is gone is removed. */
export class ObjectReader {
  readonly #api: GithubApi;
  readonly #repository: Repository;
  /** Below which everything of the repository is. */
  readonly #path: string;

  constructor(api: GithubApi, repository: Repository) {
    this.#api = api;
    this.#repository = repository;
    this.#path = `/repos/${repository.name}`;
  }

  read({ kind, reference }: Pick<ChangedObject, 'kind' | 'reference'>): Promise<Page> {
    switch (kind as Exclude<ObjectKind, 'directory' | 'repository'>) {
      case 'pull_request':
        return this.#pullRequest(Number(reference));
      case 'issue':
        return this.#issue(Number(reference));
      case 'release': {
        // The list knows it by its tag alone.
        if (typeof reference === 'string') return this.#release(`tags/${encodeURIComponent(reference)}`, reference);
        const { id, tag } = reference as { readonly id: string; readonly tag: string };
        return this.#release(id, tag);
      }
      case 'workflow_run':
        return this.#workflowRun(String(reference));
      case 'deployment':
        return this.#deployment(String(reference));
    }
  }

  async #pullRequest(number: number): Promise<Page> {
    const { family, at } = await this.#findPullRequest(number);
    if (!family) return removed(at, 'pull_requests', { pr_id: numberedId(this.#repository, number) });
    const { records, problems } = convertFamilies(this.#repository, [family]);
    return { ...pageOf(at, records), ...(problems.length > 0 && { problems }) };
  }

  async #findPullRequest(number: number) {
    const { name } = this.#repository;
    if (this.#api.hasGraphqlFor('pull requests')) {
      try {
        return await readOneByGraphql(this.#api, name, number);
      } catch (error) {
        if (error instanceof GraphqlMissing) this.#api.noteMissing('pull requests', error);
        else if (!(error instanceof TooMuchAtOnce)) throw error;
      }
    }
    return readOneByRest(this.#api, name, number);
  }

  async #issue(number: number): Promise<Page> {
    const issue = await this.#api.get(`${this.#path}/issues/${number}`, { alsoGood: gone });
    const id = numberedId(this.#repository, number);
    // An issue that was transferred answers from where it is now.
    if (issue.status >= 300 || !this.#isOwn(issue.body)) return this.#withoutIssue(issue.at, id);
    const comments = await this.#api.list(`${this.#path}/issues/${number}/comments`);
    const ofIssue = convertIssues(this.#repository, [issue.body]);
    const ofComments = convertList(this.#repository, 'issue_comments', comments?.items ?? [], convertIssueComment);
    const problems = [...ofIssue.problems, ...ofComments.problems];
    return {
      ...pageOf(issue.at, [...ofIssue.records, ...ofComments.records.map((each) => ({ ...each, wholeSetsOf: [id] }))]),
      ...(problems.length > 0 && { problems }),
    };
  }

  #withoutIssue(at: number, id: string): Page {
    const issue = removed(at, 'issues', { issue_id: id });
    if (!this.#repository.incidentLabels) return issue;
    return pageOf(at, [...issue.records, { table: 'incidents', records: [withoutIncident(id)] }]);
  }

  #isOwn(body: unknown): boolean {
    const url = Payload.of(body, 'issue').textOrNull('repository_url');
    return url === null || url.toLowerCase().endsWith(this.#path.toLowerCase());
  }

  async #release(address: string, tag: string): Promise<Page> {
    const { status, body, at } = await this.#api.get(`${this.#path}/releases/${address}`, { alsoGood: gone });
    const record = status >= 300 ? null : convertRelease(this.#repository, body);
    if (record === null) return removed(at, 'release_details', { release_id: taggedId(this.#repository, tag) });
    return pageOf(at, [{ table: 'release_details', records: [record] }]);
  }

  async #workflowRun(id: string): Promise<Page> {
    const { status, body, at } = await this.#api.get(`${this.#path}/actions/runs/${id}`, { alsoGood: gone });
    if (status >= 300) return removed(at, 'workflow_runs', { workflow_run_id: runId(this.#repository, id) });
    const { records, problems } = await new WorkflowRunReader(this.#api, this.#repository).readRuns([body], {});
    return { ...pageOf(at, records), ...(problems.length > 0 && { problems }) };
  }

  async #deployment(id: string): Promise<Page> {
    const { status, body, at } = await this.#api.get(`${this.#path}/deployments/${id}`, { alsoGood: gone });
    if (status >= 300) return removed(at, 'deployments', { deployment_id: deploymentId(this.#repository, id) });
    const record = await readDeployment(this.#api, this.#repository, body);
    return pageOf(at, [{ table: 'deployments', records: record === null ? [] : [record] }]);
  }
}

const pageOf = (at: number, records: readonly SourceRecords[]): Page => ({ records, count: 1, at });

const removed = (at: number, table: SourceRecords['table'], key: Readonly<Record<string, unknown>>): Page =>
  pageOf(at, [{ table, records: [{ ...key, _deleted: true }] }]);
