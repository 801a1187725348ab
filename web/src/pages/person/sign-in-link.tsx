import { useState } from 'react';
import type { FullPerson } from '../../ask/people-answers.ts';
import { postJson } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CodeBlock } from '../../view/code-block.tsx';
import { useGoneWithPage } from '../../view/gone-with-page.ts';
import { personPath } from './details.tsx';
import { signInLinkWords } from './words.ts';

interface SignInLinkAnswer {
  readonly sign_in_url: string;
  readonly hours: number;
}

/**
 * Makes a link with which somebody signs in once. Only this part of the page holds it, and forgets it when it is left.
 */
export function SignInLink({ person }: { readonly person: FullPerson }) {
  const [link, setLink] = useState<string>();
  const action = useAction();
  useGoneWithPage(() => setLink(undefined));
  const make = () =>
    void action.run(async () => {
      const made = await postJson<SignInLinkAnswer>(`${personPath(person)}/sign-in-link`, {});
      setLink(made.sign_in_url);
      return signInLinkWords.give(person.name, made.hours);
    });
  return (
    <div className="stack">
      <div className="row">
        <button type="button" className="button primary" onClick={make} disabled={action.isBusy}>
          {signInLinkWords.makeSignInLink}
        </button>
      </div>
      <ActionOutcome action={action} />
      {link && (
        <CodeBlock name={signInLinkWords.signInLink(person.name)} label={signInLinkWords.copyLink} text={link} />
      )}
    </div>
  );
}
