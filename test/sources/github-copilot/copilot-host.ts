import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a host on loopback has to say about the Copilot of the organisation `acme`. Values are invented. */
export interface CopilotWorld {
  /** Entries of reports by day; absent on a host that has no reports. */
  reports?: Map<string, readonly unknown[]>;
  /** The last day of the newest report, and how many files that has. */
  lastDay?: string;
  files?: number;
  seats?: readonly unknown[];
  /** Reports of who is in which team, by day. */
  teamReports?: Map<string, readonly unknown[]>;
  /** Teams of the organisation; absent where the token may not see them. */
  teams?: readonly { readonly slug: string; readonly name: string }[];
  /** Days of the older interfaces. */
  metrics?: readonly unknown[];
  usage?: readonly unknown[];
  /** How files are written: a document on each line, or one document with `day_totals`. */
  form?: 'lines' | 'document';
  areLatestFilesRefused?: boolean;
  /** Statuses to answer with instead, by a part of the path; `limited` is a 403 that is a limit, once. */
  instead?: Map<string, number | 'limited'>;
}

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
}

export const today = Date.parse('2026-03-31T12:00:00Z');
const daysOfLatest = 28;

/** GitHub, and another host for its report files, over real HTTP. */
export class CopilotHost {
  readonly world: CopilotWorld;
  readonly asked: Asked[] = [];
  readonly askedForFiles: Asked[] = [];
  readonly #github: Server;
  readonly #files: Server;

  private constructor(world: CopilotWorld) {
    this.world = world;
    this.#github = createServer((request, response) => this.#answer(request, response));
    this.#files = createServer((request, response) => this.#file(request, response));
  }

