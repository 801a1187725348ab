import { useState } from 'react';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { capitalised, shown, shownTime } from '../../view/format.ts';
import { State } from '../../view/states.tsx';
import { inOrder } from './questions.ts';
import { messagesWords } from './words.ts';

/** Longer texts are opened one by one; longer conversations part by part. */
const [maxTextLength, maxMessages] = [600, 50];

/** A conversation, in the order in which it was held. */
export function Messages({ rows, zone }: { readonly rows: readonly Row[]; readonly zone: string }) {
  const [most, setMax] = useState(maxMessages);
  if (rows.length === 0)
    return (
      <State kind="empty" title={messagesWords.noMessages}>
        {messagesWords.hookSendsTextsOnly}
      </State>
    );
  const messages = inOrder(rows);
  return (
    <>
      <ol className="messages">
        {messages.slice(0, most).map((message) => (
          <Message key={String(message.message_id)} message={message} zone={zone} />
        ))}
      </ol>
      {messages.length > most && (
        <button type="button" className="button" onClick={() => setMax(most + maxMessages)}>
          {messagesWords.showMore(Math.min(maxMessages, messages.length - most), messages.length)}
        </button>
      )}
    </>
  );
}

function Message({ message, zone }: { readonly message: Row; readonly zone: string }) {
  const text = textOf(message.message_text);
  const { tool_calls, turn_minutes } = message;
  return (
    <li>
      <p className="small secondary">
        <b>{capitalised(textOf(message.role) ?? 'message')}</b> · {shownTime(textOf(message.message_ts), zone)}
        {typeof tool_calls === 'number' && tool_calls > 0 && messagesWords.toolCallToolCalls(tool_calls)}
        {typeof turn_minutes === 'number' &&
          turn_minutes > 0 &&
          messagesWords.took(shown(turn_minutes * 60, 'duration'))}
      </p>
      {text === null || text === '' ? (
        <p className="secondary">{messagesWords.noTextWasSent}</p>
      ) : text.length <= maxTextLength ? (
        <p className="message-text">{text}</p>
      ) : (
        <details>
          <summary className="message-text">{text.slice(0, maxTextLength)} …</summary>
          <p className="message-text">{text.slice(maxTextLength)}</p>
        </details>
      )}
    </li>
  );
}
