import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sourceChecks } from '../../src/control/source-diagnoses.ts';
import { wholeDetail } from '../../src/safety/finding.ts';
import { openStore } from '../../src/store/open.ts';
import { listOrganisations } from '../../src/store/organisation-rows.ts';
import { addSource, beginSync, finishSync, putStreams } from '../../src/store/source-rows.ts';
import { noon, someOrganisation } from '../conformance/stores.ts';
import { unfed } from '../setup/unfed-stream.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-source-checks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hourBefore = new Date(noon.getTime() - 3_600_000);
const refused = { failed_at: noon, error: 'The host does not accept the token (401)', to_do: 'Make a new one.' };

test('The doctor says once what many streams failed of, and names what a source no longer finds', async () => {
  const store = await openStore({ folder });
  const { id: organisationId } = await someOrganisation(store);
  const source = { id: randomUUID(), organisation_id: organisationId };
  await store.change(organisationId, (session) =>
    addSource(session, {
      ...source,
      kind: 'github',
      name: 'Code',
      name_key: 'code',
      added_by: 'command',
      settings: '{}',
      secrets: null,
      webhook_secret: null,
      created_at: hourBefore,
    }),
  );
  const streamOf = (scope: string, more: object = {}) => ({
    source_id: source.id,
    stream_id: scope,
    organisation_id: organisationId,
    name: 'issues',
    scope,
    state: '{}',
    updated_at: noon,
    succeeded_at: hourBefore,
    failed_at: null,
    error: null,
    to_do: null,
    read_count: 1,
    estimated_count: null,
    ...unfed,
    newest_record_at: null,
    ...more,
  });
  await store.note(async (session) => {
    await putStreams(session, [
      ...Array.from({ length: 9 }, (_, i) => streamOf(`acme/r${i}`, refused)),
      streamOf('acme/slow', { ...refused, error: 'It took too long', to_do: null, succeeded_at: null }),
      streamOf('acme/well'),
      streamOf('acme/gone', { updated_at: hourBefore }),
    ]);
    await beginSync(session, source.id, noon);
    await finishSync(session, source.id, { at: noon, outcome: 'partial' });
  });
  const scope = { organisations: await store.read(listOrganisations), isOfOne: false, maxExamples: 3 };
  const findings = (await Promise.all(sourceChecks({ folder }).map((check) => check(store, scope)))).flat();
  await store.close();
  const before = hourBefore.toISOString();
  expect(findings.find((finding) => finding.name === 'sources')).toMatchObject({
    status: 'warning',
    summary: '3 findings',
  });
  const sources = findings.find((finding) => finding.name === 'sources');
  expect(sources && wholeDetail(sources)).toBe(
    `Example: Code, issues of acme/r0, issues of acme/r1, issues of acme/r2, issues of acme/r3, issues of acme/r4 and 4 more: ` +
      `The host does not accept the token (401). Make a new one. Last success: ${before} or later; ` +
      'Code, issues of acme/slow: It took too long. Last success: never; ' +
      'Code no longer finds acme/gone: deleted, archived, transferred, left out by its settings, or not for its token to see. ' +
      'What was read stays.',
  );
});
