import type { Query } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { pageFailure } from '../../../web/src/ask/page-failure.ts';
import { AskError } from '../../../web/src/ask/send.ts';

const query = (path: string, status: string, error?: AskError, meta?: object) =>
  ({ queryKey: [path], meta, state: { status, error: error ?? null } }) as unknown as Query;
const failed = (message = 'The disk is full.') =>
  query('/metrics/cycle-time', 'error', new AskError(503, message, 'id'));

test('A page has failed where every one of its questions has, whatever else is known', () => {
  const names = query('/metrics/get-multiple-metrics', 'success', undefined, { isOfNames: true });
  const status = query('/app/status', 'success');
  const refused = query('/metrics/salary', 'error', new AskError(403, 'No.', undefined));
  expect(pageFailure([failed('First.'), failed(), names, status, refused])?.message).toBe('First.');
});

test('A page has not failed where an answer is there or on its way, or where one part can say so itself', () => {
  expect(pageFailure([failed(), failed(), query('/metrics/queue-time', 'success')])).toBeUndefined();
  expect(pageFailure([failed(), failed(), query('/metrics/queue-time', 'pending')])).toBeUndefined();
  expect(pageFailure([failed(), query('/app/status', 'error', new AskError(503, 'Late.', 'id'))])).toBeUndefined();
});
