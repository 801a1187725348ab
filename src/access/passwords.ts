import { hash, verify } from '@node-rs/argon2';
import { Budget } from '../admission/budget.ts';
import { stranger, ticketOf } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import { type Actor, audit } from '../store/audit.ts';
import { putRows } from '../store/put-rows.ts';
import { passwords } from '../store/source-tables.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';

export const minPasswordLength = 12;
const maxPasswordLength = 200;

/**
 * OWASP recommends these parameters for argon2id. They are also the library's defaults, and named here so that no
 * update changes them.
 */
const costs = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** People may type the same letters with composed or with separate accents. */
const typed = (password: string): string => password.normalize('NFC');

/** The reason why a chosen password is refused. */
export function passwordProblem(password: string, email: string | null): string | undefined {
  const characters = [...typed(password)].length;
  if (characters < minPasswordLength) return `Choose a password of at least ${minPasswordLength} characters.`;
  if (characters > maxPasswordLength) return `Choose a password of at most ${maxPasswordLength} characters.`;
  if (email !== null && keyOf(password) === keyOf(email)) {
    return 'Your email address is no password: others know it. Choose another one.';
  }
  return undefined;
}

/**
 * Hashes and checks passwords. Each takes 19 MiB for some time, so only a few are at work at once, and addresses take
 * turns. The library works on threads of its own.
 */
export class Passwords {
  readonly #turns = new Budget({
    shares: { all: 2, organisation: 2, key: 1 },
    waiting: { organisation: 100, key: 20 },
    crowded: () =>
      new Refusal('unavailable', 'Too many people are signing in at once. Try again in a moment.', {
        retryAfterSeconds: 2,
      }),
  });
  #nobodys: Promise<string> | undefined;

  hash(password: string, address = ''): Promise<string> {
    return this.#take(address, () => hash(typed(password), costs));
  }

  fits(password: string, hashed: string, address = ''): Promise<boolean> {
    // Nobody can have chosen a longer one, and checking costs time for each character.
    if (password.length > 4 * maxPasswordLength) return this.fitsNobody(address);
    return this.#take(address, () => verify(hashed, typed(password)));
  }

  /** Takes as long as for a person with a password, so that the time does not reveal who has an account. */
  fitsNobody(address = ''): Promise<boolean> {
    return this.#take(address, async () => {
      this.#nobodys ??= hash('no one’s password', costs);
      await verify(await this.#nobodys, 'another password');
      return false;
    });
  }

  #take<T>(address: string, work: () => Promise<T>): Promise<T> {
    const ticket = ticketOf(stranger(address));
    return this.#turns.take({ ticket }, work);
  }
}

/** Gives a person a password, in place of the one they had. */
export async function setPasswordIn(
  session: OrganisationWriting,
  actor: Actor,
  personId: string,
  { hashed, at }: { readonly hashed: string; readonly at: Date },
): Promise<void> {
  const { organisationId } = session;
  await putRows(session, passwords, [
    { organisation_id: organisationId, person_id: personId, hash: hashed, set_at: at },
  ]);
  await audit(session, actor, at, [{ action: 'password.set', subject: personId }]);
}
