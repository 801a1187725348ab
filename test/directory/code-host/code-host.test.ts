import { expect, test } from 'vitest';
import { codeHostOf } from '../../../src/directory/code-host/code-host.ts';

test('The members of a source have the accounts of the code host that its kind says', () => {
  expect(codeHostOf({ id: 's1', kind: 'github' }, { offboard_leavers: true })).toEqual({
    sourceId: 's1',
    host: 'github',
    offboardLeavers: true,
  });
  expect(codeHostOf({ id: 's2', kind: 'github-copilot' }, {}).host).toBe('github');
});

test('A source whose accounts are of no known code host can have no members', () => {
  expect(() => codeHostOf({ id: 's1', kind: 'git' }, {})).toThrow('the accounts of git are of no code host');
});
