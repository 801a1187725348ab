import { secondsOfDay } from '../../calendar.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import type { NotSeen } from '../not-seen.ts';
import { secondsOf } from '../paging.ts';
import { convertEach, type Payload, UnknownShape } from '../payload.ts';
import type {
  ChangedObject,
  Check,
  OpenSource,
  Page,
  PickableItem,
  SourceOpening,
  SourceRecords,
  Stream,
} from '../source.ts';
import { type ConvertedItems, newestFirstStream } from '../streams/newest-first-stream.ts';
import { openThingsStream } from '../streams/open-things-stream.ts';
import { checkJira } from './check-jira.ts';
import { jqlTime } from './jql.ts';
import { readIssue, searchIds, searchIssues, type WholeIssue, wholeIssues } from './search.ts';
import { chosenProjects, isSame, type JiraProject, type JiraSite, noProjects, readSite, textsIn } from './site.ts';

/** What a kind of source makes of the issues of Jira. */
export interface IssueUse {
  /** As in the ids of its streams, and for people. */
  readonly name: string;
  readonly feeds: readonly FactTable[];
  /** Whether it makes something of comments; else none is asked for. */
  readonly hasComments: boolean;
  /** In JQL, what is wanted of a project; everything where it is absent. */
  readonly jql?: string;
  /** Records of an issue: pure. */
  recordsOf(site: JiraSite, issue: WholeIssue): readonly SourceRecords[];
  /** Records that take away an issue that is gone. */
  without(site: JiraSite, id: string): readonly SourceRecords[];
  /** What records depend on besides issues. */
  readonly basis: readonly unknown[];
}

/** What changes while it is read is in the search a moment later, and an hour comes twice when clocks are put back. */
const rereadSeconds = 3_600;

/** The issues of a Jira, Cloud or Data Center. */
export class OpenJira implements OpenSource {
  readonly #opening: SourceOpening;
  readonly #use: IssueUse;
  #site: Promise<JiraSite> | undefined;

  constructor(opening: SourceOpening, use: IssueUse) {
    this.#opening = opening;
    this.#use = use;
  }

