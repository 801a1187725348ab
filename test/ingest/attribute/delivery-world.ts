import { type RepositoryCopy, repositoriesCopy } from '../../../src/catalogue/directory-copies.ts';
import { repositoryName } from '../../../src/catalogue/record-ids.ts';
import { type Row, storedColumns, type Table } from '../../../src/catalogue/table.ts';
import { type DeploymentRow, deployments } from '../../../src/catalogue/tables/deployments.ts';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { pullRequestCommits } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { type PullRequestRow, pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { type ReleaseRow, releaseDetails } from '../../../src/catalogue/tables/release-details.ts';
import { workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { EarlierNames } from '../../../src/directory/earlier-names.ts';
import { attributeAlone, attributeDeployments } from '../../../src/ingest/attribute/attribute-deployments.ts';
import { type SettingsOf, settingsByKey } from '../../../src/ingest/attribute/rules/repository-settings.ts';
import { TouchedRows } from '../../../src/ingest/attribute/touched-rows.ts';
import { isHotfix, revertMarks } from '../../../src/ingest/derive/reverts.ts';
import type { IntakeSession } from '../../../src/ingest/write/intake-session.ts';
import { keyOf } from '../../../src/text-comparison.ts';
import { MemoryTables } from './memory-warehouse.ts';

const tables = {
  pullRequest: pullRequests,
  commit: pullRequestCommits,
  deployment: deployments,
  release: releaseDetails,
  run: workflowRuns,
  incident: incidents,
} as const;
type DeliveryTable = keyof typeof tables;

/** Something that a batch says about a row: what it is now, or that it is gone. */
export interface Event {
  readonly kind: DeliveryTable | 'repository';
  readonly fields: Readonly<Record<string, Row[string]>>;
  readonly isGone?: boolean;
}

const event =
  (kind: Event['kind']) =>
  (fields: Event['fields'], isGone = false): Event => ({ kind, fields, isGone });
export const pullRequest = event('pullRequest');
export const commit = event('commit');
export const deployment = event('deployment');
export const release = event('release');
export const run = event('run');
export const incident = event('incident');
/** Settings of a repository. */
export const repository = event('repository');

/** An hour of a test’s own calendar, in seconds. */
export const hour = (hours: number): number => 1_700_000_000 + Math.round(hours * 3_600);

/** Keeps the rows of a made-up organisation as ingest keeps them, and attributes its deployments after every batch. */
export class DeliveryWorld {
  readonly tables: MemoryTables;
  readonly earlierNames = new EarlierNames([]);
  readonly incidentWindowDays: number;
  readonly #limits: { readonly maxIds?: number; readonly rowsForPart: number };

  /** A repository has so few rows here that they would all be read together, were reading apart not made cheap. */
  constructor(incidentWindowDays = 7, { rowsForPart = 0, ...limits }: { maxIds?: number; rowsForPart?: number } = {}) {
    this.tables = new MemoryTables();
    this.incidentWindowDays = incidentWindowDays;
    this.#limits = { rowsForPart, ...limits };
  }

  /** What the directory says about repositories. */
  get settingsOf(): SettingsOf {
    return settingsByKey(this.tables.rowsOf(repositoriesCopy) as unknown as RepositoryCopy[]);
  }

  async batch(...events: readonly Event[]): Promise<void> {
    await this.derive(await this.apply(...events));
  }

  /** Stores the rows of a batch, and attributes nothing yet. */
  async apply(...events: readonly Event[]): Promise<TouchedRows> {
    const touches = new TouchedRows(this.#limits);
    for (const one of events) await this.#apply(one, touches);
    return touches;
  }

  /** In the tables of this world, or in others with the same rows. */
  async derive(touches: TouchedRows, session: IntakeSession = this.tables.session): Promise<void> {
    await attributeAlone(session, { all: [] });
    await attributeDeployments(session, touches, this);
  }

  /** Attributes everything from the beginning. */
  async rederive(): Promise<void> {
    const touches = new TouchedRows();
    for (const table of [pullRequests, deployments, releaseDetails, workflowRuns, incidents] as const) {
      for (const { repository_key } of this.tables.rowsOf(table)) {
        if (typeof repository_key === 'string') touches.repository(repository_key);
        // Deployments without a repository are attributed together.
        else if (table === deployments) touches.repository('');
      }
    }
    await this.derive(touches);
  }

  pullRequest(id: string): PullRequestRow {
    return found(this.tables.find(pullRequests, id), id) as PullRequestRow;
  }

  deployment(id: string): DeploymentRow {
    return found(this.tables.find(deployments, id), id) as DeploymentRow;
  }

  release(id: string): ReleaseRow {
    return found(this.tables.find(releaseDetails, id), id) as ReleaseRow;
  }

  /** Those with these values, in the order of time. */
  deployments(where: Readonly<Record<string, Row[string]>>): DeploymentRow[] {
    return this.tables
      .rowsOf(deployments)
      .filter((row) => Object.entries(where).every(([column, value]) => row[column] === value))
      .sort((a, b) => Number(a.deployed_at) - Number(b.deployed_at)) as unknown as DeploymentRow[];
  }

  deploymentIds(): string[] {
    return this.tables
      .rowsOf(deployments)
      .map(({ deployment_id }) => String(deployment_id))
      .sort();
  }

  async #apply({ kind, fields, isGone }: Event, touches: TouchedRows): Promise<void> {
    if (kind === 'repository') {
      const key = keyOf(String(fields.repository));
      const row = { ...blank(repositoriesCopy), ...fields, repository_key: key };
      if (isGone) await this.tables.remove(repositoriesCopy, { column: 'repository_key', in: [key] });
      else await this.tables.put(repositoriesCopy, [row]);
      touches.repository(key);
      return;
    }
    const table: Table = tables[kind];
    const [key = ''] = table.key;
    const id = String(fields[key]);
    const before = this.tables.find(table, id);
    if (isGone) {
      await this.tables.remove(table, { column: key, in: [id] });
      if (kind === 'pullRequest') await this.#removeCommits(id, touches);
      if (before) this.#touch(touches, kind, before, undefined);
      return;
    }
    const after = complete(kind, { ...(before ?? blank(table)), ...fields });
    await this.tables.put(table, [after]);
    this.#touch(touches, kind, before, after);
  }

  #touch(touches: TouchedRows, kind: DeliveryTable, before: Row | undefined, after: Row | undefined): void {
    const pullRequestOf = (id: string) => this.tables.find(pullRequests, id) as PullRequestRow | undefined;
    if (kind === 'commit') touches.commit(before as never, after as never, pullRequestOf);
    else if (kind === 'run') touches.run(before as never, after as never, this.settingsOf);
    else touches[kind](before as never, after as never);
  }

  async #removeCommits(id: string, touches: TouchedRows): Promise<void> {
    for (const row of this.tables.rowsOf(pullRequestCommits)) {
      if (row.pr_id !== id) continue;
      await this.tables.remove(pullRequestCommits, { column: 'commit_id', in: [row.commit_id ?? null] });
      this.#touch(touches, 'commit', row, undefined);
    }
  }
}

