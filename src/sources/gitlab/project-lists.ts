import type { RecordTable } from '../../catalogue/record-tables.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import { incidentsByLabel, withoutIncident } from '../issue-incidents.ts';
import type { NotSeen } from '../not-seen.ts';
import { linkedPage, pageByTime, secondsOf } from '../paging.ts';
import { convertEach, Payload, readEach } from '../payload.ts';
import type { SourceRecords } from '../source.ts';
import { type ListedThings, removal } from '../streams/listed-things.ts';
import type { ConvertedItems } from '../streams/newest-first-stream.ts';
import { deploymentRecord, endOf, pipelineRecord, releaseRecord } from './convert/deployment-records.ts';
import { issueCommentRecords, issueRecord } from './convert/issue-records.ts';
import { deploymentId, type Feature, numberedId, type Project, pathOf, runId, taggedId } from './convert/project.ts';
import { asPart, type GitlabApi, maxPageSize, unseen } from './gitlab-api.ts';
import { mergeRequestPageSize, readMergeRequests } from './merge-requests.ts';

/** What differs from one list of a project to the next. */
interface ListParts {
  readonly kind: 'merge_request' | 'deployment' | 'release' | 'issue' | 'pipeline';
  /** GitLab refuses the list while this is switched off. */
  readonly feature: Feature;
  readonly feeds: readonly FactTable[];
  /** An item's own name below the list, and the id of its row. */
  readonly key: 'iid' | 'id' | 'tag_name';
  readonly row: { readonly table: RecordTable; readonly column: string; idOf(project: Project, key: string): string };
  readonly query?: Readonly<Record<string, string | number>>;
  convert(items: readonly unknown[]): Promise<ConvertedItems>;
}

const hour = 3_600;
const century = 100 * 365 * 24 * hour;

/** The lists of a project whose features are switched on, the most important first. */
export const listsOf = (api: GitlabApi, project: Project): readonly ListedThings[] =>
  partsOf(api, project)
    .filter(({ feature }) => !project.without.includes(feature))
    .map((parts) => listOf(api, project, parts));

function partsOf(api: GitlabApi, project: Project): readonly ListParts[] {
  const parts = ['reviews', 'comments', 'commits', 'events'] as const;
  return [
    {
      kind: 'merge_request',
      feature: 'merge_requests',
      feeds: ['pull_requests', ...parts.map((part) => `pull_request_${part}` as const)],
      key: 'iid',
      row: { table: 'pull_requests', column: 'pr_id', idOf: numberedId },
      query: { state: 'all', scope: 'all', per_page: mergeRequestPageSize },
      convert: (items) => readMergeRequests(api, project, items),
    },
    {
      kind: 'deployment',
      feature: 'environments',
      feeds: ['deployments'],
      key: 'id',
      row: { table: 'deployments', column: 'deployment_id', idOf: deploymentId },
      convert: (items) => readDeployments(api, project, items),
    },
    {
      kind: 'release',
      feature: 'releases',
      feeds: ['release_details'],
      key: 'tag_name',
      row: { table: 'release_details', column: 'release_id', idOf: taggedId },
      convert: async (items) => {
        const { records, problems } = convertEach(items, (item) => releaseRecord(project, item));
        return { records: [{ table: 'release_details', records }], problems };
      },
    },
    {
      kind: 'issue',
      feature: 'issues',
      feeds: ['issues', 'issue_comments', ...(project.incidentLabels ? (['incidents'] as const) : [])],
      key: 'iid',
      row: { table: 'issues', column: 'issue_id', idOf: numberedId },
      query: { state: 'all', scope: 'all' },
      convert: (items) => readIssues(api, project, items),
    },
    {
      kind: 'pipeline',
      feature: 'builds',
      feeds: ['workflow_runs'],
      key: 'id',
      row: { table: 'workflow_runs', column: 'workflow_run_id', idOf: runId },
      convert: (items) => readPipelines(api, project, items),
    },
  ];
}

function listOf(
  api: GitlabApi,
  project: Project,
  { kind, key, row, feeds, convert, ...parts }: ListParts,
): ListedThings {
  const path = `${pathOf(project)}/${kind}s`;
  const isWhole = kind === 'release';
  const order = isWhole ? 'created_at' : 'updated_at';
  const query = { per_page: maxPageSize, ...parts.query, order_by: order, sort: 'desc' };
  const referenceOf = (item: Payload) => String(item.raw(key));
  return {
    key: `${kind}s`,
    kind,
    name: `${kind}s`.replace('_', ' '),
    feeds,
    convert,
    referenceOf,
    // An old release can change without a word of when. They are few, and read as a whole.
    rereadSeconds: isWhole ? century : hour,
    ...(!isWhole && { isByUpdate: true }),
    readFrom: project.readFrom,
    // Rows have the name of the project, and incidents follow from labels.
    basis: [project.name, ...(kind === 'issue' ? (project.incidentLabels ?? []) : [])],
    timeOf: (item) => secondsOf(item.time(order)),
    async ask(next) {
      if (isWhole) return linkedPage(await (typeof next === 'string' ? api.get(next) : api.get(path, { query })));
      return pageByTime(
        {
          size: query.per_page,
          momentOf: (item) => item.text(order),
          keyOf: referenceOf,
          // Deployments are given in the order of updates only together with a moment.
          ask: ({ before, page }) => api.get(path, { query: { ...query, updated_before: before, page } }),
        },
        next,
      );
    },
    async readOne(reference) {
      const { status, body, at } = await api.get(`${path}/${asPart(reference)}`, { alsoGood: [404] });
      return status < 300 ? { body, at } : { at };
    },
    gone(reference): readonly SourceRecords[] {
      const id = row.idOf(project, reference);
      const isIncident = kind === 'issue' && project.incidentLabels;
      const incidents = isIncident ? [{ table: 'incidents' as const, records: [withoutIncident(id)] }] : [];
      return [removal(row.table, { [row.column]: id }), ...incidents];
    },
  };
}

