import type { Reading } from '../store/store.ts';
import { type Principal, type PrincipalRow, principalColumns, principalFrom } from './principal.ts';
import { apiKeyKind, type SecretKind, sessionKind } from './secret-token.ts';
import { lifeMs, type SignInMethod } from './session.ts';

/** A caller by a key or a session, as they were at a version of their organisation. */
export interface KnownPrincipal {
  readonly principal: Principal;
  readonly version: number;
  readonly expiresAt: Date | null;
  /** When a session was last used. */
  usedAt?: Date;
}

interface KeyRow extends PrincipalRow {
  readonly expires_at: Date | null;
}

interface SignInSessionRow extends PrincipalRow {
  readonly session_id: string;
  readonly method: SignInMethod;
  readonly created_at: Date;
  readonly last_used_at: Date;
}

const invalidKey =
  'Invalid or missing API key. Send a valid key alone in the header Authorization; `plumb key create` makes one.';

/** A kind of secret that says who the caller is. */
export interface Credential {
  readonly kind: SecretKind;
  readonly find: (session: Reading, hash: string) => Promise<KnownPrincipal | undefined>;
  /** Whatever is wrong with one, the caller learns the same: nothing about others. */
  readonly invalid: string;
}

export const keyCredential: Credential = {
  kind: apiKeyKind,
  invalid: invalidKey,
  find: async (session, hash) => {
    const [row] = await session.rows<KeyRow>(
      `SELECT k.id AS key_id, k.expires_at, ${principalColumns}
       FROM api_keys k
       JOIN organisations o ON o.id = k.organisation_id
       JOIN people p ON p.organisation_id = k.organisation_id AND p.id = k.creator_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE k.hash = $1 AND k.revoked_at IS NULL`,
      [hash],
    );
    return row && { principal: await principalFrom(session, row), version: row.version, expiresAt: row.expires_at };
  },
};

export const sessionCredential: Credential = {
  kind: sessionKind,
  invalid: 'You are not signed in, or your session has ended. Sign in again.',
  find: async (session, hash) => {
    const [row] = await session.rows<SignInSessionRow>(
      `SELECT s.id AS session_id, s.method, s.created_at, s.last_used_at,
              'person ' || o.id || ' ' || e.id AS key_id, ${principalColumns}
       FROM sessions s
       JOIN organisations o ON o.id = s.organisation_id
       JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE s.hash = $1`,
      [hash],
    );
    if (!row) return undefined;
    return {
      principal: { ...(await principalFrom(session, row)), session: { id: row.session_id, method: row.method } },
      version: row.version,
      expiresAt: new Date(row.created_at.getTime() + lifeMs),
      usedAt: row.last_used_at,
    };
  },
};