const blank = (table: Table): Row =>
  Object.fromEntries([...storedColumns(table).keys()].map((column) => [column, null]));

function found(row: Row | undefined, id: string): Row {
  if (!row) throw new Error(`there is no ${id}`);
  return row;
}

/** What ingest says of a row by itself. */
function complete(kind: DeliveryTable, row: Row): Row {
  const text = (column: string) => (typeof row[column] === 'string' ? String(row[column]) : null);
  const repository = text('repository') ?? (kind === 'incident' ? text('service') : null);
  const named = {
    repository_name: repositoryName(repository),
    repository_key: repository === null ? null : keyOf(repository),
  };
  if (kind === 'commit') return row;
  if (kind === 'incident') return { ...row, repository_key: named.repository_key };
  if (kind === 'deployment') {
    return { ...row, ...named, origin: 'stated', deployment_source: row.given_deployment_source ?? 'workflow_run' };
  }
  if (kind !== 'pullRequest') return { ...row, ...named };
  const [title, headBranch] = [text('pr_title'), text('head_branch')];
  return {
    ...row,
    ...named,
    opened_at: row.ready_at ?? row.pr_created_at ?? null,
    revert_marks: revertMarks({ title, headBranch, body: text('pr_body'), repository }),
    is_hotfix: isHotfix({ title, headBranch, labels: JSON.parse(text('labels') ?? '[]') }),
  };
}
