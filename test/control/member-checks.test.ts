import { expect, test } from 'vitest';
import { examineMembers } from '../../src/control/source-diagnoses.ts';
import { listOrganisations } from '../../src/store/organisation-rows.ts';
import { describeOnEveryStore, sharedStore } from '../conformance/stores.ts';
import { acmeOnHost } from '../directory/code-host/acme-on-host.ts';

describeOnEveryStore('the doctor', (engine) => {
  const store = sharedStore(engine);
  const examined = async () =>
    examineMembers(store(), { organisations: await store().read(listOrganisations), maxExamples: 3 });

  test('The doctor finds nothing where every member is there, and names who left and whose accounts are two people’s', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    await acme.put('people', [{ name: 'Ada L.', main_email: 'ada@acme.example' }]);
    await code.take({ people: ['ada', 'grace'] });
    expect(await examined()).toEqual([
      { name: 'people who left', status: 'ok', detail: 'none' },
      { name: 'disputed links', status: 'ok', detail: 'none' },
    ]);
    await code.take({ people: [{ login: 'ada', verifiedEmail: 'ada@acme.example' }] });
    expect(await examined()).toMatchObject([
      {
        status: 'warning',
        detail: expect.stringContaining('Exclude those'),
        findings: [{ organisation: 'Example', count: 1, examples: ['grace (2024-05-01)'], more: 0 }],
      },
      {
        status: 'warning',
        detail: expect.stringContaining('Merge the two'),
        findings: [{ organisation: 'Example', count: 1, examples: ['ada (ada, Ada L.)'], more: 0 }],
      },
    ]);
  });
});
