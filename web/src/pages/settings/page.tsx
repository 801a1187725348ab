import { useLocation } from 'wouter';
import { refresh } from '../../ask/refresh.ts';
import { roleMeaning } from '../../ask/role-words.ts';
import { sendJson } from '../../ask/send.ts';
import { useView } from '../../ask/use-view.ts';
import { linkTo } from '../../ask/view-state.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { PersonLink } from '../../view/person-link.tsx';
import '../../view/form.css';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { permissionName, settingsWords } from './words.ts';

/** The reader's own settings: who they are here, their password, where they are signed in. */
export default function Settings() {
  const session = useSession();
  const { person, role, permissions, organisation, owners, version } = session;
  return (
    <SettingsPage
      title={settingsWords.settings}
      sentence={
        <>
          {settingsWords.youSigned(organisation.name)} <strong>{role}</strong>.
        </>
      }
    >
      {() => (
        <>
          <section className="card" aria-labelledby="you">
            <header>
              <h2 id="you">{settingsWords.you}</h2>
            </header>
            <dl className="fact-list">
              <dt>{settingsWords.name}</dt>
              <dd>
                <PersonLink id={person.id}>{person.name}</PersonLink>
              </dd>
              <dt>{settingsWords.address}</dt>
              <dd>{person.email ?? 'none'}</dd>
              <dt>{settingsWords.role}</dt>
              <dd>
                {role}: {roleMeaning(role, organisation)}
              </dd>
              <dt>{settingsWords.permissions}</dt>
              <dd>
                {permissions.length === 0 ? settingsWords.noneBeyondRole : permissions.map(permissionName).join(', ')}
              </dd>
              <dt>{settingsWords.signed}</dt>
              <dd>{howSignedIn[session.signed_in_with] ?? session.signed_in_with}</dd>
              <dt>{settingsWords.plumb}</dt>
              <dd>{settingsWords.version(version)}</dd>
            </dl>
            {isOwner(session) && (
              <div className="small after">
                <RestartSetup />
              </div>
            )}
            {!isOwner(session) && owners.length > 0 && (
              <p className="small secondary after">
                {settingsWords.rolesConnectionsAuditLog}{' '}
                {owners.map(({ name, email }) => (email ? `${name} (${email})` : name)).join(', ')}.
              </p>
            )}
          </section>
          <PasswordForm />
          <OwnSessions />
        </>
      )}
    </SettingsPage>
  );
}

/** Setup forgets what was left for later, and opens. */
function RestartSetup() {
  const [, navigate] = useLocation();
  const { state } = useView();
  const action = useAction();
  return (
    <>
      <button
        type="button"
        className="link"
        disabled={action.isBusy}
        onClick={() =>
          void action.run(async () => {
            await sendJson('PUT', '/app/setup', { skipped: [], is_closed: false });
            await refresh('/app/setup');
            navigate(linkTo('/welcome', state));
            return '';
          })
        }
      >
        {settingsWords.restartSetup}
      </button>
      <ActionOutcome action={action} />
    </>
  );
}

const howSignedIn: Readonly<Record<string, string>> = {
  password: settingsWords.addressAndPassword,
  link: settingsWords.signInLink,
  openid: settingsWords.yourOrganisationsSign,
};
