// One case of everything that Plumb is used for, from its outermost edge. A quick run has all of them, whatever changed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each is the quickest test that goes all the way. Without a name, it is the whole file. */
export const journeys = [
  { journey: 'ask', file: 'test/http/metrics/200.test.ts' },
  {
    journey: 'import',
    file: 'test/cli/import.test.ts',
    test: 'Good records are kept, bad ones go into a file with line and reason, and the end is 5',
  },
  {
    journey: 'sync',
    file: 'test/cli/source.test.ts',
    test: 'plumb sync reads a source through the running server, with JSON lines on the way where there is no terminal',
  },
  { journey: 'serve', file: 'test/cli/serve.test.ts', test: 'Prometheus metrics are on the admin port only' },
  {
    journey: 'page',
    file: 'test/web/live-data.test.ts',
    test: 'A page while data arrive says what is missing, how far a sync is, and shows new data when the reader asks for them',
  },
  {
    journey: 'restore',
    file: 'test/http/pages/audit-status-backup.test.ts',
    test: 'A backup downloaded holds the own organisation alone, can be restored, and is known to have been made',
  },
];

/** Where the test of a journey is, as vitest takes it: by the line that it begins on. */
export function placeOfJourney(root, { file, test }) {
  if (test === undefined) return file;
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes(`test('${test}'`));
  if (line < 0) throw new Error(`${file} has no test '${test}'.`);
  return `${file}:${line + 1}`;
}
