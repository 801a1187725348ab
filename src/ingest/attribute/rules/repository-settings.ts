import type { RepositoryCopy } from '../../../catalogue/directory-copies.ts';
import { deploymentSources } from '../../../catalogue/directory-records.ts';
import { repositoryName } from '../../../catalogue/record-ids.ts';
import { keyOf } from '../../../text-comparison.ts';

/** Key of what has no repository. Deployments without one are attributed together; anything else is part of nothing. */
export const noRepository = '';

export type DeploymentSource = (typeof deploymentSources)[number];

/** What the settings of a repository say about its deployments. */
export interface RepositorySettings {
  readonly productionBranch: string | null;
  readonly defaultBranch: string | null;
  readonly source: DeploymentSource | null;
  /** Keys of the workflows that deploy to production; null where none are listed. */
  readonly deployWorkflows: ReadonlySet<string> | null;
  /** Keys of the environments that are production; null where none are listed. */
  readonly productionEnvironments: ReadonlySet<string> | null;
  readonly isActive: boolean;
}

const isDeploymentSource = (value: string | null): value is DeploymentSource =>
  value !== null && (deploymentSources as readonly string[]).includes(value);

export function readSettings(copy: RepositoryCopy | undefined): RepositorySettings {
  const source = copy?.deployment_source ?? null;
  return {
    productionBranch: nameIn(copy?.production_branch),
    defaultBranch: nameIn(copy?.default_branch),
    source: isDeploymentSource(source) ? source : null,
    deployWorkflows: listed(copy?.deploy_workflows),
    productionEnvironments: listed(copy?.production_environments),
    isActive: copy?.is_active !== false,
  };
}

/** The settings of a repository by its key. */
export type SettingsOf = (key: string | null) => RepositorySettings;

/** Most repositories have no settings. */
export function settingsByKey(copies: readonly RepositoryCopy[]): SettingsOf {
  const settings = new Map(copies.map((copy) => [copy.repository_key, readSettings(copy)]));
  const unset = readSettings(undefined);
  return (key) => settings.get(key) ?? unset;
}

const nameIn = (value: string | null | undefined): string | null => value?.trim() || null;

/** An empty list decides nothing: it is what a form leaves behind. */
function listed(json: string | null | undefined): ReadonlySet<string> | null {
  const names = (JSON.parse(json ?? '[]') as readonly string[]).map(keyOf).filter((name) => name !== '');
  return names.length > 0 ? new Set(names) : null;
}

const withoutOwner = (key: string): string => repositoryName(key) ?? key;

/** Everything that a repository may be called by. */
export const namesOfKey = (key: string): string[] => (key === noRepository ? [] : [key, withoutOwner(key)]);

/**
 * Which repository a name means: the one that is called so, else the only one that is called so without its
 * owner. A name that several owners use says nothing.
 */
export class RepositoryNames {
  readonly keys: ReadonlySet<string>;
  /** Null where there are several. */
  readonly #short = new Map<string, string | null>();

  constructor(keys: Iterable<string>) {
    this.keys = new Set(keys);
    for (const key of this.keys) {
      if (key === noRepository) continue;
      const name = withoutOwner(key);
      this.#short.set(name, this.#short.has(name) ? null : key);
    }
  }

  find(name: string | null | undefined): string | undefined {
    if (name === null || name === undefined || name === noRepository) return undefined;
    return this.keys.has(name) ? name : (this.#short.get(name) ?? undefined);
  }

  /** Every name that means a repository. */
  namesOf(key: string): string[] {
    return namesOfKey(key).filter((name) => this.find(name) === key);
  }
}
