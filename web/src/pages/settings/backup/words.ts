import { msPerDay } from '../../../../../src/calendar.ts';
import { counted } from '../../../view/format.ts';

export const backupWords = {
  backup: 'Backup',
  backups: 'Backups are',
  whatKnownBackups: 'The state of backups',
  forOperatorServer: 'For the operator of the server',
  firstCommandHolds: (lastBackupAt: string | null | undefined, time: string, name: string) =>
    `${lastBackupAt ? `Last backup: ${time}.` : 'No backup yet.'} The first command backs up every organisation on this server, the second only ${name}.`,
  commandForBackupWhole: 'Command for a backup of the whole server',
  copy: 'Copy',
  commandForBackup: 'Command for a backup of this organisation',
  download: (name: string) => `Download ${name}`,
  downloadBackup: 'Download the backup',
} as const;

/** Whether a backup of yesterday could be restored. */
export function backupSentence(lastAt: string | null, now: Date): string {
  if (lastAt === null) return 'There’s no backup yet. What is lost now stays lost.';
  const days = Math.floor((now.getTime() - Date.parse(lastAt)) / msPerDay);
  if (days < 1) return 'The last backup is less than a day old.';
  return `The last backup is ${counted(days, 'day', 'days')} old${days > 7 ? ': make a new one' : ''}.`;
}

/** The content of the file, by the privacy of surveys and whether the reader may see salaries. */
export function downloadHolds(surveyPrivacy: string, hasSalaries: boolean): string {
  const isAnonymous = surveyPrivacy === 'anonymous';
  const sentences = [
    'One file with your organisation alone.',
    isAnonymous ? 'Survey answers aren’t included because survey privacy is anonymous.' : '',
    hasSalaries ? '' : 'Salaries aren’t included because you can’t see them.',
    isAnonymous || !hasSalaries
      ? 'The file of the second command holds everything.'
      : 'It holds the same as that of the second command.',
    `Names${hasSalaries ? ', addresses and salaries' : ' and addresses'} are in it${isAnonymous ? '' : ', and answers to surveys with their respondents unless one of these surveys is anonymous'}: keep it like a password.`,
    hasSalaries
      ? 'The download is written into the audit log, and that you have read salaries.'
      : 'The download is written into the audit log.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
