import { Refusal } from '../../refusal.ts';
import type { Writing } from '../store.ts';
import { directory } from './0001-directory.ts';
import { productionEnvironments } from './0002-production-environments.ts';
import { statedBots } from './0003-stated-bots.ts';
import { onboarding } from './0004-onboarding.ts';
import { auditEvents } from './0005-audit-events.ts';
import { surveyPrivacy } from './0006-survey-privacy.ts';
import { dataVersions } from './0007-data-versions.ts';
import { sources } from './0008-sources.ts';
import { sourcePeople } from './0009-source-people.ts';
import { sessions } from './0010-sessions.ts';
import { earlierNames } from './0011-earlier-names.ts';
import { copiesBesideRecords } from './0012-copies-beside-records.ts';
import { surveyReportBy } from './0013-survey-report-by.ts';
import { whatStreamsFeed } from './0014-what-streams-feed.ts';
import { layoutOfRows } from './0015-layout-of-rows.ts';
import { notSeen } from './0016-not-seen.ts';
import { documents } from './0017-documents.ts';
import { messages } from './0018-messages.ts';
import { alerts } from './0019-alerts.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** In order, never edited once released: a store in the field stands at one of these. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'directory', statements: directory },
  { version: 2, name: 'production environments', statements: productionEnvironments },
  { version: 3, name: 'stated bots', statements: statedBots },
  { version: 4, name: 'onboarding', statements: onboarding },
  { version: 5, name: 'audit events', statements: auditEvents },
  { version: 6, name: 'survey privacy', statements: surveyPrivacy },
  { version: 7, name: 'data versions', statements: dataVersions },
  { version: 8, name: 'sources', statements: sources },
  { version: 9, name: 'source people', statements: sourcePeople },
  { version: 10, name: 'sessions', statements: sessions },
  { version: 11, name: 'earlier names', statements: earlierNames },
  { version: 12, name: 'copies beside records', statements: copiesBesideRecords },
  { version: 13, name: 'survey report by', statements: surveyReportBy },
  { version: 14, name: 'what streams feed', statements: whatStreamsFeed },
  { version: 15, name: 'layout of rows', statements: layoutOfRows },
  { version: 16, name: 'not seen', statements: notSeen },
  { version: 17, name: 'documents', statements: documents },
  { version: 18, name: 'messages', statements: messages },
  { version: 19, name: 'alerts', statements: alerts },
];

export const schemaVersion = Math.max(...migrations.map(({ version }) => version));

/**
 * Brings a store up to date inside the caller's transaction. The caller also sees to it that no second process does
 * the same at the same time: the embedded file is locked by its owner, PostgreSQL by an advisory lock.
 */
export async function migrate(session: Writing, known: readonly Migration[] = migrations): Promise<void> {
  await session.run(
    'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)',
  );
  const [state] = await session.rows<{ version: number }>(
    'SELECT coalesce(max(version), 0)::int AS version FROM migrations',
  );
  const current = state?.version ?? 0;
  const newest = Math.max(0, ...known.map(({ version }) => version));
  if (current > newest) {
    throw new Refusal(
      'conflict',
      `The store is at schema version ${current}, but this Plumb knows versions up to ${newest}. Start the newer Plumb that wrote it.`,
    );
  }
  for (const migration of known.filter(({ version }) => version > current)) {
    for (const statement of migration.statements) await session.run(statement);
    await session.run('INSERT INTO migrations (version, name, applied_at) VALUES ($1::int, $2, now())', [
      migration.version,
      migration.name,
    ]);
  }
}
