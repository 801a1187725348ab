export const backupPath = '/app/backup';

export interface BackupAnswer {
  readonly last_backup_at: string | null;
  readonly download_has_salaries: boolean;
  readonly command: string;
  readonly command_for_this_organisation: string;
}
