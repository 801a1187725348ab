import { expect, test } from 'vitest';
import { answerTo } from '../../../src/http/errors.ts';
import { type Reason, Refusal } from '../../../src/refusal.ts';

const statuses: Readonly<Record<Reason, number>> = {
  'bad-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-late': 408,
  conflict: 409,
  'changed-meanwhile': 412,
  'too-large': 413,
  'too-long-address': 414,
  'not-json': 415,
  'condition-missing': 428,
  'too-many-requests': 429,
  unavailable: 503,
  'too-slow': 504,
};

test.each(Object.entries(statuses))('%s is %i, in the words of the refusal', (reason, status) => {
  expect(answerTo(new Refusal(reason as Reason, 'So and so.'))).toMatchObject({
    status,
    detail: 'So and so.',
    isFault: false,
  });
});

test('Whoever is to come back is told when', () => {
  expect(answerTo(new Refusal('unavailable', '', { retryAfterSeconds: 2.5 })).headers['retry-after']).toBe('3');
  expect(answerTo(new Refusal('unavailable', '')).headers['retry-after']).toBe('1');
});

test.each([new Error('secret'), Object.assign(new Error('secret'), { statusCode: 500 }), 'secret', undefined, null])(
  'Anything else is a fault that says nothing',
  (error) => {
    expect(answerTo(error)).toEqual({ status: 500, detail: 'Internal server error', headers: {}, isFault: true });
  },
);

test('A refusal of the framework keeps its status and loses its words', () => {
  const error = Object.assign(new Error('/var/lib/plumb/secret.js'), { statusCode: 403 });
  expect(answerTo(error)).toMatchObject({ status: 404, detail: 'There is nothing at this path.' });
  expect(answerTo(Object.assign(new Error('/srv'), { statusCode: 422 })).detail).toBe('The request could not be read.');
});
