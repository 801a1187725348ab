import { describe, expect, test } from 'vitest';
import { isSomebodyElse } from '../../../src/ingest/derive/pull-request-timings.ts';

const ada = { actor: 'ada', isBot: false };
const bo = { actor: 'bo', isBot: false };
const nobody = { actor: null, isBot: false };
const robot = { actor: 'robot', isBot: true };

describe('somebody else', () => {
  test.each([
    ['another person', bo, ada, true],
    ['the author', ada, ada, false],
    ['a bot', robot, ada, false],
    ['a bot without a name', { actor: null, isBot: true }, ada, false],
    ['a person whose name is gone', nobody, ada, true],
    ['a person, where the author’s name is gone', bo, nobody, true],
    ['a person whose name is gone, where the author’s is too', nobody, nobody, true],
    ['a person, on the pull request of a bot', ada, robot, true],
    ['the bot itself, on its own pull request', robot, robot, false],
  ])('%s', (_, somebody, author, expected) => {
    expect(isSomebodyElse(somebody, author)).toBe(expected);
  });
});
