// How long each test file took in the last `npm test` here: all of them side by side, so that they can be compared.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const recordOf = (root) => join(root, '.cache/test-seconds.json');

/** For a file that has not run here. */
const defaultSeconds = 5;

/** Those that take far longer, so that a fresh clone does not begin with one of them. */
const longDefaults = {
  'test/attack/answers.test.ts': 33,
  'test/attack/bodies.test.ts': 52,
  'test/cli/commands.test.ts': 65,
  'test/conformance/directory.test.ts': 49,
  'test/conformance/warehouse.test.ts': 209,
  'test/documentation/commands.test.ts': 55,
  'test/moving/migrate.test.ts': 80,
  'test/query/benchmark.test.ts': 42,
  'test/replicas/three-replicas.test.ts': 32,
  'test/safety/backup.test.ts': 38,
  'test/safety/doctor.test.ts': 39,
  'test/safety/verify-warehouses.test.ts': 41,
  'test/safety/warehouse-backup.test.ts': 36,
  'test/sync/sync.test.ts': 36,
  'test/warehouse/clickhouse/write-protocol.test.ts': 44,
  'test/web/application.test.ts': 174,
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
