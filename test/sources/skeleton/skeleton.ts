import { secondsOfDay } from '../../../src/calendar.ts';
import { hostedId } from '../../../src/catalogue/record-ids.ts';
import type { Requests } from '../../../src/sources/host-port.ts';
import { offsetPage, type PageOfList, readAll, secondsOf, tokenPage } from '../../../src/sources/paging.ts';
import { convertEach, Payload } from '../../../src/sources/payload.ts';
import type {
  ChangedObject,
  Check,
  OpenSource,
  Page,
  SourceKind,
  SourceOpening,
  Stream,
} from '../../../src/sources/source.ts';
import { allowHostsField, keepFreeField } from '../../../src/sources/source-settings.ts';
import { ListedBefore } from '../../../src/sources/streams/listed-before.ts';
import { type ConvertedItems, newestFirstStream } from '../../../src/sources/streams/newest-first-stream.ts';
import { isPathName, objectsIn } from '../../../src/sources/webhooks.ts';

/*
 * A whole source in the order in which it is read: settings, requests, conversion, streams, and the kind that joins them.
 * Copy it, and put in what your provider says. It is tried with every other source (contract.test.ts).
 */

/** The provider's clock is what `at` of an answer says; ours is used for nothing. */
const rereadSeconds = 3_600;

class OpenTracker implements OpenSource {
  readonly #requests: Requests;
  readonly #host: string;
  readonly #wanted: readonly string[];
  readonly #readFrom: number | undefined;
  readonly #listedBefore: ListedBefore<{ readonly id: string }>;

  constructor({ requests, host, memory, settings: { projects, since } }: SourceOpening) {
    this.#requests = requests;
    this.#host = host;
    this.#wanted = Array.isArray(projects) ? projects : [];
    this.#readFrom = typeof since === 'string' ? secondsOfDay(since) : undefined;
    this.#listedBefore = new ListedBefore(memory, (_, object) => this.reread(object));
  }

  /** Everything that a sync asks, each once. What is missing says what to do about it. */
  async check(): Promise<Check> {
    const projects = await this.#projects();
    const missing: string[] = [];
    for (const project of projects) {
      const { status } = await this.#requests.get(`/projects/${project}/issues`, {
        query: { size: 1 },
        alsoGood: [403],
      });
      if (status === 403) missing.push(`Issues of ${project} cannot be read: give the token the scope issues`);
    }
    return { sees: [`${projects.length} projects`], missing };
  }

  /** One for each kind of thing of each project: one that is refused stops no other. */
  async *streams(): AsyncIterable<Stream> {
    for (const project of await this.#projects()) {
      yield newestFirstStream({
        id: `issues@${project}`,
        name: 'issues',
        scope: project,
        feeds: ['issues'],
        rereadSeconds,
        isByUpdate: true,
        watched: {
          key: 'issues',
          kind: 'issue',
          referenceOf: (issue) => issue.id('id'),
          missingFrom: (read) => this.#listedBefore.missingFrom({ id: project }, read),
        },
        readFrom: this.#readFrom,
        ask: (next) => this.#issues(project, next),
        timeOf: (issue) => secondsOf(issue.time('updated')),
        convert: (issues) => convertIssues(this.#host, issues),
      });
    }
  }

  /** What a webhook has named, as it is now. What is gone is removed. */
  async reread({ reference }: Pick<ChangedObject, 'reference'>): Promise<Page> {
    const { status, body, at } = await this.#requests.get(`/issues/${reference}`, { alsoGood: [404] });
    if (status !== 404) return { ...convertIssues(this.#host, [body]), count: 1, at };
    const gone = { issue_id: issueId(this.#host, String(reference)), _deleted: true };
    return { records: [{ table: 'issues', records: [gone] }], count: 1, at };
  }

  async #projects(): Promise<readonly string[]> {
    const { items } = await readAll(async (next) => {
      const offset = Number(next ?? 0);
      const answer = await this.#requests.get('/projects', { query: { offset } });
      const total = Payload.of(answer.body, 'projects').integer('total');
      return offsetPage(answer, { field: 'projects', offset, isMore: offset + 2 < total, total });
    });
    const names = Payload.listOf(items, 'project').map((project) => project.text('key'));
    return this.#wanted.length === 0 ? names : names.filter((name) => this.#wanted.includes(name));
  }

  async #issues(project: string, token: PageOfList['next']): Promise<PageOfList> {
    const query = typeof token === 'string' ? { page_token: token } : {};
    const answer = await this.#requests.get(`/projects/${project}/issues`, { query });
    return tokenPage(answer, { field: 'issues', token: 'next_page_token' });
  }
}

/** By the number, which never changes; the key moves with the project. */
const issueId = (host: string, id: string): string => hostedId('tracker', host, id);

/** Pure: no request and no clock. A field that is not as it is published becomes a problem that names it. */
function convertIssues(host: string, payloads: readonly unknown[]): ConvertedItems {
  const { records, problems } = convertEach(payloads, (payload) => {
    const issue = Payload.of(payload, 'issue');
    const assignee = issue.objectOrNull('assignee');
    return {
      issue_id: issueId(host, issue.id('id')),
      issue_key: issue.text('key'),
      issue_title: issue.textOrNull('title'),
      source: 'tracker',
      created_at: issue.time('created'),
      completed_at: issue.timeOrNull('closed'),
      ticket_status: issue.has('closed') ? 'completed' : 'backlog',
      person_login: assignee?.text('login') ?? null,
    };
  });
  return { records: [{ table: 'issues', records }], problems };
}

export const tracker: SourceKind = {
  kind: 'tracker',
  label: 'Tracker',
  meaning: 'Issues of a tracker that does not exist: the source that others are copied from.',
  accounts: 'own',
  settings: [
    {
      name: 'base_url',
      label: 'Address',
      meaning: 'address of its API',
      type: 'address',
      usual: 'https://tracker.example',
    },
    {
      name: 'token',
      label: 'Token',
      meaning: 'token that may read issues',
      type: 'text',
      isSecret: true,
      isRequired: true,
    },
    { name: 'projects', label: 'Projects', meaning: 'keys (all that the token sees when unset)', type: 'list' },
    { name: 'since', label: 'Since', meaning: 'nothing older is read (the whole history when unset)', type: 'date' },
    keepFreeField,
    allowHostsField,
  ],
  // Without it: Authorization: Bearer, with the setting token.
  authorization: ({ token }) => ({ 'x-api-key': String(token) }),
  webhook: {
    token: { header: 'x-tracker-token' },
    deliveryHeader: 'x-tracker-delivery',
    objectsOf: objectsIn((_, payload) => {
      const id = payload.object('issue').id('id');
      return isPathName(id) ? { id: `issue@${id}`, kind: 'issue', scope: '', reference: id } : undefined;
    }),
  },
  open: (opening) => new OpenTracker(opening),
};
