import { expect, test } from 'vitest';
import { firstRequest, type KeyLine } from '../../../web/src/pages/settings/keys/questions.ts';
import { expiryChoices, keysSentence } from '../../../web/src/pages/settings/keys/words.ts';

const now = new Date('2026-11-16T12:00:00Z');
const key = (more: Partial<KeyLine>): KeyLine => ({
  id: 'k',
  name: 'CI',
  prefix: 'plumb_…x7Qa',
  creator: { id: 'p', name: 'Ada' },
  role: 'Owner',
  status: 'active',
  created_at: '2026-11-15T12:00:00Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  is_own: true,
  ...more,
});

test('The first request is ready to be pasted, with the key and the last thirty days', () => {
  const text = firstRequest({ key: 'plumb_secret' }, 'https://plumb.example/', '2026-11-16');
  expect(text).toContain("curl -s 'https://plumb.example/metrics/pull-requests-count'");
  expect(text).toContain("-H 'Authorization: plumb_secret'");
  expect(text).toContain('{"filters":{"start_date":"2026-10-18","end_date":"2026-11-16"}}');
});

test('A key can be made for a number of days or until it is revoked', () => {
  expect(expiryChoices('2026-11-16')).toEqual([
    ['2026-12-16', '30 days'],
    ['2027-02-14', '90 days'],
    ['2027-11-16', 'a year'],
    ['', 'until it is revoked'],
  ]);
});

test('The sentence counts keys that work, and those that nobody used for thirty days', () => {
  expect(keysSentence({ keys: [] }, true, now)).toBe('No key works at the moment.');
  expect(keysSentence({ keys: [key({ status: 'revoked' })] }, false, now)).toBe('You have no key that works.');
  expect(keysSentence({ keys: [key({})] }, false, now)).toBe('1 key of yours works.');
  const idle = key({ created_at: '2026-01-01T00:00:00Z', last_used_at: '2026-10-01T00:00:00Z' });
  expect(keysSentence({ keys: [key({}), idle] }, true, now)).toBe(
    '2 keys in the organisation work. 1 was not used for 30 days.',
  );
  const neverUsed = key({ created_at: '2026-01-01T00:00:00Z' });
  expect(keysSentence({ keys: [neverUsed] }, true, now)).toBe(
    '1 key in the organisation works. It was not used for 30 days.',
  );
});
