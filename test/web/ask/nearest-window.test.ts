import { expect, test } from 'vitest';
import { nearestWindow } from '../../../web/src/ask/nearest-window.ts';

const week = { start: '2025-03-03', end: '2025-03-09' };

test('Rows before the window: as many days that end with the nearest of them', () => {
  expect(nearestWindow({ before: '2025-02-01', after: '2025-03-10' }, week)).toEqual({
    day: '2025-02-01',
    window: { start: '2025-01-26', end: '2025-02-01' },
  });
});

test('Rows after it only: as many days that begin with the nearest of them, which is the first and not the last', () => {
  expect(nearestWindow({ before: null, after: '2025-04-01' }, week)).toEqual({
    day: '2025-04-01',
    window: { start: '2025-04-01', end: '2025-04-07' },
  });
});

test('None at all, or not known yet', () => {
  expect(nearestWindow({ before: null, after: null }, week)).toBeUndefined();
  expect(nearestWindow(undefined, week)).toBeUndefined();
});
