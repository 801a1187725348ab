import { streamsOf } from '../../src/control/operator-streams.ts';
import { type App, openApp } from '../../src/main.ts';

export const [org, owner] = ['Example', 'owner@example.com'];
const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
const questions: readonly (readonly [metric: string, body: object])[] = [
  ['pull-requests-count', { filters, date_level: 'week' }],
  ['cycle-time', { filters, aggregation: 'median', group_by: ['name', 'repository'] }],
  ['reviews-count', { filters, group_by: ['name'] }],
  ['deployment-frequency', { filters, date_level: 'day' }],
  ['pull-requests-count', { filters, group_by: ['pr_id', 'pr_title', 'labels', 'pr_created_at'] }],
  ['users-count', { filters: {}, group_by: ['team_name'] }],
  // Of an anonymous survey: its groups come along, since nothing else says who answered what.
  ['survey-responses-count', { filters, group_by: ['answer_value', 'team_names', 'final_response_submitted_at'] }],
  ['survey-responses-count', { filters: { ...filters, team: ['T1', 'T2'] }, group_by: ['answer_value'] }],
];

/** What an instance says to some questions, wherever it keeps everything. */
export async function someAnswers(
  folder: string,
  { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: tablesUrl }: Readonly<Record<string, string>>,
): Promise<string[]> {
  const app: App = await openApp({ folder, databaseUrl, tablesUrl, memory: 512e6, threads: 1 });
  const parts = { ...app, tables: () => app, place: { folder }, isServing: false };
  const { askMetrics } = streamsOf(parts, { via: 'command', user: 'test' });
  try {
    const texts: string[] = [];
    for (const [metric, body] of questions) {
      const input = { org, as: owner, metric, body, explain: false, durations: 'iso' } as const;
      let text = '';
      for await (const piece of askMetrics(input)) text += Buffer.from(piece).toString();
      texts.push(text);
    }
    return texts;
  } finally {
    await app.close();
  }
}
