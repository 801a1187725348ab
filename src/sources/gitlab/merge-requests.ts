import { type CountedFile, countChangedLines } from '../code-host/changed-files.ts';
import type { NotSeen } from '../not-seen.ts';
import { convertEach, Payload, readEach } from '../payload.ts';
import type { ConvertedItems } from '../streams/newest-first-stream.ts';
import { type ChangeSize, convertFamilies, type MergeRequestFamily } from './convert/merge-request.ts';
import { approversIn, convertNotes } from './convert/notes.ts';
import { type Project, pathOf } from './convert/project.ts';
import { type GitlabApi, unseen } from './gitlab-api.ts';

/** Merge requests that are read at once: each takes some requests. */
export const mergeRequestPageSize = 20;

/** What GraphQL knows of many merge requests at once, and REST only of one by one. */
interface KnownInBulk {
  readonly size: ChangeSize;
  readonly approvers: readonly string[];
}

export async function readMergeRequests(
  api: GitlabApi,
  project: Project,
  items: readonly unknown[],
): Promise<ConvertedItems> {
  const known = await readInBulk(api, project, items);
  const { records: families, problems } = await readEach(items, (item) => readFamily(api, project, item, known));
  const converted = convertFamilies(project, families);
  const notSeen = [
    ...(families.some(({ size }) => size.additions === null && size.changedFiles !== null) ? [cutChanges] : []),
    ...(families.some(({ isTrainHidden = false }) => isTrainHidden) ? [hiddenTrains] : []),
  ];
  return { ...converted, problems: [...problems, ...converted.problems], ...(notSeen.length > 0 && { notSeen }) };
}

const cutChanges: NotSeen = {
  why: 'cut',
  what: 'Changed lines of merge requests with a file that GitLab finds too large to show are not counted',
};

const hiddenTrains: NotSeen = {
  why: 'right',
  what: 'When merge requests were put on a merge train is not shown to the token',
  toDo: 'Give the token’s account the role Developer.',
};

/** Null where it is gone meanwhile. */
async function readFamily(
  api: GitlabApi,
  project: Project,
  item: unknown,
  inBulk: ReadonlyMap<string, KnownInBulk>,
): Promise<MergeRequestFamily | null> {
  const number = Payload.of(item, 'merge request').id('iid');
  const path = `${pathOf(project)}/merge_requests/${number}`;
  const known = inBulk.get(number);
  const [notes, commits, car, size] = await Promise.all([
    api.list(`${path}/notes`, { query: { sort: 'asc', order_by: 'created_at' }, alsoGood: [404] }),
    api.list(`${path}/commits`, { alsoGood: [404] }),
    project.hasMergeTrains
      ? api.get(`${pathOf(project)}/merge_trains/merge_requests/${number}`, { alsoGood: unseen })
      : undefined,
    known?.size ?? countDiffs(api, path),
  ]);
  if (!notes) return null;
  const byNote = approversIn(convertNotes(notes.items));
  const isSilent = known === undefined || known.approvers.some((approver) => !byNote.has(approver));
  const approvals = isSilent ? await api.get(`${path}/approvals`, { alsoGood: unseen }) : undefined;
  return {
    mergeRequest: item,
    notes: notes.items,
    commits: commits?.items,
    size,
    car: car && car.status < 300 ? car.body : null,
    // One that is on no train is not found.
    ...(car?.status === 403 && { isTrainHidden: true }),
    approvals: approvals && approvals.status < 300 ? approvals.body : null,
  };
}

const bulkQuery = `
query ($project: ID!, $numbers: [String!]!) {
  project(fullPath: $project) {
    mergeRequests(iids: $numbers, first: ${mergeRequestPageSize}) {
      nodes {
        iid
        diffStatsSummary { additions deletions fileCount }
        diffStats { path additions deletions }
        approvedBy { nodes { username } }
      }
    }
  }
}`;

/** By number. Empty where GraphQL does not say it. */
async function readInBulk(api: GitlabApi, project: Project, items: readonly unknown[]) {
  const { records: numbers } = convertEach(items, (item) => Payload.of(item, 'merge request').id('iid'));
  const answer = numbers.length > 0 ? await api.graphql(bulkQuery, { project: project.name, numbers }) : undefined;
  const found = answer && Payload.of(answer.data, 'answer').objectOrNull('project')?.objectOrNull('mergeRequests');
  return new Map((found?.list('nodes') ?? []).map((node) => [node.id('iid'), knownOf(node)] as const));
}

function knownOf(node: Payload): KnownInBulk {
  const summary = node.objectOrNull('diffStatsSummary');
  const files = node.has('diffStats') ? node.list('diffStats') : null;
  return {
    size: {
      additions: summary?.integerOrNull('additions') ?? null,
      deletions: summary?.integerOrNull('deletions') ?? null,
      changedFiles: summary?.integerOrNull('fileCount') ?? null,
      files:
        files?.map((file) => ({
          path: file.text('path'),
          additions: file.integer('additions'),
          deletions: file.integer('deletions'),
        })) ?? null,
    },
    approvers:
      node
        .objectOrNull('approvedBy')
        ?.list('nodes')
        .map((user) => user.text('username')) ?? [],
  };
}

const unknownSize: ChangeSize = { additions: null, deletions: null, changedFiles: null, files: null };

/** Counts lines where GraphQL does not say them. Of a file that GitLab finds too large it shows none. */
async function countDiffs(api: GitlabApi, path: string): Promise<ChangeSize> {
  const diffs = await api.list(`${path}/diffs`, { alsoGood: unseen });
  if (!diffs) return unknownSize;
  const counted = diffs.items.map((item) => countLines(Payload.of(item, 'diff')));
  const files = counted.flatMap((file) => file ?? []);
  const isWhole = files.length === counted.length;
  const sum = (side: 'additions' | 'deletions') => files.reduce((total, file) => total + file[side], 0);
  return {
    additions: isWhole ? sum('additions') : null,
    deletions: isWhole ? sum('deletions') : null,
    changedFiles: counted.length,
    files: isWhole ? files : null,
  };
}

function countLines(diff: Payload): CountedFile | null {
  if (diff.isTrue('too_large') || diff.isTrue('collapsed')) return null;
  return { path: diff.text('new_path'), ...countChangedLines(diff.textOrNull('diff') ?? '') };
}
