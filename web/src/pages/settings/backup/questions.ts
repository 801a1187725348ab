import { msPerDay } from '../../../../../src/calendar.ts';
import { counted } from '../../../view/format.ts';

export const backupPath = '/app/backup';

export interface BackupAnswer {
  readonly last_backup_at: string | null;
  readonly command: string;
  readonly command_for_this_organisation: string;
}

/** Whether one could go back to yesterday. */
export function backupSentence(lastAt: string | null, now: Date): string {
  if (lastAt === null) return 'No backup was ever made: what is lost now stays lost.';
  const days = Math.floor((now.getTime() - Date.parse(lastAt)) / msPerDay);
  if (days < 1) return 'The last backup is less than a day old.';
  return `The last backup is ${counted(days, 'day', 'days')} old${days > 7 ? ': make a new one' : ''}.`;
}

/** What the file holds, by how private answers to surveys are. */
export const downloadHolds = (surveyPrivacy: string): string =>
  [
    'One file with your organisation and nothing of others.',
    surveyPrivacy === 'anonymous'
      ? 'Answers to surveys are not in it, because survey privacy is anonymous; they are in the file of the second command.'
      : 'It holds the same as that of the second command, answers to surveys with their respondents included.',
    'Names, addresses and salaries are in it: keep it like a password. The download is written into the audit log.',
  ].join(' ');
