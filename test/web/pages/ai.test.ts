import { describe, expect, test } from 'vitest';
import {
  comparedQuestion,
  comparedRows,
  costPerPerson,
  costQuestion,
  idleOf,
  seatsIn,
  toolsByCost,
  unknownCostWords,
  usageRows,
} from '../../../web/src/pages/ai/questions.ts';
import { inOrder, keptShare, messagesQuestion, sessionInWords } from '../../../web/src/pages/ai-session/questions.ts';
import { aView } from './a-view.ts';

describe('seats', () => {
  const day = (merged_user_id: string | null, source: string, adopted_users: number) => ({
    merged_user_id,
    source,
    adopted_users,
  });

  test('are people, active where any of their tools is', () => {
    const { all, idle, byTool } = seatsIn([day('a', 'cursor', 1), day('a', 'copilot', 0), day('b', 'copilot', 0)]);
    expect(all).toEqual({ seats: 2, active: 1 });
    expect(idleOf(all)).toBe(1);
    expect(idle).toEqual(['b']);
    expect(byTool.get('copilot')).toEqual({ seats: 2, active: 0 });
  });

  test('of accounts that nobody knows are not counted as one person', () => {
    expect(seatsIn([day(null, 'cursor', 3)]).all).toEqual({ seats: 0, active: 0 });
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

  test('per person is nothing, not zero, where nobody used AI or nothing says what it costs', () => {
    expect(costPerPerson({ sum_ai_total_cost: 30, n_ai_total_cost: 9, adopted_users: 4 }).each).toBe(7.5);
    expect(costPerPerson({ sum_ai_total_cost: 30, n_ai_total_cost: 9, adopted_users: 0 }).each).toBeNull();
    expect(costPerPerson({ sum_ai_total_cost: 0, n_ai_total_cost: 0, adopted_users: 4 }).each).toBeNull();
    expect(costPerPerson(undefined).each).toBeNull();
  });

  test('that a tool does not report is not known, and is called so', () => {
    expect(usageRows(rows, 'tool').map(({ cost }) => cost)).toEqual([30, null]);
    expect(unknownCostWords(toolsByCost(rows).unknown)).toBe('github-copilot reports no cost');
    expect(unknownCostWords(toolsByCost(rows.slice(0, 1)).unknown)).toBeUndefined();
  });

  test('is divided by the people of the tools that report it', () => {
    const view = aView();
    expect(costQuestion(view, toolsByCost(rows), view.window).body.filters.ai_copilot_sources).toEqual(['cursor']);
    const all = costQuestion(view, toolsByCost(rows.slice(0, 1)), view.window);
    expect(all.body.filters).not.toHaveProperty('ai_copilot_sources');
  });
});

test('days without use are no model of their own', () => {
  const row = { source: 'cursor', model: null, adopted_users: 0 };
  expect(usageRows([row, { ...row, model: 'gpt-5', adopted_users: 2 }], 'model').map(({ model }) => model)).toEqual([
    'gpt-5',
  ]);
  expect(usageRows([row], 'tool')).toHaveLength(1);
});

test('with and without AI are asked by the merge and stand beside each other with their n', () => {
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

  test('has its parts looked for on its own day', () => {
    expect(messagesQuestion(session).body.filters).toEqual({
      session_id: 's',
      start_date: '2026-11-02',
      end_date: '2026-11-02',
    });
  });

  test('is named by what is known of it', () => {
    expect(sessionInWords(session)).toBe('codex in acme/web');
  });

  test('has messages in the order of their numbers', () => {
    const messages = [{ message_seq: 10 }, { message_seq: 2 }, { message_seq: 2, message_ts: '2026' }];
    expect(inOrder(messages).map(({ message_seq }) => message_seq)).toEqual([2, 2, 10]);
  });

  test('keeps no share of lines that were never made', () => {
    expect(keptShare({ generated_lines: 0, committed_lines: 0 })).toBeNull();
    expect(keptShare({ generated_lines: 10, committed_lines: 4 })).toBe(0.4);
  });
});
