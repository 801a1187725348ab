import type { Answer, Requests } from '../host-port.ts';
import { itemsOf, offsetPage, readAll } from '../paging.ts';
import { Payload } from '../payload.ts';
import { type SettingValues, type SourceOpening, SourceProblem } from '../source.ts';
import type { StatusCategory } from './history.ts';
import { emailMissing } from './settings.ts';

/** A Jira, Cloud or Data Center, and what of it every issue is read with. */
export interface JiraSite {
  readonly isCloud: boolean;
  /** Below which its interface is. */
  readonly api: string;
  /** In ids. */
  readonly host: string;
  /** Below which its pages are. */
  readonly url: string;
  /** Of the account, and the time zone in which it writes times in JQL. */
  readonly account: string | null;
  readonly zone: string | null;
  readonly fields: CustomFields;
  readonly statuses: readonly JiraStatus[];
  /** Whether comments of issues are read. */
  readonly hasComments: boolean;
  /** The provider's clock, in seconds since 1970. */
  readonly at: number;
}

/** Ids of the fields that each site has made for itself. */
interface CustomFields {
  /** The first that an issue has counts. */
  readonly storyPoints: readonly string[];
  readonly sprint?: string;
  readonly services?: string;
}

interface JiraStatus {
  readonly id: string;
  readonly category: StatusCategory;
  /** The project that it is of; absent where several may use it. */
  readonly projectId?: string;
}

export interface JiraProject {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

/** Tokens with scopes are asked for here, whichever site they are of. */
const gateway = 'api.atlassian.com';

export async function readSite(
  { requests, settings, host }: Omit<SourceOpening, 'signal'>,
  { hasComments }: Pick<JiraSite, 'hasComments'>,
): Promise<JiraSite> {
  const hasEmail = typeof settings.email === 'string' && settings.email !== '';
  if (!hasEmail && (host === gateway || host.endsWith('.atlassian.net'))) throw emailMissing();
  const server = Payload.of((await requests.get('/rest/api/2/serverInfo')).body, 'server');
  const isCloud = server.textOrNull('deploymentType') === 'Cloud';
  if (isCloud && !hasEmail) throw emailMissing();
  const api = isCloud ? '/rest/api/3' : '/rest/api/2';
  const { body, at } = await requests.get(`${api}/myself`);
  const me = Payload.of(body, 'account');
  const url = server.textOrNull('baseUrl') ?? String(settings.base_url);
  return {
    isCloud,
    api,
    host: host === gateway && URL.canParse(url) ? new URL(url).host : host,
    url,
    account: me.textOrNull('displayName') ?? me.textOrNull('name'),
    zone: me.textOrNull('timeZone'),
    fields: customFields(itemsOf((await requests.get(`${api}/field`)).body), settings.story_points_field),
    statuses: itemsOf((await requests.get(`${api}/status`)).body).map(statusOf),
    hasComments,
    at,
  };
}

/** Several fields may have one name: those of a project that its team manages are its own. */
export function customFields(items: readonly unknown[], wanted: SettingValues[string] | undefined): CustomFields {
  const fields = items.map((item) => {
    const field = Payload.of(item, 'field');
    const schema = field.objectOrNull('schema');
    const kind = schema?.textOrNull('custom') ?? '';
    return { id: field.text('id'), name: field.textOrNull('name') ?? '', kind, type: schema?.textOrNull('type') };
  });
  const idsOf = (name: string) =>
    fields.filter((field) => isSame(field.name, name) && (field.type ?? 'number') === 'number').map(({ id }) => id);
  const named =
    typeof wanted === 'string'
      ? [...fields.filter(({ id }) => id === wanted).map(({ id }) => id), ...idsOf(wanted)]
      : undefined;
  const sprint = fields.find(({ kind }) => kind.endsWith(':gh-sprint'))?.id;
  const services = fields.find(
    ({ name, kind }) => isSame(name, 'Affected services') || kind.includes('service-entity'),
  )?.id;
  return {
    storyPoints: named ?? [...idsOf('Story Points'), ...idsOf('Story point estimate')],
    ...(sprint !== undefined && { sprint }),
    ...(services !== undefined && { services }),
  };
}

export function statusOf(item: unknown): JiraStatus {
  const status = Payload.of(item, 'status');
  const projectId = status.objectOrNull('scope')?.objectOrNull('project')?.textOrNull('id');
  return { id: status.id('id'), category: categoryIn(status), ...(projectId && { projectId }) };
}

const categories: ReadonlySet<unknown> = new Set(['new', 'indeterminate', 'done']);

/** Of a status: nothing where Jira puts it into none of the three. */
export function categoryIn(status: Payload): StatusCategory {
  const key = status.objectOrNull('statusCategory')?.textOrNull('key');
  return categories.has(key) ? (key as StatusCategory) : undefined;
}

const projectPage = 50;

/** The projects that the settings name, or all that the account sees; `missing` are keys that nobody sees. */
export async function chosenProjects(requests: Requests, { isCloud, api }: JiraSite, keys: readonly string[]) {
  const { items } = isCloud
    ? await readAll(async (next) => {
        const offset = Number(next ?? 0);
        const answer = await requests.get(`${api}/project/search`, {
          query: { startAt: offset, maxResults: projectPage },
        });
        return offsetPage(answer, { field: 'values', offset, isMore: !isLast(answer) });
      })
    : { items: itemsOf((await requests.get(`${api}/project`)).body) };
  const all = items.map((item): JiraProject => {
    const project = Payload.of(item, 'project');
    const key = project.text('key');
    return { id: project.id('id'), key, name: project.textOrNull('name') ?? key };
  });
  const isWanted = ({ key }: JiraProject) => keys.length === 0 || keys.some((one) => isSame(one, key));
  return {
    all,
    projects: all.filter(isWanted),
    missing: keys.filter((one) => !all.some(({ key }) => isSame(one, key))),
  };
}

const isLast = ({ body }: Answer): boolean => Payload.of(body, 'list of projects').isTrue('isLast');

export const noProjects = (missing: readonly string[]): SourceProblem =>
  missing.length > 0
    ? new SourceProblem(
        `None of the projects is seen: ${missing.slice(0, 5).join(', ')}`,
        'Correct the setting projects, or give the account the permission Browse Projects in them.',
      )
    : new SourceProblem('The account sees no project', 'Give it the permission Browse Projects in those to be read.');

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const textsIn = (value: SettingValues[string] | undefined): readonly string[] =>
  Array.isArray(value) ? value : [];
