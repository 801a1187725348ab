import { useEffect, useState } from 'react';
import { useJson } from '../../../ask/use-answer.ts';
import { useView } from '../../../ask/use-view.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { CodeBlock } from '../../../view/code-block.tsx';
import { shownTime } from '../../../view/format.ts';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type BackupAnswer, backupPath } from './questions.ts';
import { backupSentence, backupWords, downloadHolds } from './words.ts';

/** When the last backup was made, how the operator makes one, and one's own organisation as a file. */
export default function BackupPage() {
  const session = useSession();
  const { zone } = useView();
  const answer = useJson<BackupAnswer>(isOwner(session) ? backupPath : undefined);
  return (
    <SettingsPage
      title={backupWords.backup}
      ownersOnly={backupWords.backups}
      sentence={answer.data ? backupSentence(answer.data.last_backup_at, new Date()) : ' '}
    >
      {() => (
        <Answered answer={answer} what={backupWords.whatKnownBackups}>
          {({ last_backup_at, download_has_salaries, command, command_for_this_organisation }) => (
            <div className="stack">
              <section className="card" aria-labelledby="operator">
                <header>
                  <div>
                    <h2 id="operator">{backupWords.forOperatorServer}</h2>
                    <p className="subtitle">
                      {backupWords.firstCommandHolds(
                        last_backup_at,
                        shownTime(last_backup_at, zone),
                        session.organisation.name,
                      )}
                    </p>
                  </div>
                </header>
                <div className="stack">
                  <CodeBlock name={backupWords.commandForBackupWhole} label={backupWords.copy} text={command} />
                  <CodeBlock
                    name={backupWords.commandForBackup}
                    label={backupWords.copy}
                    text={command_for_this_organisation}
                  />
                </div>
              </section>
              <section className="card" aria-labelledby="download">
                <header>
                  <div>
                    <h2 id="download">{backupWords.download(session.organisation.name)}</h2>
                    <p className="subtitle">
                      {downloadHolds(session.organisation.survey_privacy, download_has_salaries)}
                    </p>
                  </div>
                </header>
                <DownloadForm />
              </section>
            </div>
          )}
        </Answered>
      )}
    </SettingsPage>
  );
}

/** How long a download may take to begin; the page cannot see it. */
const beginsWithin = 5_000;

/**
 * The browser itself sends the request. The server refuses a second download beside the first, so a double click must
 * not ask for one.
 */
function DownloadForm() {
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    if (!isSent) return;
    const timer = setTimeout(() => setSent(false), beginsWithin);
    return () => clearTimeout(timer);
  }, [isSent]);
  return (
    <form method="post" action={`${backupPath}/download`} onSubmit={() => setSent(true)}>
      <button type="submit" className="button primary" disabled={isSent}>
        {backupWords.downloadBackup}
      </button>
    </form>
  );
}
