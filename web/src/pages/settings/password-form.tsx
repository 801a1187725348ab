import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { TextField } from '../../view/form.tsx';
import { passwordFormWords, passwordProblem } from './words.ts';

/** A new password. It ends every other session of this person. */
export function PasswordForm() {
  const action = useAction();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const problem = passwordProblem(current, password, again);
  return (
    <section className="card" aria-labelledby="password">
      <header>
        <div>
          <h2 id="password">{passwordFormWords.password}</h2>
          <p className="subtitle">{passwordFormWords.newOneSignsYou(isOwner(useSession()))}</p>
        </div>
      </header>
      <form
        className="form"
        onSubmit={async (event) => {
          event.preventDefault();
          if (problem) return;
          const isDone = await action.run(async () => {
            await postJson('/app/password', { current, password });
            await refresh('/app/sessions');
            return passwordFormWords.yourPasswordChanged;
          });
          if (!isDone) return;
          for (const empty of [setCurrent, setPassword, setAgain]) empty('');
        }}
      >
        <TextField
          label={passwordFormWords.passwordNow}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <TextField
          label={passwordFormWords.newPassword}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <TextField
          label={passwordFormWords.newPasswordAgain}
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
        />
        <div className="row">
          <button type="submit" className="button primary" disabled={problem !== undefined || action.isBusy}>
            {passwordFormWords.changePassword}
          </button>
          {problem && password !== '' && <span className="small secondary">{problem}</span>}
        </div>
        <ActionOutcome action={action} />
      </form>
    </section>
  );
}
