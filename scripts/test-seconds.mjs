// How long each test file took in the last `npm test` here: all of them side by side, so that they can be compared.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const recordOf = (root) => join(root, '.cache/test-seconds.json');

/** For a file that has not run here. */
const defaultSeconds = 5;

/** Those that take far longer: a fresh clone begins with them, too, and a quick run knows what they cost. */
export const longDefaults = {
  'test/attack/answers.test.ts': 32,
  'test/attack/bodies.test.ts': 30,
  'test/attack/resident-memory.test.ts': 26,
  'test/attack/turns.test.ts': 20,
  'test/cli/commands.test.ts': 32,
  'test/cli/one-server-per-store.test.ts': 15,
  'test/cli/source.test.ts': 31,
  'test/cli/tables-elsewhere.test.ts': 80,
  'test/conformance/directory.test.ts': 14,
  'test/conformance/warehouse.test.ts': 95,
  'test/demo/history-hours.test.ts': 7,
  'test/demo/interrupted-fill.test.ts': 12,
  'test/documentation/commands.test.ts': 173,
  'test/http/tables-elsewhere.test.ts': 23,
  'test/ingest/derive/issue-links.test.ts': 26,
  'test/ingest/record-order.test.ts': 18,
  'test/moving/migrate.test.ts': 124,
  'test/packaging/package.test.ts': 17,
  'test/query/properties/survey-subtraction.test.ts': 25,
  'test/replicas/onboarding-beside-import.test.ts': 13,
  'test/replicas/three-replicas.test.ts': 138,
  'test/safety/backup.test.ts': 21,
  'test/safety/crash/kill-loop.test.ts': 12,
  'test/safety/doctor.test.ts': 15,
  'test/safety/kill.test.ts': 14,
  'test/safety/maintenance.test.ts': 16,
  'test/safety/one-organisation.test.ts': 40,
  'test/safety/verify-warehouses.test.ts': 28,
  'test/safety/warehouse-backup.test.ts': 29,
  'test/sources/contract/contract.test.ts': 80,
  'test/sources/git/hardening.test.ts': 24,
  'test/sources/git/paging.test.ts': 13,
  'test/store/database-away.test.ts': 15,
  'test/store/leased-turns.test.ts': 15,
  'test/warehouse/clickhouse/change-over.test.ts': 32,
  'test/warehouse/clickhouse/copies-beside-records.test.ts': 17,
  'test/warehouse/clickhouse/write-protocol.test.ts': 29,
  'test/warehouse/moved-rows.test.ts': 18,
  'test/web/application.test.ts': 298,
  'test/web/conclusions/conclusions.test.ts': 217,
  'test/web/documentation.test.ts': 18,
  'test/web/live-data.test.ts': 23,
  'test/web/session-end.test.ts': 17,
};

/** Answers how many seconds a test file takes, as one of several that run at the same time. */
export function readTestSeconds(root) {
  const recorded = readRecord(root);
  return (file) => recorded[file] ?? longDefaults[file] ?? defaultSeconds;
}

/** Keeps what is known of other files. */
export function recordTestSeconds(root, seconds) {
  const record = recordOf(root);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, `${JSON.stringify({ ...readRecord(root), ...seconds }, null, 1)}\n`);
}

const readRecord = (root) => {
  const record = recordOf(root);
  return existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
};
