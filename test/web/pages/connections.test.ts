import { expect, test } from 'vitest';
import { draftOfSettings, missingSettings, settingsToSend } from '../../../web/src/ask/connection-settings.ts';
import type { Connection, ConnectionKind } from '../../../web/src/ask/sources.ts';
import { connectionsSentence } from '../../../web/src/pages/settings/connections/questions.ts';

const setting = (name: string, more = {}) => ({
  name,
  label: name,
  meaning: '',
  type: 'text' as const,
  is_secret: false,
  is_required: false,
  usual: null,
  most: null,
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
  expect(connectionsSentence([connection('Code', 'complete')])).toBe('1 connection, nothing is wrong.');
  expect(connectionsSentence([connection('Code', 'failed'), connection('Seats', 'syncing')])).toBe(
    '2 connections: Code could not be read, Seats is syncing.',
  );
});
