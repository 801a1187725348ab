import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimeZone } from '../../../src/calendar.ts';
import { deriveSession, turnMinutes } from '../../../src/ingest/derive/session-totals.ts';
import { times } from '../../setup/how-long.ts';

const utc = TimeZone.named('UTC');
const session: Parameters<typeof deriveSession>[0] = {
  started_at: Date.parse('2024-03-01T20:00:00Z') / 1_000,
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_creation_tokens: null,
  given_active_minutes: null,
};
const at = (...seconds: (number | null)[]) => seconds.map((message_ts) => ({ message_ts }));
const minutesOf = (messages: readonly { readonly message_ts: number | null }[], given: number | null = null) =>
  deriveSession({ ...session, given_active_minutes: given }, messages, 0, 0, utc).active_minutes;

describe('a session', () => {
  test('A session is of the day it started, where the organisation is', () => {
    const dayIn = (zone: string) => deriveSession(session, [], 0, 0, TimeZone.named(zone)).date;
    expect([dayIn('UTC'), dayIn('Pacific/Auckland')]).toEqual(['2024-03-01', '2024-03-02']);
    expect(deriveSession({ ...session, started_at: null }, [], 0, 0, utc).date).toBeNull();
  });

  test('A session has as many tokens as all kinds together, and no number when none was reported', () => {
    const tokens = (said: Partial<typeof session>) =>
      deriveSession({ ...session, ...said }, [], 0, 0, utc).total_tokens;
    const four = { input_tokens: 1, output_tokens: 20, cache_read_tokens: 300, cache_creation_tokens: 4_000 };
    expect(tokens(four)).toBe(4_321);
    expect(tokens({ output_tokens: 20 })).toBe(20);
    expect(tokens({ input_tokens: 0 })).toBe(0);
    expect(tokens({})).toBeNull();
  });

  test('A session has as many files and commits as belong to it', () => {
    expect(deriveSession(session, [], 3, 2, utc)).toMatchObject({ files_edited: 3, commits_contributed: 2 });
    expect(deriveSession(session, [], 0, 0, utc)).toMatchObject({ files_edited: 0, commits_contributed: 0 });
  });
});

describe('active minutes', () => {
  test('Active minutes add up the gaps of at most five minutes between messages', () => {
    expect(minutesOf(at(0, 60, 360, 661, 691))).toBe((60 + 300 + 30) / 60);
  });

  test('Active minutes do not depend on the order of messages', () => {
    expect(minutesOf(at(691, 0, 661, 60, 360))).toBe(6.5);
  });

  test('Active minutes are none for one message, and missing without any that has a time', () => {
    expect(minutesOf(at(100))).toBe(0);
    expect(minutesOf(at(100, null))).toBe(0);
    expect(minutesOf(at(null))).toBeNull();
    expect(minutesOf([])).toBeNull();
  });

  test('Active minutes are what the source says when it says it', () => {
    expect(minutesOf(at(0, 60), 42)).toBe(42);
    expect(minutesOf(at(0, 60), 0)).toBe(0);
    expect(minutesOf([], 42)).toBe(42);
  });
});

describe('the minutes of a turn', () => {
  const message = (
    message_id: string,
    role: string | null,
    message_seq: number | null,
    message_ts: number | null,
    given_turn_minutes: number | null = null,
  ) => ({ message_id, role, message_seq, message_ts, given_turn_minutes });

  const conversation = [
    message('a', 'user', 1, 0),
    message('b', 'assistant', 2, 30),
    message('c', 'tool', 3, 90),
    message('d', 'user', 4, 600),
    message('e', 'assistant', 5, 720),
  ];

  test('The minutes of a turn run from a prompt to the last message before the next, and are missing elsewhere', () => {
    expect([...turnMinutes(conversation)].sort()).toEqual([
      ['a', 1.5],
      ['b', null],
      ['c', null],
      ['d', 2],
      ['e', null],
    ]);
  });

  test('The minutes of a turn do not depend on the order in which messages are read', () => {
    const expected = turnMinutes(conversation);
    fc.assert(
      fc.property(fc.shuffledSubarray(conversation, { minLength: 5 }), (messages) => {
        expect(turnMinutes(messages)).toEqual(expected);
      }),
      { numRuns: times(50) },
    );
  });

  test('The minutes of a turn are missing for a prompt that nothing answered, or that has no time', () => {
    const unanswered = [message('a', 'user', 1, 0), message('b', 'user', 2, 60), message('c', 'assistant', 3, 90)];
    expect(turnMinutes(unanswered).get('a')).toBeNull();
    expect(turnMinutes(unanswered).get('b')).toBe(0.5);
    const untimed = [message('a', 'user', 1, null), message('b', 'assistant', 2, 60)];
    expect(turnMinutes(untimed).get('a')).toBeNull();
  });

  test('The minutes of a turn pass over a last message without a time, and are never negative', () => {
    const untimed = [message('a', 'user', 1, 0), message('b', 'assistant', 2, 60), message('c', 'assistant', 3, null)];
    expect(turnMinutes(untimed).get('a')).toBe(1);
    expect(turnMinutes([message('a', 'user', 1, 60), message('b', 'assistant', 2, 0)]).get('a')).toBe(0);
  });

  test('The minutes of a turn are what the source says when it says it, for any message', () => {
    const minutes = turnMinutes([message('a', 'user', 1, 0, 7), message('b', 'assistant', 2, 60, 0)]);
    expect([minutes.get('a'), minutes.get('b')]).toEqual([7, 0]);
  });

  test('The minutes of a turn follow the place of messages first, then their time, then their identifier', () => {
    // By time alone, the answer would come before its prompt.
    expect(turnMinutes([message('b', 'assistant', 2, 30), message('a', 'user', 1, 40)]).get('a')).toBe(0);
    const unplaced = [message('z', 'user', null, 0), message('y', 'assistant', null, 60)];
    expect(turnMinutes(unplaced).get('z')).toBe(1);
    const sameSecond = [message('b', 'assistant', null, 0), message('a', 'user', null, 0)];
    expect(turnMinutes(sameSecond).get('a')).toBe(0);
    expect(turnMinutes([message('a', 'assistant', null, 0), message('b', 'user', null, 0)]).get('b')).toBeNull();
  });

  test('The minutes of a turn know a prompt however its role is written', () => {
    expect(turnMinutes([message('a', 'User', 1, 0), message('b', null, 2, 60)]).get('a')).toBe(1);
  });
});
