import { cpSync } from 'node:fs';
import { type FactTable, factTableNames } from '../../src/catalogue/tables/all-tables.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { type App, type EmbeddedApp, openApp } from '../../src/main.ts';
import type { TableDigest } from '../../src/warehouse/maintenance-port.ts';
import { embedded, type StoreHome } from '../conformance/stores.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { madeOnce } from '../setup/made-once.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { fill } from './filled-store.ts';

const threads = threadsForFewRows ?? 2;

/** Opens what is in a place, and closes it again. */
export async function within<T>(
  place: Pick<StoreHome, 'folder' | 'databaseUrl'>,
  work: (app: EmbeddedApp) => Promise<T>,
): Promise<T> {
  const app = await openApp({ folder: place.folder, databaseUrl: place.databaseUrl, memory: 512e6, threads });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The same for the last time: the place is removed afterwards. */
export const withinLast = <T>(
  place: Pick<StoreHome, 'folder' | 'databaseUrl'>,
  work: (app: EmbeddedApp) => Promise<T>,
): Promise<T> =>
  within(place, async (app) => {
    try {
      return await work(app);
    } finally {
      await throwAway(place.folder);
    }
  });

const at = (hours: number): string => new Date(Date.UTC(2024, 1, 1) + hours * 3_600_000).toISOString();
const who = (i: number) => ({ person_login: `gh${i % 7}`, source: 'github' });

/** Of an anonymous survey: the one of T0 is reported with the two of T1, the two of T2 by themselves. */
const whoAnswered = [3, 4, 5, 7, 8];

/** Something for every table of what happened. People are those of `fill`, and one whom nobody knows. */
function history(pullRequests: number): Readonly<Record<FactTable, readonly object[]>> {
  const each = <T>(make: (i: number) => T): T[] => Array.from({ length: pullRequests }, (_, i) => make(i));
  return {
    pull_requests: each((i) => ({
      pr_id: `p${i}`,
      pr_number: i,
      pr_title: i % 9 === 8 ? `Revert "Change ${i - 1}"` : `Änderung ${i} 👩🏽‍💻 "quoted"\n`,
      repository: i % 3 === 0 ? 'a/b' : 'a/c',
      pr_state: 'merged',
      pr_created_at: at(i * 3),
      pr_merged_at: at(i * 3 + 5),
      base_branch: 'main',
      merge_commit_sha: `m${i}`,
      additions: i * 10,
      labels: ['x', `l${i}`],
      files: [{ path: 'src/a.ts', additions: i, deletions: 1 }],
      ...who(i),
    })),
    pull_request_reviews: each((i) => ({
      pr_review_id: `r${i}`,
      pr_id: `p${i}`,
      reviewed_at: at(i * 3 + 2),
      ...who(i + 1),
    })),
    pull_request_comments: each((i) => ({
      comment_id: `c${i}`,
      pr_id: `p${i}`,
      commented_at: at(i * 3 + 1),
      ...who(i + 2),
    })),
    pull_request_commits: each((i) => ({
      commit_id: `p${i}:s${i}`,
      pr_id: `p${i}`,
      sha: `s${i}`,
      committed_at: at(i * 3 + 3),
      authored_at: at(i * 3 - 1),
      ...who(i),
    })),
    pull_request_events: each((i) => ({
      pr_id: `p${i}`,
      event_type: 'labeled',
      event_at: at(i),
      event_url: `u${i}`,
      ...who(i),
    })),
    issues: [
      { issue_id: 'i1', issue_key: 'A-1', issue_title: 'Door', created_at: at(1), story_points: 0.1, ...who(1) },
    ],
    issue_comments: [{ issue_comment_id: 'ic1', issue_id: 'i1', comment: 'Yes', created_at: at(2), ...who(2) }],
    release_details: [{ release_id: 'v1', version: '1', repository: 'a/c', release_date: at(40), ...who(1) }],
    workflow_runs: [
      {
        workflow_run_id: 'w1',
        workflow_name: 'x',
        repository: 'a/b',
        run_conclusion: 'success',
        run_created_at: at(20),
        run_updated_at: at(21),
        billable_ms: { ubuntu: 60_000 },
        ...who(3),
      },
    ],
    ai_copilot: [{ person_login: 'gh1', source: 'cursor', date: '2024-02-02', accepts: 3 }],
    posthook_sessions: [
      {
        session_id: 's1',
        engineer_email: 'p4@x.org',
        agent_slug: 'claude-code',
        repo_name: 'a/b',
        started_at: at(1),
        ended_at: at(2),
        input_tokens: 5,
      },
    ],
    posthook_session_messages: [
      { message_id: 'm1', session_id: 's1', message_seq: 1, message_ts: at(1), role: 'user' },
    ],
    posthook_session_files: [{ session_id: 's1', file_path: 'src/a.ts', generated_lines: 4 }],
    posthook_session_commits: [{ session_id: 's1', commit_id: 's0', committed_at: at(2), committed_lines: 2 }],
    survey_recipients: whoAnswered.map((i) => ({
      survey_recipient_id: `sr${i}`,
      survey_id: 'q',
      survey_name: 'Q',
      survey_status: 'closed',
      created_at: at(1),
      person_email: `p${i}@x.org`,
    })),
    survey_responses: whoAnswered.map((i) => ({
      survey_response_id: `sp${i}`,
      survey_id: 'q',
      survey_recipient_id: `sr${i}`,
      answer_value: String(i),
      response_created_at: at(i),
      final_response_submitted_at: at(i),
    })),
    deployments: [
      { deployment_id: 'd1', repository: 'a/b', deployed_at: at(30), status: 'success', sha: 'm3', ...who(1) },
    ],
    incidents: [{ incident_id: 'x1', repository: 'a/b', opened_at: at(31), resolved_at: at(33), title: 'Down' }],
  };
}

/** An organisation with something in every table of the store and in every table of what happened. */
export async function fillApp(app: Pick<App, 'store' | 'directory' | 'ingest'>, pullRequests = 30): Promise<string> {
  const { id } = await fill(app.store);
  const context = { organisationId: id, actor: { via: 'demo' } } as const;
  const settings = { survey_privacy: 'anonymous', survey_minimum_group: '2' };
  await setOrganisation(app.directory, context, settings);
  await ingestHistory(app, id, pullRequests);
  return id;
}

export interface FilledPlace {
  readonly place: StoreHome;
  readonly id: string;
}

/** An embedded place with one organisation of `fillApp`: filled once in the run, and copied for whoever asks. */
export async function filledPlace(): Promise<FilledPlace> {
  const { folder, value: id } = await madeOnce('filled-place', (folder) => within({ folder }, (app) => fillApp(app)));
  const place = await embedded.place();
  cpSync(folder, place.folder, { recursive: true });
  return { id, place };
}

/** Records of tables that do not matter to a test take as long as those that do: it may name the ones that do. */
export async function ingestHistory(
  app: Pick<App, 'ingest'>,
  id: string,
  pullRequests = 30,
  tables: readonly FactTable[] = factTableNames,
): Promise<void> {
  const records = history(pullRequests);
  const batch = tables.map((table) => ({
    table,
    lines: (records[table] ?? []).map((value, line) => ({ line, value })),
  }));
  for (const [i, { rejected }] of (await app.ingest.put(id, batch)).entries()) {
    if (rejected[0]) throw new Error(`${batch[i]?.table}: ${rejected[0].detail}`);
  }
}

/** What a warehouse holds, once it shows what the store says. */
export async function digests(app: EmbeddedApp, id: string): Promise<readonly TableDigest[]> {
  await app.ingest.bringUp(id);
  return app.warehouse.checksum(id);
}
