import type { RepositoryRecord } from '../catalogue/directory-records.ts';
import { repositories } from '../store/all-store-tables.ts';
import type { AuditedAction } from '../store/audit.ts';
import { putRows } from '../store/put-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import { earlierNamesIn, earlierNamesText, firstOn, type HostName, keyOfName, readHostName } from './earlier-names.ts';
import { isTooLong, maxIdentifierLength } from './identifier.ts';
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
    if (isTooLong(name)) return `repository must have at most ${maxIdentifierLength} characters`;
    const key = keyOf(name);
    const known = this.#rows.get(key);
    if (record._deleted) {
      if (known && this.#rows.delete(key)) this.#changed.set(key, 'repository.remove');
      return undefined;
    }
    const names = earlierNamesOf(record);
    if (typeof names === 'string') return names;
    const renamed = names && this.#takeRenamed(key, names);
    const before = known ?? renamed?.at(-1);
    const given = <T>(value: T | null | undefined, old: T | null | undefined): T | null =>
      value === undefined ? (old ?? null) : value;
    const listed = (value: readonly string[] | null | undefined, old: string | null | undefined): string | null =>
      given(value && JSON.stringify(value), old);
    const next: RepositoryRow = {
      organisation_id: this.#session.organisationId,
      key,
      name,
      default_branch: given(record.default_branch, before?.default_branch),
      production_branch: given(record.production_branch, before?.production_branch),
      deployment_source: given(record.deployment_source, before?.deployment_source),
      deploy_workflows: listed(record.deploy_workflows, before?.deploy_workflows),
      is_active: given(record.is_active, before?.is_active) ?? true,
      production_environments: listed(record.production_environments, before?.production_environments),
      earlier_names: record.earlier_names === null ? null : allNames(names ?? [], known, renamed ?? []),
    };
    if (known && Object.entries(next).every(([column, value]) => known[column as keyof RepositoryRow] === value)) {
      return undefined;
    }
    this.#rows.set(key, next);
    this.#changed.set(key, known ? 'repository.update' : 'repository.create');
    return undefined;
  }

  /** Rows of the same repository under other names: what was decided about it goes on under the new one. */
  #takeRenamed(key: string, names: readonly HostName[]): RepositoryRow[] {
    const first = new Set(names.flatMap(({ host }) => keyOfName(host, firstOn(host, names) ?? '')));
    const isSame = (row: RepositoryRow): boolean => {
      const earlier = earlierNamesIn(row.earlier_names);
      return names.some(({ host }) => first.has(keyOfName(host, firstOn(host, earlier) ?? row.name)));
    };
    const taken = [...this.#rows.values()].filter((row) => row.key !== key && isSame(row));
    for (const row of taken) {
      this.#rows.delete(row.key);
      this.#changed.set(row.key, 'repository.remove');
    }
    return taken;
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

/** Once a repository was known by a name, records may come that know it by that name. */
function allNames(
  given: readonly HostName[],
  known: RepositoryRow | undefined,
  renamed: readonly RepositoryRow[],
): string | null {
  const hosts = [...new Set(given.map(({ host }) => host))];
  return earlierNamesText([
    ...given,
    ...earlierNamesIn(known?.earlier_names ?? null),
    ...renamed.flatMap((row) => [
      ...earlierNamesIn(row.earlier_names),
      ...hosts.map((host) => ({ host, name: row.name })),
    ]),
  ]);
}

function earlierNamesOf({ earlier_names: given }: RepositoryRecord): readonly HostName[] | string | undefined {
  const names = given?.map(readHostName);
  if (names?.some((name) => name === undefined))
    return "earlier_names needs the code host of each, as 'github:owner/name'";
  return names?.flatMap((name) => name ?? []);
}

export const isRepositoryName = (name: string): boolean => /^[^\s/]+(\/[^\s/]+)+$/.test(name);
