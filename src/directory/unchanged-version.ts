import { actionsSince } from '../store/audit.ts';
import { versionIn } from '../store/organisations.ts';
import type { Reading } from '../store/store.ts';

/** What is done to keys, sources and ways of signing in changes no table. */
const harmless = ['key.', 'sign-in.', 'session.', 'password.', 'openid.', 'source.'];
const isHarmless = (action: string): boolean => harmless.some((kind) => action.startsWith(kind));

/** The newest version of an organisation, when nothing happened since another version that a table depends on. */
export async function versionUnchangedSince(
  session: Reading,
  organisationId: string,
  since: number,
): Promise<number | undefined> {
  const version = await versionIn(session, organisationId);
  const actions = version < since ? undefined : await actionsSince(session, organisationId, since);
  return actions?.every(isHarmless) ? version : undefined;
}
