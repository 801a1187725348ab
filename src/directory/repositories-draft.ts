import type { RepositoryRecord } from '../catalogue/directory-records.ts';
import type { AuditedAction } from '../store/audit.ts';
import { putRows } from '../store/rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { repositories } from '../store/tables.ts';
import { identifierMost, isTooLong, keyOf } from './identifier.ts';
import type { RepositoryRow } from './snapshot.ts';

/** The repositories of an organisation while records change them. */
export class RepositoriesDraft {
  readonly #session: OrganisationWriting;
  readonly #rows: Map<string, RepositoryRow>;
  readonly #changed = new Map<string, AuditedAction['action']>();

  private constructor(session: OrganisationWriting, rows: readonly RepositoryRow[]) {
    this.#session = session;
    this.#rows = new Map(rows.map((row) => [row.key, row]));
  }

  static async load(session: OrganisationWriting): Promise<RepositoriesDraft> {
    return new RepositoriesDraft(
      session,
      await session.rows('SELECT * FROM repositories WHERE organisation_id = $1', [session.organisationId]),
    );
  }

  apply(record: RepositoryRecord): string | undefined {
    const name = record.repository?.trim();
    if (!name || !isRepositoryName(name)) return "needs repository, as 'owner/name'";
    if (isTooLong(name)) return `repository must have at most ${identifierMost} characters`;
    const key = keyOf(name);
    const known = this.#rows.get(key);
    if (record._deleted) {
      if (known && this.#rows.delete(key)) this.#changed.set(key, 'repository.remove');
      return undefined;
    }
    const given = <T>(value: T | null | undefined, old: T | null | undefined): T | null =>
      value === undefined ? (old ?? null) : value;
    const listed = (value: readonly string[] | null | undefined, old: string | null | undefined): string | null =>
      given(value && JSON.stringify(value), old);
    const next: RepositoryRow = {
      organisation_id: this.#session.organisationId,
      key,
      name,
      default_branch: given(record.default_branch, known?.default_branch),
      production_branch: given(record.production_branch, known?.production_branch),
      deployment_source: given(record.deployment_source, known?.deployment_source),
      deploy_workflows: listed(record.deploy_workflows, known?.deploy_workflows),
      is_active: given(record.is_active, known?.is_active) ?? true,
      production_environments: listed(record.production_environments, known?.production_environments),
    };
    if (known && Object.entries(next).every(([column, value]) => known[column as keyof RepositoryRow] === value)) {
      return undefined;
    }
    this.#rows.set(key, next);
    this.#changed.set(key, known ? 'repository.update' : 'repository.create');
    return undefined;
  }

  async save(): Promise<AuditedAction[]> {
    const gone = [...this.#changed.keys()].filter((key) => !this.#rows.has(key));
    await this.#session.run(
      'DELETE FROM repositories WHERE organisation_id = $1 AND key IN (SELECT unnest($2::text[]))',
      [this.#session.organisationId, gone],
    );
    await putRows(
      this.#session,
      repositories,
      [...this.#changed.keys()].flatMap((key) => this.#rows.get(key) ?? []),
    );
    return [...this.#changed].map(([subject, action]) => ({ action, subject }));
  }
}

export const isRepositoryName = (name: string): boolean => /^[^\s/]+(\/[^\s/]+)+$/.test(name);
