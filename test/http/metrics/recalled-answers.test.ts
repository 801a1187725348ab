import { beforeEach, expect, test } from 'vitest';
import type { Principal } from '../../../src/access/principal.ts';
import { RecalledAnswers, type Spelled } from '../../../src/http/recalled-answers.ts';
import type { Answer, Served } from '../../../src/query/answer.ts';

const ada: Principal = {
  organisationId: 'acme',
  keyId: 'key',
  personId: 'ada',
  role: 'Owner',
  permissions: [],
  visibility: 'organisation',
  timeZone: 'UTC',
  salaryVisibility: false,
};
const asked: Spelled = { principal: ada, metric: 'cycle-time', format: 'json', body: Buffer.from('{"a":1}') };
const answer: Answer = { form: 'document', document: {}, total: 7 };
const kept = (ageSeconds = 0): Served<Answer> => ({ answer, isKept: true, ageSeconds });
const written = { bytes: Buffer.from('{}'), type: 'application/json', unmatched: '%7B%7D' };

let version = 1;
let now = new Date('2024-01-01T10:00:00Z');
let recalled: RecalledAnswers;
beforeEach(() => {
  version = 1;
  now = new Date('2024-01-01T10:00:00Z');
  recalled = new RecalledAnswers({ versionOf: () => version }, () => now);
});

test('what was kept is recalled, with its age', () => {
  recalled.note(asked, 1, kept(20), written);
  now = new Date('2024-01-01T10:00:05.900Z');
  expect(recalled.find(asked)).toMatchObject({ ...written, ageSeconds: 25, total: 7 });
});

test.each<[string, Partial<Spelled>]>([
  // The same key is somebody new when anything in the organisation changed: a role, a permission, a setting.
  ['its caller as they are since the directory changed', { principal: { ...ada } }],
  ['another key', { principal: { ...ada, keyId: 'other' } }],
  ['another metric', { metric: 'review-time' }],
  ['another format', { format: 'csv' }],
  ['other bytes', { body: Buffer.from('{"a":2}') }],
  ['no body', { body: undefined }],
])('nothing is recalled for %s', (_name, other) => {
  recalled.note(asked, 1, kept(), written);
  expect(recalled.find({ ...asked, ...other })).toBeUndefined();
});

test('nothing is recalled once the data changed', () => {
  recalled.note(asked, 1, kept(), written);
  version = 2;
  expect(recalled.find(asked)).toBeUndefined();
});

test('an answer found while the data changed is not remembered', () => {
  version = 2;
  recalled.note(asked, 1, kept(), written);
  expect(recalled.find(asked)).toBeUndefined();
});

test('an answer that the service does not keep is not remembered either', () => {
  recalled.note(asked, 1, { ...kept(), isKept: false }, written);
  expect(recalled.find(asked)).toBeUndefined();
});

test.each([
  ['it is nearly as old as an answer may be', '2024-01-01T10:04:55Z'],
  ['a day may have ended somewhere', '2024-01-01T10:15:00Z'],
  ['the clock was set back', '2024-01-01T09:59:59Z'],
])('nothing is recalled when %s', (_name, later) => {
  recalled.note(asked, 1, kept(), written);
  now = new Date(later);
  expect(recalled.find(asked)).toBeUndefined();
});
