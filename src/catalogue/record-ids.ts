import type { FieldValues } from './field-values.ts';

/**
 * The ids of records, the same from every source and from imports: a repository that is read twice, from a clone and from
 * its host, counts once.
 */

/** `github:acme/web#7` */
export const pullRequestId = (host: string, repository: string, number: number): string =>
  `${host}:${repository}#${number}`;

/** The code hosts, on which a login is an account; the host that people know best comes first. */
export const codeHosts = ['github', 'gitlab', 'bitbucket', 'azure-devops'] as const;
export type CodeHostName = (typeof codeHosts)[number];
/** The code host of ids of which nothing says another. */
export const defaultHost = 'github';

/** A pull request or an issue of a code host, as people write it: `acme/web#7`. */
export interface NumberedPlace {
  readonly repository: string;
  readonly number: number;
}

/** Reads an id that is written without its source. Undefined for an id with a source, and for any other form. */
export function placeOfShortId(id: unknown): NumberedPlace | undefined {
  if (typeof id !== 'string' || !id.includes('#')) return undefined;
  const [, repository, number] = /^([^\s:#/]+(?:\/[^\s:#/]+)+)#(\d{1,15})$/.exec(id) ?? [];
  return repository === undefined ? undefined : { repository, number: Number(number) };
}

/** The source and the place of an id that has a source. Nothing for any other form. */
export function placeOfFullId(id: string): (NumberedPlace & { readonly host: string }) | undefined {
  const end = id.indexOf(':');
  const place = end > 0 ? placeOfShortId(id.slice(end + 1)) : undefined;
  return place && { ...place, host: id.slice(0, end) };
}

/** A short id can mean several rows, one on each code host. Then the default host counts, else the first by name. */
export const hostAmong = (hosts: Iterable<string>): string | undefined => {
  const all = [...hosts].sort();
  return all.includes(defaultHost) ? defaultHost : all[0];
};

/**
 * A reference as it is stored. Where its record comes from a code host, a short id means the row of that host. Else it
 * stays short, and means every row of that repository and number, also one that arrives later.
 */
export function storedReference(id: string, source: unknown, firstNameOf: FirstNameOf): string {
  const place = placeOfShortId(id);
  const host = typeof source === 'string' ? hostOf(source) : undefined;
  if (!place || host === undefined || !codeHosts.some((one) => one === host)) return id;
  return pullRequestId(host, firstNameOf(host, place.repository), place.number);
}

/** A commit can be in two pull requests, and is a row in each. */
export const commitId = (pullRequest: string, sha: string): string => `${pullRequest}:${sha}`;

/** A release is known by its tag, since that is what a clone and a host both know of it: `github:acme/web@v1.2.0`. */
export const releaseId = (host: string, repository: string, tag: string): string => `${host}:${repository}@${tag}`;

/** A run of a workflow is known by the number that its host gave it: `github:acme/web:run:7`. */
export const workflowRunId = (host: string, repository: string, number: string): string =>
  `${host}:${repository}:run:${number}`;

/**
 * Records without a name that code hosts share have their provider's own id, with its host:
 * `pagerduty:acme.example/Q1`.
 */
export const hostedId = (source: string, host: string, id: string): string => `${source}:${host}/${id}`;

/** The repository name in ids: the one under which it was first seen, whatever it is called now. */
export type FirstNameOf = (host: string, repository: string) => string;
const asNamed: FirstNameOf = (_, repository) => repository;

/** The id of a pull request that a record has none for. */
export function idOfPullRequest(
  { source, repository, pr_number: number }: FieldValues,
  firstNameOf: FirstNameOf = asNamed,
): string | undefined {
  if (typeof source !== 'string' || typeof repository !== 'string' || typeof number !== 'number') return undefined;
  if (!isRepository.test(repository)) return undefined;
  const host = hostOf(source);
  return pullRequestId(host, firstNameOf(host, repository), number);
}

/** The id of an issue of a code host, whose key says where it is: `acme/web#7`. Those of trackers have ids of their own. */
export function idOfIssue(
  { source, issue_key: key }: FieldValues,
  firstNameOf: FirstNameOf = asNamed,
): string | undefined {
  if (typeof source !== 'string' || typeof key !== 'string') return undefined;
  const [, repository = '', number] = /^(.*)#(\d{1,15})$/.exec(key) ?? [];
  if (!isRepository.test(repository)) return undefined;
  const host = hostOf(source);
  return pullRequestId(host, firstNameOf(host, repository), Number(number));
}

/** The id of a release that a record has none for. */
export function idOfRelease(
  { source, repository, version }: FieldValues,
  firstNameOf: FirstNameOf = asNamed,
): string | undefined {
  if (typeof source !== 'string' || typeof repository !== 'string' || typeof version !== 'string') return undefined;
  if (!isRepository.test(repository) || version === '') return undefined;
  const host = hostOf(source);
  return releaseId(host, firstNameOf(host, repository), version);
}

/** The id of a run whose address has its number: `https://github.com/acme/web/actions/runs/7`. */
export function idOfWorkflowRun(
  { source, repository, run_url: url }: FieldValues,
  firstNameOf: FirstNameOf = asNamed,
): string | undefined {
  if (typeof source !== 'string' || typeof repository !== 'string' || typeof url !== 'string') return undefined;
  const [, number] = /\/actions\/runs\/(\d+)(?=[/?#]|$)/.exec(url) ?? [];
  if (!isRepository.test(repository) || number === undefined) return undefined;
  const host = hostOf(source);
  return workflowRunId(host, firstNameOf(host, repository), number);
}

/** The columns of a pull request that its short id gives. */
export const fieldsOfPullRequest = ({ repository, number }: NumberedPlace): FieldValues => ({
  repository,
  pr_number: number,
});

/** The columns of an issue that its short id gives. */
export const fieldsOfIssue = ({ repository, number }: NumberedPlace): FieldValues => ({
  issue_key: `${repository}#${number}`,
});

/** `acme/web`, or with groups between, as on GitLab. */
const isRepository = /^[^\s/#]+(?:\/[^\s/#]+)+$/;
export const isRepositoryName = (text: string): boolean => isRepository.test(text);
export const hostOf = (source: string): string => source.toLowerCase();

/** The repository without its owner. GitLab groups nest, so the owner may be a path itself. */
export function repositoryName(repository: string | null): string | null {
  const segments = repository?.split('/').filter((segment) => segment.trim() !== '');
  return segments?.at(-1)?.trim() ?? null;
}

/** Ids that records name other rows by, by field and as they were sent. */
export type References = Readonly<Record<string, readonly string[]>>;

/** References of a field that are gathered at most. More of them are a whole table that is missing. */
const maxReferences = 20_000;

/** References that match nothing, each once, gathered from parts of one answer. */
export class UnmatchedReferences {
  readonly #byField = new Map<string, Set<string>>();

  readonly add = (references: References = {}): void => {
    for (const [field, ids] of Object.entries(references)) {
      const known = this.#byField.get(field) ?? new Set();
      this.#byField.set(field, known);
      for (const id of ids) if (known.size < maxReferences) known.add(id);
    }
  };

  /** A part of the answer about records: absent where all references match. */
  get found(): { readonly unmatched?: References } {
    if (this.#byField.size === 0) return {};
    return { unmatched: Object.fromEntries([...this.#byField].map(([field, ids]) => [field, [...ids]])) };
  }
}
