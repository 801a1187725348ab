import { isoText } from '../../calendar.ts';
import type { FieldValues } from '../../catalogue/field-values.ts';
import { hostedId } from '../../catalogue/record-ids.ts';
import { checkedOutFrom } from '../checkout-address.ts';
import { convertEach, Payload } from '../payload.ts';
import type { ConvertedItems } from '../streams/newest-first-stream.ts';

/** What a record needs that is not in its payload. */
export interface BuildContext {
  readonly host: string;
  /** The full name: `team/web/main`. */
  readonly job: string;
  readonly repositoryOf: (name: string) => string | null;
}

/** Builds have no number of their own: a job and its number name one. */
export const buildId = (host: string, job: string, number: number): string =>
  hostedId('jenkins', host, `${job}#${number}`);

export function convertBuilds(context: BuildContext, payloads: readonly unknown[]): ConvertedItems {
  const { records, problems } = convertEach(payloads, (payload) => buildRecord(context, Payload.of(payload, 'build')));
  return { records: [{ table: 'workflow_runs', records }], problems };
}

const conclusions: Readonly<Record<string, string>> = {
  SUCCESS: 'success',
  FAILURE: 'failure',
  UNSTABLE: 'failure',
  ABORTED: 'cancelled',
  NOT_BUILT: 'skipped',
  NOT_BUILD: 'skipped',
};

function buildRecord({ host, job, repositoryOf }: BuildContext, build: Payload): FieldValues {
  const number = build.integer('number');
  const startedAt = startOf(build);
  const actions = build.list('actions');
  const causes = actions.flatMap((action) => action.list('causes'));
  const code = codeOf(actions);
  // The result may be known before the last steps are over.
  const isBuilding = build.isTrue('building');
  const result = build.textOrNull('result');
  const isOver = !isBuilding && result !== null;
  return {
    workflow_run_id: buildId(host, job, number),
    source: 'jenkins',
    workflow_name: job,
    repository: code.repository ?? repositoryOfJob(job, repositoryOf),
    branch: code.branch,
    head_sha: code.sha,
    // `hudson.model.Cause$UserIdCause` is `UserIdCause`.
    event: causes[0]?.textOrNull('_class')?.split(/[.$]/).at(-1) ?? null,
    run_status: isOver ? 'completed' : 'building',
    run_conclusion: isOver ? (conclusions[result] ?? null) : null,
    run_number: number,
    run_created_at: isoText(startedAt),
    run_started_at: isoText(startedAt),
    run_updated_at: isOver ? isoText(startedAt + (build.measureOrNull('duration') ?? 0) / 1_000) : null,
    run_url: build.textOrNull('url'),
    person_login: causes.find((cause) => cause.has('userId'))?.text('userId') ?? null,
  };
}

/** In seconds since 1970; Jenkins counts milliseconds. */
export const startOf = (build: Payload): number => build.integer('timestamp') / 1_000;

/** Where the code came from. Libraries of a pipeline may have been checked out, too, after it. */
function codeOf(actions: readonly Payload[]) {
  const checkout = actions.find((action) => action.texts('remoteUrls').length > 0);
  const revision = checkout?.objectOrNull('lastBuiltRevision') ?? null;
  const [branch] = revision?.list('branch') ?? [];
  return {
    repository: checkedOutFrom(checkout?.texts('remoteUrls')[0] ?? '')?.repository ?? null,
    sha: revision?.textOrNull('SHA1') ?? null,
    branch: branch?.textOrNull('name')?.replace(/^(?:refs\/remotes\/)?origin\//, '') ?? null,
  };
}

/** Of the job, else of a folder that it lies in: branches of one project are jobs in its folder. */
function repositoryOfJob(job: string, repositoryOf: BuildContext['repositoryOf']): string | null {
  for (let name = job; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
    const repository = repositoryOf(name);
    if (repository !== null) return repository;
  }
  return null;
}
