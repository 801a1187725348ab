import { expect, test } from 'vitest';
import { examineMembers } from '../../src/control/member-checks.ts';
import { describeOnEveryStore, sharedStore } from '../conformance/stores.ts';
import { acmeOnHost } from '../directory/code-host/acme-on-host.ts';

describeOnEveryStore('the doctor', (engine) => {
  const store = sharedStore(engine);

  test('finds nothing where every member is there, and names who left and whose accounts are two people’s', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    await acme.put('people', [{ name: 'Ada L.', main_email: 'ada@acme.example' }]);
    await code.take({ people: ['ada', 'grace'] });
    expect(await examineMembers(store())).toEqual([
      { name: 'people who left', status: 'ok', detail: 'none' },
      { name: 'disputed links', status: 'ok', detail: 'none' },
    ]);
    await code.take({ people: [{ login: 'ada', verifiedEmail: 'ada@acme.example' }] });
    expect(await examineMembers(store())).toMatchObject([
      { status: 'warning', detail: expect.stringMatching(/Offboard those .* Example: grace \(2024-05-01\)\.$/) },
      { status: 'warning', detail: expect.stringMatching(/Merge the two .* Example: ada \(ada, Ada L\.\)\.$/) },
    ]);
  });
});
