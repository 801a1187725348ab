// How long each test file took in the last `npm test` here: all of them side by side, so that they can be compared.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const recordOf = (root) => join(root, '.cache/test-seconds.json');

/** For a file that has not run here. */
const defaultSeconds = 5;

/** Those that take far longer: a fresh clone begins with them, too, and a quick run knows what they cost. */
export const longDefaults = {
  'test/attack/answers.test.ts': 32,
  'test/attack/bodies.test.ts': 45,
  'test/cli/commands.test.ts': 23,
  'test/cli/source.test.ts': 20,
  'test/cli/tables-elsewhere.test.ts': 60,
  'test/conformance/directory.test.ts': 36,
  'test/conformance/warehouse.test.ts': 93,
  'test/documentation/commands.test.ts': 70,
  'test/moving/migrate.test.ts': 65,
  'test/query/properties/survey-subtraction.test.ts': 60,
  'test/replicas/onboarding-beside-import.test.ts': 25,
  'test/replicas/three-replicas.test.ts': 116,
  'test/safety/backup.test.ts': 27,
  'test/safety/crash/kill-loop.test.ts': 40,
  'test/safety/one-organisation.test.ts': 38,
  'test/safety/verify-warehouses.test.ts': 25,
  'test/safety/warehouse-backup.test.ts': 35,
  'test/sources/git/paging.test.ts': 45,
  'test/warehouse/clickhouse/write-protocol.test.ts': 52,
  'test/warehouse/moved-rows.test.ts': 20,
  'test/web/application.test.ts': 170,
  'test/web/conclusions/conclusions.test.ts': 150,
  'test/web/documentation.test.ts': 18,
  'test/web/live-data.test.ts': 23,
  'test/web/session-end.test.ts': 24,
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
