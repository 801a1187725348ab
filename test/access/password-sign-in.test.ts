import { expect, test } from 'vitest';
import { FailedSignIns } from '../../src/access/failed-sign-ins.ts';
import { passwordProblem } from '../../src/access/passwords.ts';
import { setPerson } from '../../src/directory/people.ts';
import { auditEntries } from '../../src/store/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnOneStore, directoryOf, postgres, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { actor, someAccess } from './some-access.ts';

const password = 'correct horse battery';
const wrong = { reason: 'unauthenticated', message: expect.stringContaining('do not belong together') };
let serial = 0;
const newEmail = () => {
  serial += 1;
  return `ada-${serial}@x.org`;
};

/** An organisation with somebody who has a password. */
async function begin(store: Store, email = newEmail(), secret = password) {
  const access = someAccess(store);
  const organisation = await someOrganisation(store);
  const context = { organisationId: organisation.id, actor };
  const ada = await setPerson(directoryOf(store), context, email, {}, { create: true });
  const { token } = await access.signIns.redeem(await access.signIns.create(organisation.id, actor, ada.id), secret);
  return { ...access, ...organisation, context, ada, email, token };
}

describeOnOneStore('a password', postgres, (engine) => {
  const store = sharedStore(engine);

  test('A password lets its person in by any of their addresses, with a new session each time', async () => {
    const { passwordSignIn, authentication, email, ada } = await begin(store());
    const tokens = new Set<string>();
    for (const typed of [email, ` ${email.toUpperCase()} `]) {
      const outcome = await passwordSignIn.signIn(typed, password, 'here');
      if (outcome.kind !== 'signed-in') throw new Error('asked for an organisation');
      tokens.add(outcome.session.token);
      expect(await authentication.authenticateSession(outcome.session.token)).toMatchObject({ personId: ada.id });
    }
    expect(tokens.size).toBe(2);
  });

  test('A password that is wrong says the same as an address that nobody has', async () => {
    const { passwordSignIn, email } = await begin(store());
    for (const [who, secret] of [
      [email, 'correct horse batterx'],
      [email, ''],
      [email, 'x'.repeat(10_000)],
      ['nobody@x.org', password],
      ['', ''],
    ] as const) {
      await expect(passwordSignIn.signIn(who, secret, 'here')).rejects.toMatchObject(wrong);
    }
  });

  test('A password belongs to one organisation; where it fits several the person is asked which', async () => {
    const first = await begin(store());
    const second = await begin(store(), first.email);
    const third = await begin(store(), first.email, 'another one to remember');
    const { passwordSignIn, choices, authentication, pass } = first;

    const alone = await passwordSignIn.signIn(first.email, 'another one to remember', 'here');
    if (alone.kind !== 'signed-in') throw new Error('asked for an organisation');
    expect(await authentication.authenticateSession(alone.session.token)).toMatchObject({ organisationId: third.id });

    const several = await passwordSignIn.signIn(first.email, password, 'here');
    if (several.kind !== 'several') throw new Error('not asked');
    expect(several.organisations.map(({ organisationId }) => organisationId).sort()).toEqual(
      [first.id, second.id].sort(),
    );
    await expect(choices.choose(several.choice, third.id)).rejects.toMatchObject({ reason: 'bad-input' });
    await expect(choices.choose('nonsense', first.id)).rejects.toMatchObject({ reason: 'bad-input' });
    // The answer may come to another server.
    const { token } = await someAccess(store()).choices.choose(several.choice, second.id);
    expect(await authentication.authenticateSession(token)).toMatchObject({ personId: second.ada.id });
    await expect(choices.choose(several.choice, first.id)).rejects.toMatchObject({ reason: 'bad-input' });

    const late = await passwordSignIn.signIn(first.email, password, 'here');
    if (late.kind !== 'several') throw new Error('not asked');
    pass(300);
    await expect(choices.choose(late.choice, first.id)).rejects.toMatchObject({ reason: 'bad-input' });
  });

  test('A password may be wrong ten times for an account from one address, also at once; then only others get in for a while', async () => {
    const { passwordSignIn, email, pass } = await begin(store());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 15 }, () => passwordSignIn.signIn(email, 'not the right one', 'guessing')),
    );
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.reason : 'let in'));
    expect(reasons.filter((reason) => reason === 'unauthenticated')).toHaveLength(10);
    expect(reasons.filter((reason) => reason === 'too-many-requests')).toHaveLength(5);
    await expect(passwordSignIn.signIn(email, password, 'guessing')).rejects.toMatchObject({
      reason: 'too-many-requests',
      message: expect.stringContaining('15 minutes'),
      hints: { retryAfterSeconds: 900 },
    });
    // Whoever guesses does not lock out whom the account belongs to.
    expect(await passwordSignIn.signIn(email, password, 'elsewhere')).toMatchObject({ kind: 'signed-in' });
    pass(900);
    expect(await passwordSignIn.signIn(email, password, 'guessing')).toMatchObject({ kind: 'signed-in' });
  });

  test('A password may be wrong a hundred times for an account from anywhere', () => {
    const failed = new FailedSignIns(() => new Date(0));
    for (let i = 0; i < 100; i += 1) failed.begin('ada', `10.0.0.${i}`);
    expect(() => failed.begin('ada', 'elsewhere')).toThrow('too often');
    failed.begin('grace', 'elsewhere');
  });

  test('A password is remembered, however many attempts of others are refused meanwhile', () => {
    const failed = new FailedSignIns(() => new Date(0));
    for (let i = 0; i < 10; i += 1) failed.begin('ada', 'guessing');
    for (let i = 0; i < 50; i += 1) failed.begin(`somebody-${i}`, 'attacking');
    let refused = 0;
    for (let i = 0; i < 60_000; i += 1) {
      // An `expect` for each of them takes a hundred times as long.
      try {
        failed.begin(`nobody-${i}`, 'attacking');
      } catch {
        refused += 1;
      }
    }
    expect(refused).toBe(60_000);
    expect(() => failed.begin('ada', 'guessing')).toThrow('too often');
  });

  test('A password that is wrong is in the audit log of whoever has the account: once an hour, however often', async () => {
    const { passwordSignIn, failedLog, email, ada, id, pass } = await begin(store());
    const failures = async () => {
      await failedLog.written();
      const entries = await store().read((session) => auditEntries(session, id, 50));
      return entries.filter(({ action }) => action === 'sign-in.fail');
    };
    for (const address of ['10.0.0.1', '10.0.0.2']) {
      await expect(passwordSignIn.signIn(email, 'not the right one', address)).rejects.toMatchObject(wrong);
      await expect(passwordSignIn.signIn(newEmail(), 'not the right one', address)).rejects.toMatchObject(wrong);
    }
    await passwordSignIn.signIn(email, password, '10.0.0.3');
    expect(await failures()).toEqual([
      expect.objectContaining({
        via: 'sign-in',
        actor: null,
        subject: ada.id,
        details: JSON.stringify({ address: '10.0.0.1' }),
      }),
    ]);
    pass(3_600);
    await expect(passwordSignIn.signIn(email, 'not the right one', '10.0.0.2')).rejects.toMatchObject(wrong);
    expect(await failures()).toHaveLength(2);
  });

  test('A password may be wrong fifty times from an address', () => {
    const failed = new FailedSignIns(() => new Date(0));
    for (let i = 0; i < 50; i += 1) failed.begin(`n${i}`, 'crowded');
    expect(() => failed.begin('ada', 'crowded')).toThrow('too often');
    failed.begin('ada', 'quiet');
  });

  test('A password that is right is not counted', async () => {
    const { passwordSignIn, email } = await begin(store());
    for (let i = 0; i < 12; i += 1) {
      expect(await passwordSignIn.signIn(email, password, 'crowded')).toMatchObject({ kind: 'signed-in' });
    }
  });

  test('A password is changed by whoever knows it, which ends every session but the new one', async () => {
    const { passwordSignIn, authentication, email, token } = await begin(store());
    const other = await passwordSignIn.signIn(email, password, 'here');
    if (other.kind !== 'signed-in') throw new Error('asked for an organisation');
    const principal = await authentication.authenticateSession(token);
    const next = 'another one to remember';
    const change = (current: string, chosen: string) =>
      passwordSignIn.change(principal, { current, password: chosen }, 'here');
    await expect(change('wrong', next)).rejects.toMatchObject({ reason: 'bad-input' });
    await expect(change(password, 'short')).rejects.toMatchObject({ reason: 'bad-input' });
    await authentication.authenticateSession(token);

    const changed = await change(password, next);
    await authentication.authenticateSession(changed.token);
    for (const old of [token, other.session.token]) {
      await expect(authentication.authenticateSession(old)).rejects.toMatchObject({ reason: 'unauthenticated' });
    }
    await expect(passwordSignIn.signIn(email, password, 'here')).rejects.toMatchObject(wrong);
    expect(await passwordSignIn.signIn(email, next, 'here')).toMatchObject({ kind: 'signed-in' });
  });
});

test.each([
  ['elf Zeichen', /at least 12/],
  ['😀'.repeat(11), /at least 12/],
  ['x'.repeat(201), /at most 200/],
  ['ADA.Lovelace@example.com', /email address is no password/],
  ['zwölf Zeiche', undefined],
  ['😀'.repeat(200), undefined],
])('%s as a password', (chosen, problem) => {
  const said = passwordProblem(chosen, 'ada.lovelace@example.com');
  if (problem) expect(said).toMatch(problem);
  else expect(said).toBeUndefined();
});
