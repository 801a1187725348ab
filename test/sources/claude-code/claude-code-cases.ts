import { claudeCode } from '../../../src/sources/claude-code/claude-code.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

export const claudeNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const claudeToken = 'sk-of-nobody-in-particular';
/** The day so many days ago; yesterday is 1. */
export const day = (daysAgo: number): string =>
  new Date(Date.UTC(2026, 2, 31) - daysAgo * 86_400_000).toISOString().slice(0, 10);

type Fields = Record<string, unknown>;
/** Rows of an interface by day. */
export type ClaudeWorld = Map<string, Fields[]>;

const modelUse = (model: string, input: number, amount: number) => ({
  model,
  tokens: { input, output: 40, cache_read: 500, cache_creation: 60 },
  estimated_cost: { currency: 'USD', amount },
});

export const reportRow = (email: string, daysAgo: number, more: Fields = {}): Fields => ({
  date: `${day(daysAgo)}T00:00:00Z`,
  organization_id: '1234',
  actor: { type: 'user_actor', email_address: email },
  customer_type: 'api',
  terminal_type: 'vscode',
  core_metrics: {
    num_sessions: 3,
    lines_of_code: { added: 200 + daysAgo, removed: 30 },
    commits_by_claude_code: 2,
    pull_requests_by_claude_code: 1,
  },
  model_breakdown: [modelUse('model-a', 1_000, 150), modelUse('model-b', 100, 12.5)],
  tool_actions: { edit_tool: { accepted: 9, rejected: 2 }, write_tool: { accepted: 4, rejected: 1 } },
  ...more,
});

export const activityRow = (email: string, more: Fields = {}): Fields => ({
  user: { id: `user_${email.split('@')[0]}`, email_address: email, type: 'user' },
  chat_metrics: { message_count: 12 },
  claude_code_metrics: {
    core_metrics: {
      distinct_session_count: 2,
      commit_count: 1,
      pull_request_count: 0,
      lines_of_code: { added_count: 80, removed_count: 9 },
    },
    tool_actions: {
      edit_tool: { accepted_count: 7, rejected_count: 1 },
      write_tool: { accepted_count: 2, rejected_count: 0 },
    },
  },
  ...more,
});

const ada = 'ada@acme.example';
const bo = 'bo@acme.example';

const rowsOf = (world: ClaudeWorld, daysAgo: number): Fields[] => {
  const rows = world.get(day(daysAgo)) ?? [];
  world.set(day(daysAgo), rows);
  return rows;
};

/** Forty days of Ada, in two terminals; some of Bo, and of a key. */
function consoleWorld(): ClaudeWorld {
  const world: ClaudeWorld = new Map();
  for (let ago = 0; ago <= 40; ago += 1) {
    rowsOf(world, ago).push(reportRow(ada, ago), reportRow(ada, ago, { terminal_type: 'iTerm.app' }));
  }
  for (const ago of [1, 35]) rowsOf(world, ago).push(reportRow(bo, ago));
  rowsOf(world, 2).push(reportRow(ada, 2, { actor: { type: 'api_actor', api_key_name: 'nightly' } }));
  return world;
}

/** What is asked of an interface: whether its headers are right, its path, and the day. */
interface AskedDay {
  readonly path: string;
  readonly field: string;
}

/** A day a call, in pages by token, of two rows here. */
function dayAnswer(world: ClaudeWorld, { path, query, headers }: AskedRequest, { path: own, field }: AskedDay): Reply {
  const isKnown = headers['x-api-key'] === claudeToken && headers['anthropic-version'] === '2023-06-01';
  if (!isKnown) return { status: 401, body: {} };
  if (path !== own) return { status: 404, body: {} };
  const asked = query.get(field) ?? '';
  if (!/^\d{4}-\d\d-\d\d$/.test(asked) || Number(query.get('limit')) > 1_000) return { status: 400, body: {} };
  const rows = world.get(asked) ?? [];
  const start = Number(query.get('page')?.replace('page_', '') ?? 0);
  const end = start + 2;
  const hasMore = end < rows.length;
  return {
    status: 200,
    body: { data: rows.slice(start, end), has_more: hasMore, next_page: hasMore ? `page_${end}` : null },
  };
}

