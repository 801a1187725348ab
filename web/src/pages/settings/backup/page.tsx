import { useEffect, useState } from 'react';
import { useJson } from '../../../ask/use-answer.ts';
import { useView } from '../../../ask/use-view.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { CodeBlock } from '../../../view/code-block.tsx';
import { shownTime } from '../../../view/format.ts';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type BackupAnswer, backupPath, backupSentence, downloadHolds } from './questions.ts';

/** When the last backup was made, how the operator makes one, and one's own organisation as a file. */
export default function BackupPage() {
  const session = useSession();
  const { zone } = useView();
  const answer = useJson<BackupAnswer>(isOwner(session) ? backupPath : undefined);
  return (
    <SettingsPage
      title="Backup"
      ownersOnly="Backups are"
      sentence={answer.data ? backupSentence(answer.data.last_backup_at, new Date()) : ' '}
    >
      {() => (
        <Answered answer={answer} what="What is known of backups">
          {({ last_backup_at, download_has_salaries, command, command_for_this_organisation }) => (
            <div className="stack">
              <section className="card" aria-labelledby="operator">
                <header>
                  <div>
                    <h2 id="operator">For the operator of the server</h2>
                    <p className="subtitle">
                      {last_backup_at ? `Last backup: ${shownTime(last_backup_at, zone)}.` : 'No backup is known.'} The
                      first command holds all organisations of this server, the second only {session.organisation.name}.
                    </p>
                  </div>
                </header>
                <div className="stack">
                  <CodeBlock name="Command for a backup of the whole server" label="Copy" text={command} />
                  <CodeBlock
                    name="Command for a backup of this organisation"
                    label="Copy"
                    text={command_for_this_organisation}
                  />
                </div>
              </section>
              <section className="card" aria-labelledby="download">
                <header>
                  <div>
                    <h2 id="download">Download {session.organisation.name}</h2>
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
        Download the backup
      </button>
    </form>
  );
}
