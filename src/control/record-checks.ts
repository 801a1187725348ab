import { isBotLogin } from '../directory/identifier.ts';
import { sessionsDisputed, sessionsLeftOut } from '../ingest/apply/posthook/session-claims.ts';
import { type DisputedAccount, disputedAccounts, isCalledBot } from '../ingest/resolve/bot-accounts.ts';
import type { RecordCheck } from '../safety/record-checks.ts';

/** What the doctor looks for in records. */
export const recordChecks: readonly RecordCheck[] = [
  {
    name: 'sessions left out',
    advice:
      'Sessions are left out of AI shares, because they claim a commit of somebody else. Where they are right, an Owner can import them, or add the account of the commit to their engineer.',
    look: async (session) => (await sessionsLeftOut(session)).map(quoted),
  },
  {
    name: 'sessions refused',
    advice:
      'Sessions were refused, because a second engineer sent them under an identifier that is taken. See that every machine sends with the key of its engineer.',
    look: async (session) => (await sessionsDisputed(session)).map(quoted),
  },
  {
    name: 'bots',
    advice:
      'Records of the same account disagree on whether it is a bot. What most of them say holds, unless the login ends in [bot] or the directory says it; `plumb person set … is_bot=true` or `is_bot=false` decides it.',
    look: async (session) =>
      (await disputedAccounts(session)).map((disputed) => {
        const { account, bot, person } = disputed;
        return `${explainSql(account)} (${counted(bot)} bot, ${counted(person)} person: ${verdictOn(disputed)})`;
      }),
  },
];

const quoted = (id: string): string => `'${id}'`;

/** What the rows of an account count as, and what decided it where its records did not. */
function verdictOn(disputed: DisputedAccount): string {
  const { account, isBot } = disputed;
  // One login, named with the addresses of two people.
  if (isBot === null) return 'taken for a bot or a person, as the directory says of whom each record names';
  const verdict = isBot ? 'taken for a bot' : 'taken for a person';
  if (isBot && account.startsWith('login:') && isBotLogin(account))
    return `${verdict}, because its login ends in [bot]`;
  return isBot === isCalledBot(disputed) ? verdict : `${verdict}, because the directory says so`;
}

const counted = (records: number): string => `${records} ${records === 1 ? 'says' : 'say'}`;

/** `login:github:ada` is ada on github; an address or an identifier stands for itself. */
function explainSql(account: string): string {
  const [, source = '', login] = /^login:([^:]*):(.*)$/s.exec(account) ?? [];
  if (login !== undefined) return source === '' ? login : `${login} on ${source}`;
  return account.replace(/^(email|id):/, '');
}
