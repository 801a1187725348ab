import { expect, test } from 'vitest';
import { readGuides } from '../../../src/http/reference/guides.ts';
import { sourceKinds } from '../../../src/sources/kinds.ts';
import {
  activeItems,
  choiceText,
  chosenSetting,
  guideOf,
  historyFrom,
  itemsFound,
  missingForCheck,
  savedChoice,
  settingsOfStep,
  settingsToCheck,
  splitMissing,
  waysIn,
} from '../../../web/src/ask/connect-draft.ts';
import { draftOfSettings, missingSettings, settingsToSend } from '../../../web/src/ask/connection-settings.ts';
import type { Connection, ConnectionKind } from '../../../web/src/ask/sources.ts';
import { lastSuccessOf } from '../../../web/src/pages/settings/connections/questions.ts';
import { connectionsSentence } from '../../../web/src/pages/settings/connections/words.ts';

const setting = (name: string, more = {}) => ({
  name,
  label: name,
  meaning: '',
  type: 'text' as const,
  is_secret: false,
  is_required: false,
  usual: null,
  most: null,
  step: 'advanced' as const,
  instead_of: null,
  one_of: null,
  ...more,
});
const kind: ConnectionKind = {
  kind: 'github',
  label: 'GitHub',
  meaning: '',
  needs_command_line: false,
  has_webhooks: true,
  settings: [
    setting('token', { is_secret: true, is_required: true }),
    setting('repositories', { type: 'list' }),
    setting('organization'),
  ],
};
const known: Connection['settings'] = { token: { set: true }, repositories: 'acme/web', organization: 'acme' };

test('A new connection sends what is given, lists with commas', () => {
  const draft = { ...draftOfSettings(kind), token: ' secret ', repositories: 'acme/web\n\n acme/api ,' };
  expect(settingsToSend(kind, draft)).toEqual({ token: 'secret', repositories: 'acme/web,acme/api' });
});

test('One that exists sends only what differs; a secret stays unless another is typed; empty clears', () => {
  const draft = draftOfSettings(kind, known);
  expect(draft).toEqual({ token: '', repositories: 'acme/web', organization: 'acme' });
  expect(settingsToSend(kind, draft, known)).toEqual({});
  expect(settingsToSend(kind, { ...draft, organization: ' ' }, known)).toEqual({ organization: null });
  expect(settingsToSend(kind, { ...draft, token: 'new' }, known)).toEqual({ token: 'new' });
});

test('What is needed is asked for, unless it is kept already', () => {
  expect(missingSettings(kind, draftOfSettings(kind))).toEqual(['token']);
  expect(missingSettings(kind, draftOfSettings(kind, known), known)).toEqual([]);
});

test('The sentence names connections with something wrong', () => {
  const connection = (name: string, state: Connection['state']) => ({ name, state }) as Connection;
  expect(connectionsSentence([])).toBe('Nothing is connected yet.');
  expect(connectionsSentence([connection('Code', 'complete')])).toBe('1 connection, all fine.');
  expect(connectionsSentence([connection('Code', 'failed'), connection('Seats', 'syncing')])).toBe(
    '2 connections: Code couldn’t be read, Seats is syncing.',
  );
});

const appKind: ConnectionKind = {
  ...kind,
  settings: [
    setting('base_url', { type: 'address', usual: 'https://api.github.com', step: 'access' }),
    setting('token', { is_secret: true, step: 'access' }),
    setting('app_id', { step: 'access', instead_of: 'token' }),
    setting('private_key', { is_secret: true, step: 'access', instead_of: 'token' }),
    setting('repositories', { type: 'list', step: 'choice' }),
    setting('since', { type: 'date', step: 'history' }),
    setting('allow_hosts', { type: 'list' }),
  ],
};

test('One of two ways to sign in is asked for, and nothing of the other is sent', () => {
  const names = (way: number) => settingsOfStep(appKind, 'access', way).map(({ name }) => name);
  expect(waysIn(appKind).map((lines) => lines.map(({ name }) => name))).toEqual([['token'], ['app_id', 'private_key']]);
  expect([names(0), names(1)]).toEqual([
    ['base_url', 'token'],
    ['base_url', 'app_id', 'private_key'],
  ]);
  const draft = {
    ...draftOfSettings(appKind),
    token: 't',
    app_id: '7',
    repositories: 'acme/web',
    allow_hosts: 'a.example',
  };
  expect(settingsToCheck(appKind, draft, 0)).toEqual({ token: 't', allow_hosts: 'a.example' });
  expect(settingsToCheck(appKind, draft, 1)).toEqual({ app_id: '7', allow_hosts: 'a.example' });
  expect([missingForCheck(appKind, draft, 0), missingForCheck(appKind, draft, 1)]).toEqual([[], ['private_key']]);
  expect(waysIn(kind)).toEqual([]);
});

