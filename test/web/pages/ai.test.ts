import { describe, expect, test } from 'vitest';
import { noFilters } from '../../../web/src/ask/view-state.ts';
import {
  comparedQuestion,
  comparedRows,
  costPerPerson,
  costQuestion,
  toolLines,
  toolsByCost,
  unknownCostWords,
  usageRows,
} from '../../../web/src/pages/ai/questions.ts';
import {
  coveredWords,
  idleOf,
  seatsIn,
  seatsQuestion,
  sessionsByAgent,
  sessionUseQuestion,
} from '../../../web/src/pages/ai/seats.ts';
import { inOrder, keptShare, messagesQuestion, sessionInWords } from '../../../web/src/pages/ai-session/questions.ts';
import { aView } from './a-view.ts';

describe('seats', () => {
  const day = (merged_user_id: string | null, source: string, adopted_users: number) => ({
    merged_user_id,
    source,
    adopted_users,
  });

  const session = (merged_user_id: string | null, agent_slug: string, posthook_sessions_count = 1) => ({
    merged_user_id,
    agent_slug,
    posthook_sessions_count,
  });

  test('Seats are people, used where any of their tools is', () => {
    const days = [day('a', 'cursor', 1), day('a', 'copilot', 0), day('b', 'copilot', 0)];
    const { all, idle, byTool } = seatsIn(days, []);
    expect(all).toEqual({ seats: 2, active: 1 });
    expect(idleOf(all)).toBe(1);
    expect(idle).toEqual(['b']);
    expect(byTool.get('copilot')).toEqual({ seats: 2, active: 0 });
  });

  test('Seats are used by coding sessions too, also one without code, but only the seat of that tool by itself', () => {
    const days = [day('a', 'cursor', 0), day('b', 'cursor', 0), day('b', 'codex', 0), day('c', 'cursor', 0)];
    const { all, idle, byTool } = seatsIn(days, [session('a', 'claude-code'), session('b', 'codex', 0)]);
    expect(all).toEqual({ seats: 3, active: 2 });
    expect(idle).toEqual(['c']);
    expect(byTool.get('cursor')).toEqual({ seats: 3, active: 0 });
    expect(byTool.get('codex')).toEqual({ seats: 1, active: 1 });
  });

  test('Seats come with a day that is recorded: who only has sessions has none, and neither has a bot', () => {
    expect(seatsIn([{ ...day('bot', 'cursor', 0), is_bot: true }], [session('a', 'codex')]).all).toEqual({
      seats: 0,
      active: 0,
    });
  });

  test('Seats of one person with two accounts are one', () => {
    const days = [
      { ...day('a', 'cursor', 0), person_login: 'ada' },
      { ...day('a', 'cursor', 1), person_login: 'ada-work' },
    ];
    expect(seatsIn(days, [])).toMatchObject({ all: { seats: 1, active: 1 }, idle: [] });
    expect(seatsIn(days, []).byTool.get('cursor')).toEqual({ seats: 1, active: 1 });
  });

  test('Seats of accounts that nobody knows are counted apart', () => {
    const of = (person_login: string) => ({ ...day(null, 'cursor', 1), person_login });
    const found = seatsIn([of('x'), of('x'), of('y')], []);
    expect([found.all, found.unknownAccounts]).toEqual([{ seats: 0, active: 0 }, 2]);
  });

  test('Seats and sessions are asked by the same people: a filter by repository would take the sessions alone', () => {
    const view = aView({ filters: { ...noFilters, team: ['t'], repository: ['o/r'], person: [] } });
    const asked = [seatsQuestion(view, view.window), sessionUseQuestion(view, view.window)];
    expect(new Set(asked.map(({ body }) => JSON.stringify(body.filters))).size).toBe(1);
    expect(asked[0]?.body.filters).not.toHaveProperty('repositories');
  });

  test('Every tool that has rows has a line, with its sessions and the people who had them', () => {
    const sessions = sessionsByAgent([session('a', 'codex', 3), session('b', 'codex', 0), session(null, 'cursor', 2)]);
    const days = usageRows(
      [
        { source: 'cursor', adopted_users: 1 },
        { source: 'idle-tool', adopted_users: 0 },
      ],
      'tool',
    );
    expect(toolLines(days, sessions).map(({ tool, people, sessions: use }) => [tool, people, use])).toEqual([
      ['cursor', 1, { sessions: 2, people: 0 }],
      ['idle-tool', 0, undefined],
      ['codex', null, { sessions: 3, people: 2 }],
    ]);
  });

  test('Totals say what they are of', () => {
    expect(coveredWords(['github-copilot', 'cursor'], ['codex'], 1)).toBe(
      'Seats, tokens and cost cover Cursor and GitHub Copilot. Coding sessions of Codex count as use of a seat. Their tokens and cost aren’t in the totals. 1 unmatched account isn’t counted as seats.',
    );
    expect(coveredWords([], [], 0)).toBe('');
  });
});

