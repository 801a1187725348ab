import { stranger, ticketOf } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { Actor } from '../store/audit.ts';
import type { Reading, Store } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import type { FailedSignInLog, FailedSignIns } from './failed-sign-ins.ts';
import type { OrganisationChoices, ProvenMember, SignInOutcome } from './organisation-choices.ts';
import { type Passwords, passwordProblem, setPasswordIn } from './passwords.ts';
import type { Principal } from './principal.ts';
import type { BegunSession, Sessions } from './sign-in-sessions.ts';

const wrong = 'This email address and this password do not belong together.';
const maxEmailLength = 500;
/** No address is in more organisations than this, and each costs a check of the password. */
const maxOrganisations = 20;

interface PasswordHolder extends ProvenMember {
  readonly hash: string;
}

interface PasswordSignInParts {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly failed: FailedSignIns;
  readonly log: FailedSignInLog;
  readonly sessions: Sessions;
  readonly choices: OrganisationChoices;
  readonly now: () => Date;
}

/** Signing in with an email address and a password. */
export class PasswordSignIn {
  readonly #parts: PasswordSignInParts;

  constructor(parts: PasswordSignInParts) {
    this.#parts = parts;
  }

  /** Whatever does not fit, the caller learns the same, and after the same work: nothing about who has an account. */
  async signIn(email: string, password: string, address: string): Promise<SignInOutcome> {
    const { store, failed, log, passwords, choices } = this.#parts;
    const account = keyOf(email.slice(0, maxEmailLength));
    const succeeded = failed.begin(account, address);
    const holders = await store.read((session) => holdersOf(session, account), { ticket: ticketOf(stranger(address)) });
    const fitting: ProvenMember[] = [];
    for (const { hash, ...membership } of holders) {
      if (await passwords.fits(password, hash, address)) fitting.push(membership);
    }
    if (holders.length === 0) await passwords.fitsNobody(address);
    if (fitting.length === 0) {
      log.note(holders, address);
      throw new Refusal('unauthenticated', wrong);
    }
    succeeded();
    return choices.enter(fitting, 'password');
  }

  /**
   * Sets another password for a signed-in person who knows the old one. All their sessions end, and a new one begins.
   */
  async change(
    { organisationId, personId }: Principal,
    { current, password }: { readonly current: string; readonly password: string },
    address: string,
  ): Promise<BegunSession> {
    const { store, failed, log, passwords, sessions, now } = this.#parts;
    const known = await store.read((session) => passwordOf(session, organisationId, personId));
    if (!known) {
      throw new Refusal('conflict', 'You have no password yet. Ask an owner for a sign-in link, which asks for one.');
    }
    const problem = passwordProblem(password, known.email);
    if (problem !== undefined) throw new Refusal('bad-input', problem);
    const succeeded = failed.begin(`${organisationId} ${personId}`, address);
    if (!(await passwords.fits(current, known.hash, address))) {
      log.note([{ organisationId, personId }], address);
      throw new Refusal('bad-input', 'The current password is not right.');
    }
    succeeded();
    const hashed = await passwords.hash(password, address);
    return store.change(organisationId, async (session) => {
      const actor: Actor = { via: 'session', personId };
      await setPasswordIn(session, actor, personId, { hashed, at: now() });
      await sessions.endAllIn(session, actor, personId);
      return sessions.beginIn(session, personId, 'password');
    });
  }
}

/** Everyone who has a password and this address, in any organisation. */
function holdersOf(session: Reading, account: string): Promise<PasswordHolder[]> {
  return session.rows(
    `SELECT DISTINCT o.id AS "organisationId", o.name AS "organisationName", e.id AS "personId", w.hash
     FROM identities i
     JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
     JOIN passwords w ON w.organisation_id = e.organisation_id AND w.person_id = e.id
     JOIN organisations o ON o.id = e.organisation_id
     WHERE i.kind = 'email' AND i.key = $1 ORDER BY o.name, o.id LIMIT ${maxOrganisations}`,
    [account],
  );
}

async function passwordOf(
  session: Reading,
  organisationId: string,
  personId: string,
): Promise<{ readonly hash: string; readonly email: string | null } | undefined> {
  const [row] = await session.rows<{ hash: string; email: string | null }>(
    `SELECT w.hash, p.main_email AS email FROM passwords w
     JOIN people p ON p.organisation_id = w.organisation_id AND p.id = w.person_id
     WHERE w.organisation_id = $1 AND w.person_id = $2`,
    [organisationId, personId],
  );
  return row;
}
