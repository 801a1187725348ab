import { useLocation } from 'wouter';
import { roleMeaning } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
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

/** The reader's own settings: who they are here, their password, where they are signed in. */
export default function Settings() {
  const session = useSession();
  const { person, role, permissions, organisation, owners, version } = session;
  return (
    <SettingsPage
      title="Settings"
      sentence={
        <>
          You are signed in to {organisation.name} as <strong>{role}</strong>.
        </>
      }
    >
      {() => (
        <>
          <section className="card" aria-labelledby="you">
            <header>
              <h2 id="you">You</h2>
            </header>
            <dl className="fact-list">
              <dt>Name</dt>
              <dd>
                <PersonLink id={person.id}>{person.name}</PersonLink>
              </dd>
              <dt>Address</dt>
              <dd>{person.email ?? 'none'}</dd>
              <dt>Role</dt>
              <dd>
                {role}: {roleMeaning(role, organisation)}
              </dd>
              <dt>Permissions</dt>
              <dd>{permissions.length === 0 ? 'none beyond the role' : permissions.join(', ')}</dd>
              <dt>Signed in with</dt>
              <dd>{howSignedIn[session.signed_in_with] ?? session.signed_in_with}</dd>
              <dt>Plumb</dt>
              <dd>version {version}</dd>
            </dl>
            {isOwner(session) && (
              <div className="small after">
                <RestartSetup />
              </div>
            )}
            {!isOwner(session) && owners.length > 0 && (
              <p className="small secondary after">
                Roles, connections, the audit log and backups are in the hands of the Owners:{' '}
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
        Restart setup
      </button>
      <ActionOutcome action={action} />
    </>
  );
}

const howSignedIn: Readonly<Record<string, string>> = {
  password: 'address and password',
  link: 'a sign-in link',
  openid: 'your organisation’s sign-in (OpenID Connect)',
};