async function readIssues(api: GitlabApi, project: Project, items: readonly unknown[]): Promise<ConvertedItems> {
  const { records: families, problems } = await readEach(items, async (item) => {
    const payload = Payload.of(item, 'issue');
    const issue = issueRecord(project, payload);
    const path = `${pathOf(project)}/issues/${payload.integer('iid')}/notes`;
    const hasNotes = payload.raw('user_notes_count') !== 0;
    const notes = hasNotes ? await api.list(path, { query: { sort: 'asc' }, alsoGood: [404] }) : { items: [] };
    return notes ? { issue, comments: issueCommentRecords(issue.issue_id, notes.items) } : null;
  });
  const issues = families.map(({ issue }) => issue);
  const comments = families.flatMap((family) => family.comments);
  const incidents = incidentsByLabel(issues, { labels: project.incidentLabels, repository: project.name });
  return {
    records: [
      { table: 'issues', records: issues },
      { table: 'issue_comments', records: comments, wholeSetsOf: issues.map(({ issue_id }) => issue_id) },
      ...incidents,
    ],
    problems,
  };
}

/** Who began it, and when it began and ended, are in the detail. */
async function readPipelines(api: GitlabApi, project: Project, items: readonly unknown[]): Promise<ConvertedItems> {
  const { records, problems } = await readEach(items, async (item) => {
    const listed = Payload.of(item, 'pipeline');
    if (listed.raw('started_at') !== undefined) return pipelineRecord(project, listed);
    const detail = await api.get(`${pathOf(project)}/pipelines/${listed.id('id')}`, { alsoGood: [404] });
    return detail.status < 300 ? pipelineRecord(project, Payload.of(detail.body, 'pipeline')) : null;
  });
  return { records: [{ table: 'workflow_runs', records }], problems };
}

/** Deployments that have ended, with what they brought and whether their environment is production. */
async function readDeployments(api: GitlabApi, project: Project, items: readonly unknown[]): Promise<ConvertedItems> {
  let tiers: Promise<ReadonlyMap<string, string> | undefined> | undefined;
  const hidden = new Set<NotSeen>();
  /** A deployment does not say it itself. An environment that is gone has none. */
  const tierOf = async (environment: Payload | null): Promise<string | undefined> => {
    if (!environment || environment.has('tier')) return environment?.text('tier');
    tiers ??= readTiers(api, project);
    const known = await tiers;
    if (!known) hidden.add(hiddenTiers);
    return known?.get(environment.id('id'));
  };
  const { records, problems } = await readEach(items, async (item) => {
    const deployment = Payload.of(item, 'deployment');
    const status = endOf(deployment);
    if (status === null) return null;
    const path = `${pathOf(project)}/deployments/${deployment.id('id')}/merge_requests`;
    const brought = status === 'success' ? await api.list(path, { alsoGood: unseen }) : undefined;
    if (status === 'success' && !brought) hidden.add(hiddenContents);
    const tier = await tierOf(deployment.objectOrNull('environment'));
    return deploymentRecord(project, deployment, { status, tier, mergeRequests: brought?.items ?? [] });
  });
  return { records: [{ table: 'deployments', records }], problems, ...(hidden.size > 0 && { notSeen: [...hidden] }) };
}

const toSeeMore = 'Give the token’s account the role Reporter.';
const hiddenTiers: NotSeen = {
  why: 'right',
  what: 'Tiers of environments are not shown to the token: names decide what is production',
  toDo: toSeeMore,
};
const hiddenContents: NotSeen = {
  why: 'right',
  what: 'Merge requests of deployments are not shown to the token: commits decide what they brought',
  toDo: toSeeMore,
};

/** Undefined where the token may not see environments. */
async function readTiers(api: GitlabApi, project: Project): Promise<ReadonlyMap<string, string> | undefined> {
  const list = await api.list(`${pathOf(project)}/environments`, { alsoGood: unseen });
  if (!list) return undefined;
  const environments = Payload.listOf(list.items, 'environment');
  return new Map(environments.flatMap((one) => (one.has('tier') ? [[one.id('id'), one.text('tier')] as const] : [])));
}
