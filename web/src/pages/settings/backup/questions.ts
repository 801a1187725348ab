import { counted } from '../../../view/format.ts';

export const backupPath = '/app/backup';

export interface BackupAnswer {
  readonly last_backup_at: string | null;
  readonly command: string;
  readonly command_for_this_organisation: string;
}

const dayMs = 86_400_000;

/** Whether one could go back to yesterday. */
export function backupSentence(lastAt: string | null, now: Date): string {
  if (lastAt === null) return 'No backup was ever made: what is lost now stays lost.';
  const days = Math.floor((now.getTime() - Date.parse(lastAt)) / dayMs);
  if (days < 1) return 'The last backup is less than a day old.';
  return `The last backup is ${counted(days, 'day', 'days')} old${days > 7 ? ': make a new one' : ''}.`;
}
