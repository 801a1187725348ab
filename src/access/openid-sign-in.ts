import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { type Actor, audit } from '../store/audit.ts';
import { ambiguousName, listOrganisations, organisationsMeant } from '../store/organisation-rows.ts';
import { insertRows } from '../store/put-rows.ts';
import { openidSubjects } from '../store/source-tables.ts';
import type { Reading, Store } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import type { OpenidIdentity, OpenidProvider } from './openid-provider.ts';
import type { OrganisationChoices, ProvenMember, SignInOutcome } from './organisation-choices.ts';

interface OpenidSignInParts {
  readonly store: Store;
  readonly provider: Pick<OpenidProvider, 'name' | 'organisations'>;
  readonly choices: OrganisationChoices;
  readonly now: () => Date;
}

interface KnownAddress extends ProvenMember {
  readonly mainEmail: string | null;
  readonly isGiven: boolean;
  /** The account of the same provider with which the person has signed in before. */
  readonly boundTo: string | null;
}

/**
 * Lets in the people whom the provider vouches for, where the directory knows them. The first time it is the email
 * address that says who they are: their main one, or one that an Owner gave them, since anyone can put any address into
 * a commit. From then on it is the provider's own identifier of them, whatever becomes of the address. This creates no
 * person.
 */
export class OpenidSignIn {
  readonly #parts: OpenidSignInParts;
  #organisations: Promise<readonly string[]> | undefined;

  constructor(parts: OpenidSignInParts) {
    this.#parts = parts;
  }

  /**
   * Identifiers of the organisations that the settings name, found once, when the server starts: an organisation that
   * gets such a name later was not meant.
   */
  organisations(): Promise<readonly string[]> {
    const { store, provider } = this.#parts;
    this.#organisations ??= store
      .read((session) => organisationsNamed(session, provider.organisations))
      .catch((error: unknown) => {
        this.#organisations = undefined;
        throw error;
      });
    return this.#organisations;
  }

  async signIn(identity: OpenidIdentity): Promise<SignInOutcome> {
    const { provider, choices } = this.#parts;
    if (identity.email === undefined || !identity.isEmailVerified) {
      throw new Refusal(
        'forbidden',
        `${provider.name} has not verified your email address, so it does not say who you are. Verify it there first.`,
      );
    }
    const found: (ProvenMember | 'another account' | undefined)[] = [];
    for (const organisationId of await this.organisations()) found.push(await this.#memberOf(organisationId, identity));
    const memberships = found.filter((one) => typeof one === 'object');
    if (memberships.length === 0) {
      throw new Refusal(
        'forbidden',
        found.includes('another account')
          ? `You have signed in here with another account of ${provider.name} before. Use that one, or a sign-in link.`
          : 'No one here has your email address. Ask an Owner of your organisation to add it to you.',
      );
    }
    return choices.enter(memberships, 'openid');
  }

  /**
   * The person in one organisation; or the news that they have signed in there before with another account of the
   * provider.
   */
  async #memberOf(
    organisationId: string,
    identity: OpenidIdentity,
  ): Promise<ProvenMember | 'another account' | undefined> {
    const { store } = this.#parts;
    const bound = await store.read((session) => boundMember(session, organisationId, identity));
    if (bound) return bound;
    const known = await store.read((session) => knownByAddress(session, organisationId, identity));
    const key = keyOf(identity.email ?? '');
    const fitting = known.filter(({ mainEmail, isGiven }) => isGiven || keyOf(mainEmail ?? '') === key);
    const [only] = fitting;
    if (!only || fitting.length > 1) return undefined;
    if (only.boundTo !== null) return 'another account';
    const { organisationName, personId } = only;
    return (await this.#bind(organisationId, personId, identity))
      ? { organisationId, organisationName, personId }
      : undefined;
  }

  /** False where the identity or the person is bound already: another sign-in was quicker. */
  #bind(organisationId: string, personId: string, { issuer, subject }: OpenidIdentity): Promise<boolean> {
    const { store, now } = this.#parts;
    return store.change(organisationId, async (session) => {
      const others = await session.rows(
        `SELECT 1 AS one FROM openid_subjects WHERE organisation_id = $1 AND issuer = $2
         AND (subject = $3 OR person_id = $4)`,
        [organisationId, issuer, subject, personId],
      );
      if (others.length > 0) return false;
      const at = now();
      await insertRows(session, openidSubjects, [
        { organisation_id: organisationId, issuer, subject, person_id: personId, bound_at: at },
      ]);
      const actor: Actor = { via: 'sign-in', personId };
      await audit(session, actor, at, [{ action: 'openid.bind', subject: personId, details: { issuer } }]);
      return true;
    });
  }
}

async function organisationsNamed(session: Reading, names: readonly string[]): Promise<readonly string[]> {
  const all = await listOrganisations(session);
  const problems: string[] = [];
  const ids = names.flatMap((name) => {
    const meant = organisationsMeant(all, name);
    if (meant.length === 0) {
      const hint = didYouMean(
        name,
        all.map((one) => one.name),
      );
      problems.push(`There is no organisation '${name}'.${hint || ' `plumb org list` lists all of them.'}`);
    }
    if (meant.length > 1) problems.push(ambiguousName(name, meant));
    return meant.map(({ id }) => id);
  });
  if (problems.length > 0) {
    throw new Refusal('bad-input', `PLUMB_OIDC_ORGANISATIONS is not usable: ${problems.join(' ')}`);
  }
  return [...new Set(ids)];
}

async function boundMember(
  session: Reading,
  organisationId: string,
  { issuer, subject }: OpenidIdentity,
): Promise<ProvenMember | undefined> {
  const [row] = await session.rows<ProvenMember>(
    `SELECT o.id AS "organisationId", o.name AS "organisationName", e.id AS "personId"
     FROM openid_subjects s
     JOIN organisations o ON o.id = s.organisation_id
     JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
     JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
     WHERE s.organisation_id = $1 AND s.issuer = $2 AND s.subject = $3`,
    [organisationId, issuer, subject],
  );
  return row;
}

/** Everyone who has the address, from any source. */
function knownByAddress(
  session: Reading,
  organisationId: string,
  { issuer, email = '' }: OpenidIdentity,
): Promise<KnownAddress[]> {
  return session.rows(
    `SELECT DISTINCT o.id AS "organisationId", o.name AS "organisationName", e.id AS "personId",
            e.main_email AS "mainEmail", g.key IS NOT NULL AS "isGiven", b.subject AS "boundTo"
     FROM identities i
     JOIN organisations o ON o.id = i.organisation_id
     JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
     LEFT JOIN given_emails g ON g.organisation_id = i.organisation_id AND g.key = i.key AND g.person_id = i.person_id
     LEFT JOIN openid_subjects b
       ON b.organisation_id = e.organisation_id AND b.person_id = e.id AND b.issuer = $3
     WHERE i.organisation_id = $1 AND i.kind = 'email' AND i.key = $2`,
    [organisationId, keyOf(email), issuer],
  );
}
