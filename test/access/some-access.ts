import { ApiKeys } from '../../src/access/api-keys.ts';
import { Authentication } from '../../src/access/authentication.ts';
import { FailedSignIns } from '../../src/access/failed-sign-ins.ts';
import { OrganisationChoices } from '../../src/access/organisation-choices.ts';
import { PasswordSignIn } from '../../src/access/password-sign-in.ts';
import { Passwords } from '../../src/access/passwords.ts';
import { Sessions } from '../../src/access/sessions.ts';
import { SignIns } from '../../src/access/sign-in.ts';
import type { Reading, Store } from '../../src/store/store.ts';
import { noon } from '../conformance/some-organisation.ts';

export const actor = { via: 'demo' } as const;

/** The room of access over a store whose reads are counted, with a clock that the test moves. */
export function someAccess(store: Store) {
  let now = noon.getTime();
  let reads = 0;
  const counting: Store = {
    engine: store.engine,
    isShared: store.isShared,
    writerTurns: store.writerTurns,
    read: <T>(work: (session: Reading) => Promise<T>) => {
      reads += 1;
      return store.read(work);
    },
    change: (id, work) => store.change(id, work),
    note: (work) => store.note(work),
    versionOf: (id) => store.versionOf(id),
    watch: (listener) => store.watch(listener),
    close: () => store.close(),
  };
  const clock = () => new Date(now);
  const keys = new ApiKeys(counting, clock);
  const sessions = new Sessions(counting, clock);
  const passwords = new Passwords();
  const failed = new FailedSignIns(clock);
  const choices = new OrganisationChoices(sessions, clock);
  return {
    keys,
    authentication: new Authentication(counting, clock),
    sessions,
    passwordSignIn: new PasswordSignIn({ store: counting, passwords, failed, sessions, choices, now: clock }),
    choices,
    signIns: new SignIns({ store: counting, passwords, sessions, now: clock }),
    clock,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    reads: () => reads,
  };
}
