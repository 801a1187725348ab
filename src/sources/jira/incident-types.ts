import type { FieldValues } from '../../catalogue/field-values.ts';
import { isObject } from '../../catalogue/field-values.ts';
import { incidentOf, namedIn, withoutIncident } from '../issue-incidents.ts';
import type { Payload } from '../payload.ts';
import type { SettingValues } from '../source.ts';
import { repositoryByName } from '../source-settings.ts';
import { issueRecord } from './convert.ts';
import { changesOf } from './history.ts';
import type { WholeIssue } from './search.ts';
import type { JiraSite } from './site.ts';

/** Which issues are incidents too, and the repositories of those. */
export class IncidentTypes {
  readonly #isNamed: (name: unknown) => boolean;
  readonly #repositoryOf: (name: string | null) => string | null;

  constructor({ incident_types: types, service_repositories: repositories }: SettingValues) {
    this.#isNamed = namedIn(types);
    this.#repositoryOf = repositoryByName(repositories);
  }

  /** One whose type was changed to another is no incident any more. Nothing of what never was one. */
  recordsOf(site: JiraSite, whole: WholeIssue, source: string): readonly FieldValues[] {
    const issue = issueRecord(site, whole);
    if (this.#isNamed(issue.issue_type)) {
      // Jira may say that something is resolved in a status that is not done.
      const resolvedAt = whole.issue.object('fields').timeOrNull('resolutiondate') ?? issue.closed_at;
      return [{ ...incidentOf(issue, this.#placeOf(site, whole.issue)), resolved_at: resolvedAt, source }];
    }
    const wasOne = changesOf('issuetype', whole.histories).some(({ fromName }) => this.#isNamed(fromName));
    return wasOne ? [withoutIncident(issue.issue_id)] : [];
  }

  /** The first of its affected services, its components and its project that has a repository. */
  #placeOf({ fields: { services } }: JiraSite, issue: Payload) {
    const fields = issue.object('fields');
    const project = fields.object('project');
    const names = [
      ...(services === undefined ? [] : namesIn(fields.raw(services))),
      ...namesIn(fields.raw('components')),
      ...[project.textOrNull('name'), project.text('key')].flatMap((name) => name ?? []),
    ];
    const service = names.find((name) => this.#repositoryOf(name) !== null) ?? names[0] ?? null;
    return { service, repository: this.#repositoryOf(service) };
  }
}

/** How affected services look is published nowhere: names, or objects that have one, else an id. */
function namesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => {
    const names = isObject(item) ? [item.name, item.value, item.id] : [item];
    return names.find((name): name is string => typeof name === 'string' && name !== '') ?? [];
  });
}
