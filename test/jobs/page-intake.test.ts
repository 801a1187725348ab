import { expect, test } from 'vitest';
import { PageIntake } from '../../src/jobs/page-intake.ts';
import type { HostDirectory } from '../../src/sources/source.ts';
import { organisation } from '../conformance/organisation.ts';
import { describeOnOneStore, embedded, sharedStore } from '../conformance/stores.ts';

describeOnOneStore('a page of a source', embedded, (engine) => {
  const store = sharedStore(engine);

  test('A page of a source counts the people, teams and repositories that it brings, and nothing where it brings nothing new', async () => {
    const acme = await organisation(store());
    const counted: unknown[] = [];
    const intake = new PageIntake({
      organisationId: acme.id,
      directory: acme.directory,
      ingest: { put: () => Promise.reject(new Error('there are no facts')) },
      takeHostDirectory: async () => ({ people: { added: 2, changed: 1 } }),
      count: (table, rows) => counted.push([table, rows]),
    });
    const directory: HostDirectory = { owner: 'acme', people: [], teams: [] };
    const page = (default_branch: string) => ({
      records: [
        {
          table: 'repositories' as const,
          records: [
            { repository: 'acme/web', default_branch },
            { repository: 'acme/api', default_branch: 'main' },
          ],
        },
      ],
    });
    await intake.take({ ...page('main'), directory } as never);
    await intake.take(page('main') as never);
    await intake.take(page('trunk') as never);
    expect(counted).toEqual([
      ['repositories', { added: 2, changed: 0 }],
      ['people', { added: 2, changed: 1 }],
      ['repositories', { added: 0, changed: 1 }],
    ]);
  });
});