describe('cost', () => {
  const used = (source: string, cost: number, n: number) => ({
    source,
    adopted_users: 3,
    sum_ai_total_cost: cost,
    n_ai_total_cost: n,
  });
  const rows = [used('cursor', 30, 9), used('github-copilot', 0, 0)];

  test('Cost per person is nothing, not zero, where nobody used AI or nothing says what it costs', () => {
    expect(costPerPerson({ sum_ai_total_cost: 30, n_ai_total_cost: 9, adopted_users: 4 }).each).toBe(7.5);
    expect(costPerPerson({ sum_ai_total_cost: 30, n_ai_total_cost: 9, adopted_users: 0 }).each).toBeNull();
    expect(costPerPerson({ sum_ai_total_cost: 0, n_ai_total_cost: 0, adopted_users: 4 }).each).toBeNull();
    expect(costPerPerson(undefined).each).toBeNull();
  });

  test('Cost that a tool does not report is not known, and is called so', () => {
    expect(usageRows(rows, 'tool').map(({ cost }) => cost)).toEqual([30, null]);
    expect(unknownCostWords(toolsByCost(rows).unknown)).toBe('GitHub Copilot reports no cost');
    expect(unknownCostWords(toolsByCost(rows.slice(0, 1)).unknown)).toBeUndefined();
  });

  test('Cost is divided by the people of the tools that report it', () => {
    const view = aView();
    expect(costQuestion(view, toolsByCost(rows), view.window).body.filters.ai_copilot_sources).toEqual(['cursor']);
    const all = costQuestion(view, toolsByCost(rows.slice(0, 1)), view.window);
    expect(all.body.filters).not.toHaveProperty('ai_copilot_sources');
  });
});

test('Days without use are no model of their own', () => {
  const row = { source: 'cursor', model: null, adopted_users: 0 };
  expect(usageRows([row, { ...row, model: 'gpt-5', adopted_users: 2 }], 'model').map(({ model }) => model)).toEqual([
    'gpt-5',
  ]);
  expect(usageRows([row], 'tool')).toHaveLength(1);
});

test('With and without AI are asked by the merge and stand beside each other with their n', () => {
  const { body } = comparedQuestion(aView());
  expect(Object.values(body.date_fields as object).every((date) => date === 'merged_at')).toBe(true);
  const [cycle] = comparedRows([
    { is_ai_assisted: false, median_cycle_time: 50, n_cycle_time: 9 },
    { is_ai_assisted: true, median_cycle_time: 70, n_cycle_time: 3 },
  ]);
  expect(cycle).toMatchObject({ with: { value: 70, n: 3 }, without: { value: 50, n: 9 } });
});

describe('a session', () => {
  const session = { session_id: 's', date: '2026-11-02', agent_slug: 'codex', model_slug: null, repo_name: 'acme/web' };

  test('A session has its parts looked for on its own day', () => {
    expect(messagesQuestion(session).body.filters).toEqual({
      session_id: 's',
      start_date: '2026-11-02',
      end_date: '2026-11-02',
    });
  });

  test('A session is named by what is known of it', () => {
    expect(sessionInWords(session)).toBe('Codex in acme/web');
  });

  test('A session has messages in the order of their numbers', () => {
    const messages = [{ message_seq: 10 }, { message_seq: 2 }, { message_seq: 2, message_ts: '2026' }];
    expect(inOrder(messages).map(({ message_seq }) => message_seq)).toEqual([2, 2, 10]);
  });

  test('A session keeps no share of lines that were never made', () => {
    expect(keptShare({ generated_lines: 0, committed_lines: 0 })).toBeNull();
    expect(keptShare({ generated_lines: 10, committed_lines: 4 })).toBe(0.4);
  });
});