test('Whoever leaves everything active chosen gets what is new as well, and any other choice is sent by name', () => {
  const items = [{ value: 'acme/web' }, { value: 'acme/old', leftOut: 'archived' as const }, { value: 'acme/api' }];
  const choices = { setting: 'repositories', total: 3, items };
  const active = activeItems(choices);
  expect([...active]).toEqual(['acme/web', 'acme/api']);
  expect(chosenSetting(appKind, choices, active)).toEqual({});
  expect(chosenSetting(appKind, choices, new Set(['acme/old']))).toEqual({ repositories: ['acme/old'] });
  expect(chosenSetting(appKind, null, active)).toEqual({});
  const required = { ...appKind, settings: [setting('repositories', { is_required: true, step: 'choice' })] };
  expect(chosenSetting(required, choices, active)).toEqual({ repositories: ['acme/web', 'acme/api'] });
  expect(itemsFound(items, ' API acme').map(({ value }) => value)).toEqual(['acme/api']);
});

test('History begins whole months ago, on the last day of a shorter month', () => {
  expect(historyFrom('24', '2026-11-19', '')).toBe('2024-11-19');
  expect(historyFrom('3', '2026-05-31', '')).toBe('2026-02-28');
  expect(historyFrom('all', '2026-11-19', '')).toBeUndefined();
  expect(historyFrom('day', '2026-11-19', '2025-01-02')).toBe('2025-01-02');
});

test('A missing right has a title and what to do about it', () => {
  expect(splitMissing('Members of acme cannot be read: give the token read:org, or Members, read')).toEqual({
    title: 'Members of acme cannot be read',
    detail: 'Give the token read:org, or Members, read',
  });
  expect(splitMissing('Something')).toEqual({ title: 'Something', detail: '' });
});

test('The last success of a connection is its last complete sync, or the newest of its streams', () => {
  const stream = (last_success_at: string | null) => ({ last_success_at }) as Connection['streams'][number];
  const sync = { finished_at: '2026-11-19T10:00:00Z', outcome: 'complete' } as Connection['last_sync'];
  const streams = [stream('2026-11-18T10:00:00Z'), stream(null), stream('2026-11-17T10:00:00Z')];
  expect(lastSuccessOf({ last_sync: sync, streams })).toBe('2026-11-19T10:00:00Z');
  expect(lastSuccessOf({ last_sync: sync && { ...sync, outcome: 'failed' }, streams })).toBe('2026-11-18T10:00:00Z');
  expect(lastSuccessOf({ last_sync: null, streams: [] })).toBeUndefined();
});

test('What a saved connection reads is ticked, and ticking all that is active names nothing', () => {
  const choices = {
    setting: 'repositories',
    total: 3,
    items: [{ value: 'acme/api' }, { value: 'acme/web' }, { value: 'acme/old', leftOut: 'archived' as const }],
  };
  const line = setting('repositories', { type: 'list' });
  expect([...savedChoice(choices, '')]).toEqual(['acme/api', 'acme/web']);
  // One that the token does not see any more stays named.
  expect([...savedChoice(choices, 'acme/web,acme/gone')]).toEqual(['acme/web', 'acme/gone']);
  expect(choiceText(line, choices, new Set(['acme/web', 'acme/api']))).toBe('');
  expect(choiceText(line, choices, new Set(['acme/web', 'acme/old']))).toBe('acme/web,acme/old');
  const needed = { ...line, is_required: true };
  expect(choiceText(needed, choices, new Set(['acme/web', 'acme/api']))).toBe('acme/web,acme/api');
});

test('Every kind has a guide that says which rights it needs', () => {
  const guides = readGuides();
  // The one that reads a folder of the server is added by a command.
  for (const { kind: name } of sourceKinds.filter(({ isLocal }) => !isLocal)) {
    const guide = guides.get(guideOf({ kind: name }).replace('/docs/guides/', ''));
    expect(guide?.text, name).toMatch(/token|key|right|permission/i);
  }
});
