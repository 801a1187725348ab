import { useState } from 'react';
import type { PickedBy } from '../ask/picked-rows.ts';
import type { Question } from '../ask/question.ts';
import { requestTexts } from '../ask/request-texts.ts';
import { useSession } from '../page-session.ts';
import { CopyButton } from './copy.tsx';
import './request.css';
import { shownRequestWords } from './request-words.ts';

const languages = { curl: 'curl', typescript: 'TypeScript', plumb: shownRequestWords.plumbQuery } as const;

interface RequestTextProps {
  readonly question: Question;
  /** The condition by which rows are picked from the answer, where not all of them are shown. */
  readonly picked?: readonly PickedBy[] | undefined;
}

/** The request behind a number, ready to paste. `$KEY` stands for the reader's own. */
export function RequestText({ question, picked }: RequestTextProps) {
  const [language, setLanguage] = useState<keyof typeof languages>('curl');
  const text = requestTexts(question, useSession().public_url, picked)[language];
  return (
    <div className="request">
      <div className="row">
        <fieldset className="switch" aria-label={shownRequestWords.languageRequest}>
          {Object.entries(languages).map(([key, name]) => (
            <button
              key={key}
              type="button"
              aria-pressed={key === language}
              onClick={() => setLanguage(key as keyof typeof languages)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        <CopyButton text={text} label={shownRequestWords.copy} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it. */}
      <pre tabIndex={0} data-request={language}>
        {text}
      </pre>
    </div>
  );
}