  async check(): Promise<Check> {
    const site = await this.#readSite();
    return checkJira(this.#opening, site, (project) => this.#jqlOf(site, project));
  }

  async choices(): Promise<readonly PickableItem[]> {
    const { all } = await chosenProjects(this.#opening.requests, await this.#readSite(), []);
    return all.map(({ key, name }) => ({ value: key, label: `${key} · ${name}` }));
  }

  async *streams(): AsyncIterable<Stream> {
    const { requests, settings } = this.#opening;
    const site = await this.#readSite();
    const { projects, missing } = await chosenProjects(requests, site, textsIn(settings.projects));
    if (projects.length === 0) throw noProjects(missing);
    const unseen = missing.map(unseenProject);
    for (const project of projects) yield this.#issues(site, project, unseen.splice(0));
    for (const project of projects) yield this.#deleted(site, project);
  }

  /** By the number of the project: its key may be changed. */
  #issues(site: JiraSite, project: JiraProject, notSeen: readonly NotSeen[]): Stream {
    const { requests, settings } = this.#opening;
    const { name, feeds, basis } = this.#use;
    return newestFirstStream({
      id: `${name}@${project.id}`,
      name,
      scope: project.key,
      feeds,
      rereadSeconds,
      ...(notSeen.length > 0 && { notSeen }),
      isByUpdate: true,
      readFrom: typeof settings.since === 'string' ? secondsOfDay(settings.since) : undefined,
      basis: JSON.stringify([project.key, project.name, site.fields, statusesOf(site, project), ...basis]),
      ask: (next, { downTo }) => searchIssues(requests, site, this.#jqlOf(site, project, downTo), next),
      timeOf: (issue) => secondsOf(issue.object('fields').time('updated')),
      convert: (items) => this.#convert(site, items),
    });
  }

  /** No search says what is gone: an issue that was listed and is not any more is read by itself. */
  #deleted(site: JiraSite, project: JiraProject): Stream {
    const { requests } = this.#opening;
    const { name, feeds } = this.#use;
    return openThingsStream({
      id: `deleted_${name}@${project.id}`,
      name: `deleted ${name}`,
      scope: project.key,
      feeds,
      list: () => searchIds(requests, site, this.#jqlOf(site, project)),
      idOf: (issue) => issue.id('id'),
      convert: ({ length }) => ({ records: [], problems: [], ...(length > maxWatched && { notSeen: [unwatched] }) }),
      reread: (id) => this.#read(id, (found) => this.#use.without(found, id)),
    });
  }

  /** Webhooks of a whole site tell of projects that are not to be read, too. */
  reread({ reference }: Pick<ChangedObject, 'reference'>): Promise<Page> {
    return this.#read(String(reference), () => []);
  }

  /** An issue as it is now; `elsewhere` are the records of one that is not wanted, such as in another project. */
  async #read(id: string, elsewhere: (site: JiraSite) => readonly SourceRecords[]): Promise<Page> {
    const { requests, settings } = this.#opening;
    const site = await this.#readSite();
    const { issue, at } = await readIssue(requests, site, id);
    if (issue === undefined) return { records: this.#use.without(site, id), count: 1, at };
    const [whole] = await wholeIssues(requests, site, [issue]);
    if (!whole || whole instanceof UnknownShape) throw whole ?? new UnknownShape('issue is missing');
    const keys = textsIn(settings.projects);
    const key = whole.issue.object('fields').object('project').text('key');
    const isRead = keys.length === 0 || keys.some((one) => isSame(one, key));
    if (!isRead) return { records: elsewhere(site), count: 1, at };
    return { records: this.#use.recordsOf(site, whole), count: 1, at };
  }

  async #convert(site: JiraSite, items: readonly unknown[]): Promise<ConvertedItems> {
    const whole = await wholeIssues(this.#opening.requests, site, items);
    const { records, problems } = convertEach(whole, (one) => {
      if (one instanceof UnknownShape) throw one;
      return this.#use.recordsOf(site, one);
    });
    const isHidden = whole.some((one) => !(one instanceof UnknownShape) && hidesAddress(one.issue));
    return { records: together(records.flat()), problems, ...(isHidden && { notSeen: [hiddenAddresses] }) };
  }

  #jqlOf(site: JiraSite, project: JiraProject, downTo?: number): string {
    const wanted = [
      `project = ${project.id}`,
      ...(this.#use.jql === undefined ? [] : [this.#use.jql]),
      ...(downTo === undefined ? [] : [`updated >= "${jqlTime(downTo, site.zone)}"`]),
    ];
    return `${wanted.join(' AND ')} ORDER BY updated DESC, key DESC`;
  }

  #readSite(): Promise<JiraSite> {
    this.#site ??= readSite(this.#opening, this.#use);
    // A failure may pass: who asks next tries again.
    this.#site.catch(() => {
      this.#site = undefined;
    });
    return this.#site;
  }
}

/** So many of a project are remembered, to notice which of them are gone. */
const maxWatched = 1_000;
const unwatched: NotSeen = {
  why: 'window',
  what: 'Whether something is deleted is seen of the 1,000 that changed last alone',
  toDo: 'Make a webhook, which tells of each.',
};

const hidesAddress = (issue: Payload): boolean =>
  issue.objectOrNull('fields')?.objectOrNull('assignee')?.has('emailAddress') === false;

const hiddenAddresses: NotSeen = {
  why: 'hidden',
  what: 'Addresses of people are not shown: they are known by their accounts of Jira alone',
  toDo: 'Link those accounts to people in the directory, or let people show their address in their Atlassian profile.',
};

const unseenProject = (key: string): NotSeen => ({
  why: 'right',
  what: `The project ${key} is not seen`,
  toDo: 'Correct the setting projects, or give the account the permission Browse Projects in it.',
});

/** Those that the issues of a project can have: others may come and go. */
const statusesOf = ({ statuses }: JiraSite, project: JiraProject): readonly string[] =>
  statuses
    .filter(({ projectId }) => projectId === undefined || projectId === project.id)
    .map(({ id, category }) => `${id} ${category}`)
    .sort();

/** Records of each table at once, in the order in which the tables first come. */
function together(all: readonly SourceRecords[]): readonly SourceRecords[] {
  const tables = new Map<SourceRecords['table'], SourceRecords>();
  for (const { table, records, wholeSetsOf = [] } of all) {
    const before = tables.get(table);
    const sets = [...(before?.wholeSetsOf ?? []), ...wholeSetsOf];
    const joined = [...(before?.records ?? []), ...records];
    tables.set(table, { table, records: joined, ...(sets.length > 0 && { wholeSetsOf: sets }) });
  }
  return [...tables.values()];
}
