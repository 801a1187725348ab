import { disputedAccounts, isCalledBot } from '../ingest/people/bot-accounts.ts';
import type { RecordCheck } from '../safety/record-checks.ts';

/** What the doctor looks for in records. */
export const recordChecks: readonly RecordCheck[] = [
  {
    name: 'bots',
    advice:
      'Records of the same account disagree on whether it is a bot. What most of them say holds; `plumb person set … is_bot=true` or `is_bot=false` decides it.',
    look: async (session) =>
      (await disputedAccounts(session)).map((votes) => {
        const { account, bot, person } = votes;
        const verdict = isCalledBot(votes) ? 'taken for a bot' : 'taken for a person';
        return `${inWords(account)} (${counted(bot)} bot, ${counted(person)} person: ${verdict})`;
      }),
  },
];

const counted = (records: number): string => `${records} ${records === 1 ? 'says' : 'say'}`;

/** `login:github:ada` is ada on github; an address or an identifier stands for itself. */
function inWords(account: string): string {
  const [, source = '', login] = /^login:([^:]*):(.*)$/s.exec(account) ?? [];
  if (login !== undefined) return source === '' ? login : `${login} on ${source}`;
  return account.replace(/^(email|id):/, '');
}
