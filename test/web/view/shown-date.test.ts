import { expect, test } from 'vitest';
import { shownDate } from '../../../web/src/view/shown-date.ts';

test('A day has its year, in the time zone of the organisation, and is never broken', () => {
  expect(shownDate('2026-11-16T23:30:00Z', 'Europe/Vienna')).toBe('17\u00a0Nov\u00a02026');
  expect(shownDate(null, 'UTC')).toBe('–');
  expect(shownDate('soon', 'UTC')).toBe('soon');
});
