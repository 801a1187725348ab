import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actionInWords, actorInWords, detailsInWords } from '../../../src/audit-words.ts';
import { auditPath } from '../../../web/src/pages/settings/audit/questions.ts';
import { backupSentence, downloadHolds } from '../../../web/src/pages/settings/backup/words.ts';
import { passwordProblem } from '../../../web/src/pages/settings/words.ts';
import { isStepDone, nextStep, type WelcomeFacts } from '../../../web/src/pages/welcome/questions.ts';
import { stepSays, welcomeSentence } from '../../../web/src/pages/welcome/words.ts';

test('Entries of the audit log read as sentences; unknown actions keep their names', () => {
  expect(actionInWords('key.revoke')).toBe('Revoked an API key');
  expect(actionInWords('dragon.feed')).toBe('Dragon feed');
  expect(actorInWords('Ada', 'session')).toBe('Ada (on a page)');
  expect(actorInWords(null, 'demo')).toBe('the demo');
});

test('Every action that the audit log knows has words of its own', () => {
  const declared = readFileSync(new URL('../../../src/store/audit-actions.ts', import.meta.url), 'utf8');
  const actions = [...declared.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(40);
  const asStored = (action: string): string => action.replaceAll(/[.-]/g, ' ');
  expect(actions.filter((action) => actionInWords(action).toLowerCase() === asStored(action))).toEqual([]);
});

const moments = { time: (at: string) => `at ${at}`, day: (day: string) => `on ${day}` };

test('Details are one line, without what is null, and cut where they are long', () => {
  expect(detailsInWords(null, moments)).toBe('');
  expect(detailsInWords({ name: 'CI', rotated_from: null, keys: [1, 2] }, moments)).toBe('Name: CI, keys: 1 and 2');
  expect(detailsInWords({ rows: 12_345 }, moments)).toBe('Rows: 12,345');
  expect(detailsInWords({ name: 'x'.repeat(500) }, moments)).toHaveLength(161);
  expect(detailsInWords({ creator: 'db4b78b1-cee2-58f5-8716-4c4ef4f051a4', is_on: true }, moments)).toBe('Is on: yes');
  expect(detailsInWords({ expires_at: '2020-03-04T05:06:00Z', day: '2020-03-04' }, moments)).toBe(
    'Expires at: at 2020-03-04T05:06:00Z, day: on 2020-03-04',
  );
});

test('Pages of the log are asked for by what the page before gave', () => {
  expect(auditPath(undefined)).toBe('/app/audit?limit=50');
  expect(auditPath('a+b=')).toBe('/app/audit?limit=50&before=a%2Bb%3D');
});

test('The age of the last backup is said', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  expect(backupSentence(null, now)).toContain('There’s no backup yet');
  expect(backupSentence('2026-11-16T02:00:00Z', now)).toBe('The last backup is less than a day old.');
  expect(backupSentence('2026-11-14T12:00:00Z', now)).toBe('The last backup is 2 days old.');
  expect(backupSentence('2026-11-01T12:00:00Z', now)).toBe('The last backup is 15 days old: make a new one.');
});

test('What a backup holds and what it leaves out are said', () => {
  expect(downloadHolds('role', true)).toContain('Names, addresses and salaries are in it, and answers to surveys');
  expect(downloadHolds('role', true)).toContain('that you have read salaries');
  expect(downloadHolds('role', false)).toContain('Salaries aren’t included because you can’t see them.');
  expect(downloadHolds('role', false)).toContain('Names and addresses are in it');
  expect(downloadHolds('anonymous', true)).toContain('Survey answers aren’t included');
});

test('A password form is sent only when it can work', () => {
  expect(passwordProblem('', 'b', 'b')).toContain('current password');
  expect(passwordProblem('a', '', '')).toContain('Choose');
  expect(passwordProblem('a', 'a', 'a')).toContain('same as the current');
  expect(passwordProblem('a', 'b', 'c')).toContain('don’t match');
  expect(passwordProblem('a', 'b', 'b')).toBeUndefined();
});

test('Setup goes on with the first step that is neither done nor left for later', () => {
  const nothing: WelcomeFacts = {
    email: 'ada@acme.example',
    connections: 0,
    hasData: false,
    isSyncing: false,
    people: 1,
    teams: 0,
    invited: 0,
  };
  const none = { skipped: [] };
  expect(nextStep(nothing, none)).toBe('data');
  expect(nextStep(nothing, { skipped: ['data', 'chart'] })).toBe('people');
  expect(nextStep({ ...nothing, connections: 1, isSyncing: true }, none)).toBe('chart');
  expect(isStepDone('chart', { ...nothing, isSyncing: true })).toBe(false);
  expect(stepSays('chart', { ...nothing, isSyncing: true })).toBe('Importing history…');
  const imported = { ...nothing, hasData: true };
  expect(isStepDone('data', imported)).toBe(true);
  expect(stepSays('data', imported)).toBe('Imported');
  const all = { ...imported, people: 9, teams: 2, invited: 1 };
  expect([nextStep(imported, none), nextStep(all, none)]).toEqual(['people', undefined]);
  expect(welcomeSentence(all, none)).toContain('Everything is in place');
  // What the server has not said yet is not called missing.
  expect(isStepDone('people', { ...nothing, people: undefined, teams: undefined })).toBe(false);
});
