import { describe, expect, test } from 'vitest';
import { isActiveDay } from '../../../src/ingest/derive/row-derivations.ts';

describe('a day with an assistant', () => {
  test.each([
    'suggested_lines',
    'accepted_lines',
    'ai_lines',
    'accepts',
    'rejects',
    'chat_requests',
    'composer_requests',
    'agent_requests',
    'cmd_k_usages',
    'tokens',
  ])('A day with an assistant is active by its %s', (number) => {
    expect(isActiveDay({ [number]: 1 })).toBe(true);
    expect(isActiveDay({ [number]: 0 })).toBe(false);
    expect(isActiveDay({ [number]: null })).toBe(false);
  });

  test('A day with an assistant is a seat that lay idle when nothing was counted', () => {
    expect(isActiveDay({})).toBe(false);
  });

  test('A day with an assistant is not active by what the person wrote alone, nor by what the seat costs', () => {
    const idle = { lines_added: 400, lines_deleted: 20, cost_usd: 0.6, accepts: 0 };
    expect(isActiveDay(idle)).toBe(false);
  });
});
