import type { ReactNode } from 'react';
import { isOwner, useSession } from '../../page-session.ts';
import { settingsPages } from '../../routes.ts';
import { Page } from '../../view/page.tsx';
import { NotAllowed } from '../../view/states.tsx';
import { Subpages } from '../../view/subpages.tsx';
import { settingsPageWords } from './settings-page-words.ts';

interface SettingsPageProps {
  readonly title: string;
  readonly sentence?: ReactNode;
  readonly actions?: ReactNode;
  /**
   * The part that only Owners may see, as the subject of a sentence: `Connections are`. Without it, everybody may read
   * the page.
   */
  readonly ownersOnly?: string;
  readonly children: () => ReactNode;
}

/** The frame of all pages of settings: title, links to the others, and a refusal that says whom to ask. */
export function SettingsPage({ title, sentence, actions, ownersOnly, children }: SettingsPageProps) {
  const session = useSession();
  const isRefused = ownersOnly !== undefined && !isOwner(session);
  return (
    <Page
      title={title}
      hasControls={false}
      hasRecords={false}
      {...(sentence !== undefined && !isRefused ? { sentence } : {})}
      {...(actions && !isRefused ? { actions } : {})}
    >
      <Subpages
        label={settingsPageWords.settings}
        pages={settingsPages.filter(({ isForOwners }) => isOwner(session) || !isForOwners)}
      />
      {isRefused ? (
        <section className="card">
          <NotAllowed what={ownersOnly} needs={settingsPageWords.forOwners} />
        </section>
      ) : (
        children()
      )}
    </Page>
  );
}
