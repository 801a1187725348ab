import { people } from '../store/all-store-tables.ts';
import { type AuditedAction, audit } from '../store/audit.ts';
import { identitiesOf, mergedWith, type PersonRow } from '../store/people-rows.ts';
import { putRows } from '../store/put-rows.ts';
import type { Directory } from './directory.ts';
import { isBotLogin } from './identifier.ts';
import { counts, onboardingOf } from './person-state.ts';

/**
 * Notes which people most of their records call a bot, and which no longer. People who were onboarded automatically
 * count only while they are no bot. People are named as who they are after all merges; those who are gone are passed
 * over.
 */
export async function noteCalledBots(
  directory: Directory,
  organisationId: string,
  called: ReadonlyMap<string, boolean>,
): Promise<void> {
  await directory.store.change(organisationId, async (session) => {
    const rows = await mergedWith(session, organisationId, [...called.keys()]);
    const withBotLogin = new Set(
      (
        await identitiesOf(
          session,
          organisationId,
          rows.map(({ id }) => id),
        )
      ).flatMap(({ kind, key, person_id }) => (kind === 'login' && isBotLogin(key) ? [person_id] : [])),
    );
    const auditedActions: AuditedAction[] = [];
    const onboarded = new Map<string, boolean>();
    const changed = rows.map((row) => {
      const verdict = row.effective_id === row.id ? called.get(row.id) : undefined;
      if (verdict === undefined) return row;
      const hasBotLogin = withBotLogin.has(row.id);
      const stated = statedBot(row, hasBotLogin);
      const now = { ...row, stated_bot: stated, called_bot: verdict, is_bot: isBot(stated, hasBotLogin, verdict) };
      onboarded.set(row.id, counts(onboardingOf(row), now.is_bot));
      auditedActions.push({ action: verdict ? 'person.called-bot' : 'person.called-person', subject: row.id });
      return now;
    });
    await putRows(
      session,
      people,
      changed.map((row) => ({
        ...row,
        onboarding: onboardingOf(row),
        onboarded: onboarded.get(row.effective_id) ?? row.onboarded,
      })),
    );
    await audit(session, { via: 'records' }, directory.now(), auditedActions);
  });
}

type Marks = Pick<PersonRow, 'stated_bot' | 'called_bot' | 'is_bot'>;

/**
 * Whether the directory itself says that a person is a bot, or is none; null where it says neither. Rows from before
 * this column existed hold only the result: a bot without a login of bots was said to be one.
 */
export function statedBot({ stated_bot, called_bot, is_bot }: Marks, hasBotLogin: boolean): boolean | null {
  if (stated_bot !== null) return stated_bot;
  return is_bot && !hasBotLogin && called_bot !== true ? true : null;
}

/** The directory decides; else a login that only bots have; else most of the person's records. */
export const isBot = (stated: boolean | null, hasBotLogin: boolean, calledBot: boolean | null): boolean =>
  stated ?? (hasBotLogin || calledBot === true);
