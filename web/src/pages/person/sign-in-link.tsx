import { useState } from 'react';
import type { FullPerson } from '../../ask/people-answers.ts';
import { postJson } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CodeBlock } from '../../view/code-block.tsx';
import { useGoneWithPage } from '../../view/gone-with-page.ts';
import { personPath } from './details.tsx';

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
      return `Give it to ${person.name} and no one else. It is shown this once, and works once within ${made.hours} hours.`;
    });
  return (
    <div className="stack">
      <div className="row">
        <button type="button" className="button primary" onClick={make} disabled={action.isBusy}>
          Make a sign-in link
        </button>
      </div>
      <ActionOutcome action={action} />
      {link && <CodeBlock name={`Sign-in link of ${person.name}`} label="Copy the link" text={link} />}
    </div>
  );
}
