import { posthookSessionFiles, posthookSessions } from '../../../../src/catalogue/tables/posthook-sessions.ts';
import type { RecordsOrganisation } from '../../records-app.ts';
import { type HookTables, keyOf } from './hook.ts';

/** A session with all of its parts. */
export const someSession = (id: string): HookTables => ({
  sessions: [
    {
      id,
      agent_slug: 'claude-code',
      model_slug: 'large',
      repo_name: 'acme/web',
      branch: 'door',
      started_at: '2026-01-05T09:00:00Z',
      ended_at: '2026-01-05T09:30:00Z',
      engineer_email: 'ada@example.org',
      engineer_name: 'Ada',
      input_tokens: 10,
      output_tokens: 20,
      cache_read_tokens: 30,
      cache_creation_tokens: 40,
    },
  ],
  session_prompts: [
    {
      id: `${id}-1`,
      session_id: id,
      ts: '2026-01-05T09:00:00Z',
      seq: 1,
      role: 'user',
      source: 'hook',
      prompt_text: 'Go',
    },
    { id: `${id}-2`, session_id: id, ts: '2026-01-05T09:04:00Z', seq: 2, role: 'assistant', source: 'hook' },
  ],
  event_line_ranges: [
    { id: 'r1', session_id: id, path: 'a.ts', lines: 5 },
    { id: 'r2', session_id: id, path: 'a.ts', lines: 7 },
    { id: 'r3', session_id: id, path: 'b.ts', lines: 1 },
  ],
  commit_sessions: [
    { commit_id: 'c1', session_id: id, committed_at: '2026-01-05T09:20:00Z', lines_attributed: 9 },
    { commit_id: 'c2', session_id: id, committed_at: '2026-01-05T09:25:00Z', lines_attributed: 2 },
  ],
  commit_session_files: [
    { commit_id: 'c1', session_id: id, path: 'a.ts', lines_attributed: 8 },
    { commit_id: 'c2', session_id: id, path: 'a.ts', lines_attributed: 2 },
    { commit_id: 'c1', session_id: id, path: 'b.ts', lines_attributed: 1 },
  ],
});

/** What the parts of that session add up to. */
export const summed = {
  session: { generated_lines: 13, committed_lines: 11, files_edited: 2, commits_contributed: 2 },
  files: [
    { file_path: 'a.ts', generated_lines: 12, committed_lines: 10, edits: 2 },
    { file_path: 'b.ts', generated_lines: 1, committed_lines: 1, edits: 1 },
  ],
};

export const ofSession = (session: string) => ({ column: 'session_id', in: [session] });

export const sessionIn = async (app: RecordsOrganisation, id: string) =>
  (
    await app.select(
      posthookSessions,
      ['engineer_email', 'ended_at', 'generated_lines', 'committed_lines', 'files_edited', 'commits_contributed'],
      ofSession(id),
    )
  )[0];

export const filesIn = async (app: RecordsOrganisation, id: string) =>
  (
    await app.select(posthookSessionFiles, ['file_path', 'generated_lines', 'committed_lines', 'edits'], ofSession(id))
  ).sort((a, b) => ((a.file_path ?? '') < (b.file_path ?? '') ? -1 : 1));

/** The keys of two people who are no Owners. */
export async function twoEngineers(app: RecordsOrganisation) {
  await app.directory('people', [
    { main_email: 'ada@example.org', emails: ['ada@home.example'], name: 'Ada', logins: { gitlab: 'ada' } },
    { main_email: 'bob@example.org', name: 'Bob', logins: { github: 'bob' } },
  ]);
  return { ada: await keyOf(app, 'ada@example.org'), bob: await keyOf(app, 'bob@example.org') };
}