export const consoleAnswer = (world: ClaudeWorld, asked: AskedRequest): Reply =>
  dayAnswer(world, asked, { path: '/v1/organizations/usage_report/claude_code', field: 'starting_at' });

/** The newest days are not reported yet, and there are none before 2026. */
export function enterpriseAnswer(world: ClaudeWorld, asked: AskedRequest): Reply {
  const reply = dayAnswer(world, asked, { path: '/v1/organizations/analytics/users', field: 'date' });
  const wanted = asked.query.get('date') ?? '';
  const isReported = wanted >= '2026-01-01' && wanted <= day(3);
  return reply.status === 200 && !isReported
    ? { status: 400, body: { error: { type: 'invalid_request_error' } } }
    : reply;
}

const isDayBefore =
  (field: string, first: string) =>
  ({ query }: AskedRequest) => {
    const asked = query.get(field);
    // The day by which the interface is found out is none of them.
    return asked !== null && asked < first && asked !== '2026-01-05';
  };

export const consoleCase: ContractCase<ClaudeWorld> = {
  kind: claudeCode,
  form: 'of the Console',
  settings: { since: '2026-02-15' },
  secrets: { token: claudeToken },
  now: claudeNow,
  makeWorld: consoleWorld,
  answer: consoleAnswer,
  table: 'ai_copilot',
  orderedBy: 'date',
  rows: 43,
  // Which interface it is, and three days, of which two have a second page here.
  maxQuietRequests: 6,
  changes: {
    'a terminal that is reported late': { make: (world) => rowsOf(world, 3).push(reportRow(ada, 3)), rows: 43 },
    'a person who is reported late': { make: (world) => rowsOf(world, 2).push(reportRow(bo, 2)), rows: 44 },
    'a day that is corrected': {
      make: (world) => Object.assign(rowsOf(world, 1)[0] ?? {}, { model_breakdown: [modelUse('model-c', 9_000, 80)] }),
      rows: 43,
    },
    'a terminal that is taken back': { make: (world) => rowsOf(world, 2).splice(0, 1), rows: 43 },
  },
  broken: { isAsked: isDayBefore('starting_at', day(20)), minRows: 20 },
};

/** Thirty-five days of Ada, who is also on days that nobody is told of yet; Bo only chats. */
function enterpriseWorld(): ClaudeWorld {
  const world: ClaudeWorld = new Map();
  for (let ago = 1; ago <= 36; ago += 1) {
    const chatter = activityRow(bo, { claude_code_metrics: { core_metrics: { distinct_session_count: 0 } } });
    rowsOf(world, ago).push(activityRow(ada), chatter);
  }
  rowsOf(world, 4).push(activityRow('cy@acme.example'));
  return world;
}

export const enterpriseCase: ContractCase<ClaudeWorld> = {
  kind: claudeCode,
  form: 'of the Enterprise plan',
  settings: {},
  secrets: { token: claudeToken },
  now: claudeNow,
  makeWorld: enterpriseWorld,
  answer: enterpriseAnswer,
  table: 'ai_copilot',
  orderedBy: 'date',
  rows: 35,
  // The Console refuses, then which it is, seven days and the second page of one.
  maxQuietRequests: 10,
  changes: {
    'a person who is reported late': {
      make: (world) => rowsOf(world, 5).push(activityRow('cy@acme.example')),
      rows: 36,
    },
    'a day that is corrected': {
      make: (world) =>
        Object.assign(
          rowsOf(world, 3)[0] ?? {},
          activityRow(ada, {
            claude_code_metrics: {
              core_metrics: { distinct_session_count: 9, lines_of_code: { added_count: 4 } },
              tool_actions: { edit_tool: { accepted_count: 1, rejected_count: 3 } },
            },
          }),
        ),
      rows: 35,
    },
  },
  broken: { isAsked: isDayBefore('date', day(20)), minRows: 10 },
};
