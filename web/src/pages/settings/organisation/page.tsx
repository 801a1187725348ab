import { useJson } from '../../../ask/use-answer.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { OrganisationForm } from './organisation-form.tsx';
import { type OrganisationSettings, organisationPath } from './questions.ts';
import { organisationSentence, organisationWords } from './words.ts';

/** What holds for everyone: the name, the time zone, who sees what, how some figures are counted. */
export default function OrganisationPage() {
  const session = useSession();
  const answer = useJson<OrganisationSettings>(organisationPath);
  return (
    <SettingsPage
      title={organisationWords.organisation}
      sentence={answer.data ? organisationSentence(answer.data) : ' '}
    >
      {() => (
        <Answered answer={answer} what={organisationWords.settings}>
          {(settings) => <OrganisationForm settings={settings} isReadOnly={!isOwner(session)} />}
        </Answered>
      )}
    </SettingsPage>
  );
}
