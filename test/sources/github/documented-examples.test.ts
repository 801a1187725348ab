import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { type RecordTable, recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import {
  convertArtifacts,
  convertDeployment,
  convertRelease,
  convertTiming,
  convertWorkflowRun,
} from '../../../src/sources/github/convert/delivery.ts';
import { convertIssue, convertIssueComment } from '../../../src/sources/github/convert/issue.ts';
import { convertFamilies } from '../../../src/sources/github/convert/pull-request.ts';
import { convertRepository } from '../../../src/sources/github/convert/repository.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import type { Fields } from './replay/world.ts';

const example = <T = Fields>(name: string): T =>
  JSON.parse(readFileSync(join(recordedDataFolder, 'github-openapi-examples', `GET_${name}.json`), 'utf8'));
const listOf = (name: string): Fields[] => example<Fields[]>(name);

describe.skipIf(!recordedDataAvailable)('the answers that GitHub documents', () => {
  const repository = () => ({
    ...convertRepository(example('repos__owner__repo.default-response')),
    firstName: 'octocat/Hello-World',
  });
  /** Whether an import would take it. */
  const isTaken = (table: RecordTable, record: unknown) =>
    expect(readRecord(recordShapeFor(table), record)).not.toHaveProperty('problem');

  test('Become a pull request with its parts', () => {
    const repo = 'repos__owner__repo__';
    const commit = example(`${repo}commits__ref`);
    const { records, problems } = convertFamilies(repository(), [
      {
        pull: example(`${repo}pulls__pull_number`),
        timeline: listOf(`${repo}issues__issue_number__timeline`),
        reviews: listOf(`${repo}pulls__pull_number__reviews`),
        comments: listOf(`${repo}issues__issue_number__comments`),
        reviewComments: listOf(`${repo}pulls__pull_number__comments`),
        commits: [...listOf(`${repo}pulls__pull_number__commits`), commit],
        files: listOf(`${repo}pulls__pull_number__files`),
      },
    ]);
    expect(problems).toEqual([]);
    for (const { table, records: rows } of records) for (const row of rows) isTaken(table, row);
    expect(records.map(({ table, records: rows }) => [table, rows.length > 0])).toEqual([
      ['pull_requests', true],
      ['pull_request_reviews', true],
      ['pull_request_comments', true],
      ['pull_request_commits', true],
      ['pull_request_events', true],
    ]);
  });

  test('Become issues, comments, releases, runs and deployments', () => {
    const repo = 'repos__owner__repo__';
    isTaken('issue_comments', convertIssueComment(repository(), listOf(`${repo}issues__comments`)[0]));
    isTaken('release_details', convertRelease(repository(), listOf(`${repo}releases`)[0]));
    isTaken('workflow_runs', convertWorkflowRun(repository(), example(`${repo}actions__runs__run_id`)));
    const statuses = listOf(`${repo}deployments__deployment_id__statuses`);
    isTaken('deployments', convertDeployment(repository(), listOf(`${repo}deployments`)[0], statuses));
    // The documented issue is one of a pull request.
    const { pull_request: _, ...issue } = listOf(`${repo}issues`)[0] ?? {};
    isTaken('issues', convertIssue(repository(), issue));
  });

  test('Have billable time and sizes of artifacts', () => {
    expect(convertTiming(example('repos__owner__repo__actions__runs__run_id__timing'))).toEqual({
      ubuntu: 180_000,
      macos: 240_000,
      windows: 300_000,
    });
    const { artifacts } = example<{ artifacts: Fields[] }>('repos__owner__repo__actions__runs__run_id__artifacts');
    expect(convertArtifacts(artifacts)).toBe(556 + 453);
  });
});