  static async start(world: CopilotWorld): Promise<CopilotHost> {
    const host = new CopilotHost(world);
    for (const server of [host.#github, host.#files]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    return host;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#github.address() as AddressInfo).port}`;
  }

  get fileHost(): string {
    return `127.0.0.1:${(this.#files.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const server of [this.#github, this.#files]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.baseUrl);
    this.asked.push({ path: `${url.pathname}${url.search}`, authorization: request.headers.authorization });
    const { status, body, headers } = this.#instead(url) ?? this.#reply(url, request.headers['if-none-match']);
    response.writeHead(status, { date: new Date(today).toUTCString(), 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  #instead({ pathname }: URL): Reply | undefined {
    const [part, status] = [...(this.world.instead ?? [])].find(([name]) => pathname.includes(name)) ?? [];
    if (part === undefined || status === undefined) return undefined;
    if (status !== 'limited') return { status, body: { message: 'the words of the host' } };
    this.world.instead?.delete(part);
    const body = { message: 'You have exceeded a secondary rate limit' };
    return { status: 403, body, headers: { 'retry-after': '0' } };
  }

  #reply(url: URL, etag: string | undefined): Reply {
    const { seats, metrics, usage, reports, lastDay = '2026-03-30', files = 1 } = this.world;
    const path = url.pathname.replace('/orgs/acme/copilot', '');
    if (path === '/user') return { status: 200, body: { login: 'ada' } };
    if (path === '/billing') return { status: 200, body: { seat_breakdown: { total: seats?.length ?? 0 } } };
    if (path === '/billing/seats' && seats) return seatsPage(seats, url, etag);
    if (path === '/metrics' && metrics) return { status: 200, body: metrics };
    if (path === '/usage' && usage) return { status: 200, body: usage };
    if (path === '/metrics/reports/users-28-day/latest' && reports) {
      const links = Array.from({ length: files }, (_, file) => this.#link(`latest/${lastDay}/${file}`));
      const firstDay = shifted(lastDay, 1 - daysOfLatest);
      return { status: 200, body: { download_links: links, report_start_day: firstDay, report_end_day: lastDay } };
    }
    if (url.pathname === '/orgs/acme/teams' && this.world.teams) return { status: 200, body: this.world.teams };
    const day = url.searchParams.get('day');
    if (path === '/metrics/reports/user-teams-1-day' && this.world.teamReports && day !== null) {
      if (!this.world.teamReports.has(day)) return { status: 204 };
      return { status: 200, body: { download_links: [this.#link(`teams/${day}`)], report_day: day } };
    }
    if (path === '/metrics/reports/users-1-day' && reports && day !== null) {
      if (!reports.has(day)) return { status: 204 };
      return { status: 200, body: { download_links: [this.#link(`day/${day}`)], report_day: day } };
    }
    return { status: 404, body: { message: 'Not Found' } };
  }

  #link = (name: string): string => `http://${this.fileHost}/${name}.ndjson?signature=good`;

  #file(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.askedForFiles.push({ path, authorization: request.headers.authorization });
    const isRefused = this.world.areLatestFilesRefused && path.startsWith('/latest/');
    if (!path.endsWith('?signature=good') || isRefused) {
      response.writeHead(403).end();
      return;
    }
    const [, kind, day = '', file] = /^\/(latest|day|teams)\/([\d-]+)(?:\/(\d+))?\.ndjson/.exec(path) ?? [];
    const { files = 1, form = 'lines', reports = new Map<string, readonly unknown[]>() } = this.world;
    const firstDay = shifted(day, 1 - daysOfLatest);
    const ofDay = kind === 'teams' ? this.world.teamReports : reports;
    const entries =
      kind !== 'latest'
        ? (ofDay?.get(day) ?? [])
        : [...reports]
            .filter(([other]) => other >= firstDay && other <= day)
            .flatMap(([, some]) => some)
            .filter((_, index) => index % files === Number(file));
    // A document on each line is no JSON, whatever it is called.
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      form === 'lines'
        ? entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
        : JSON.stringify({ report_end_day: day, day_totals: entries }, null, 2),
    );
  }
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function seatsPage(seats: readonly unknown[], url: URL, knownEtag: string | undefined): Reply {
  const [size, page] = [Number(url.searchParams.get('per_page')), Number(url.searchParams.get('page') ?? 1)];
  const etag = `"${JSON.stringify(seats).length}-${page}"`;
  if (knownEtag === etag) return { status: 304, headers: { etag } };
  const link = `<https://api.github.com${url.pathname}?per_page=${size}&page=${page + 1}>; rel="next"`;
  const hasNext = page * size < seats.length;
  const body = { total_seats: seats.length, seats: seats.slice((page - 1) * size, page * size) };
  return { status: 200, body, headers: { etag, ...(hasNext && { link }) } };
}

export const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const totals = (numbers: Partial<Record<string, number>>) => ({
  user_initiated_interaction_count: 0,
  code_generation_activity_count: 0,
  code_acceptance_activity_count: 0,
  loc_suggested_to_add_sum: 0,
  loc_suggested_to_delete_sum: 0,
  loc_added_sum: 0,
  loc_deleted_sum: 0,
  ...numbers,
});

/** An entry of a report: completions, a chat, an inline edit, and what an agent did by itself. */
export const userDay = (login: string, day: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  report_start_day: day,
  report_end_day: day,
  day,
  organization_id: '77',
  user_id: 5,
  user_login: login,
  ...totals({
    user_initiated_interaction_count: 11,
    code_generation_activity_count: 27,
    code_acceptance_activity_count: 9,
    loc_suggested_to_add_sum: 70,
    loc_added_sum: 125,
    loc_deleted_sum: 4,
  }),
  totals_by_ide: [],
  totals_by_feature: [
    {
      feature: 'code_completion',
      ...totals({
        code_generation_activity_count: 20,
        code_acceptance_activity_count: 8,
        loc_suggested_to_add_sum: 60,
        loc_added_sum: 25,
      }),
    },
    {
      feature: 'chat_panel_ask_mode',
      ...totals({
        user_initiated_interaction_count: 4,
        code_generation_activity_count: 3,
        code_acceptance_activity_count: 1,
        loc_suggested_to_add_sum: 10,
      }),
    },
    { feature: 'chat_inline', ...totals({ user_initiated_interaction_count: 2 }) },
    { feature: 'chat_panel_agent_mode', ...totals({ user_initiated_interaction_count: 5 }) },
    { feature: 'agent_edit', ...totals({ code_generation_activity_count: 4, loc_added_sum: 100, loc_deleted_sum: 4 }) },
  ],
  totals_by_language_feature: [
    { language: 'typescript', feature: 'code_completion', ...totals({ code_generation_activity_count: 15 }) },
    { language: 'others', feature: 'others', ...totals({ code_generation_activity_count: 90 }) },
    { language: 'sql', feature: 'code_completion', ...totals({ code_generation_activity_count: 5 }) },
  ],
  totals_by_model_feature: [
    { model: 'model-b', feature: 'chat_panel_ask_mode', ...totals({ user_initiated_interaction_count: 4 }) },
    { model: 'model-a', feature: 'chat_panel_agent_mode', ...totals({ user_initiated_interaction_count: 5 }) },
    { model: 'auto', feature: 'agent_edit', ...totals({ code_generation_activity_count: 40 }) },
  ],
  used_agent: true,
  used_chat: true,
  ...changes,
});

export const seat = (login: string, lastActivity: string | null) => ({
  created_at: '2026-01-03T09:00:00Z',
  pending_cancellation_date: null,
  last_activity_at: lastActivity,
  last_activity_editor: 'vscode/1.99.0/copilot/1.308.0',
  assignee: { login, id: 5, type: 'User' },
});

/** A row of a report of teams. */
export const inTeam = (slug: string, login: string | null, day = '2026-03-30') => ({
  user_id: 5,
  user_login: login,
  day,
  organization_id: '77',
  team_id: slug.length,
  slug,
});
