import { CircleAlert } from 'lucide-react';
import { dropParameters } from '../ask/use-view.ts';
import { Notice } from './notice.tsx';
import { unreadNoteWords } from './unread-words.ts';

/** So many are named, and so much of each. */
const [maxNamed, maxLetters] = [4, 40];

/** Names what the address has that the page does not understand, and takes it out with one click. */
export default function UnreadNote({ unread }: { readonly unread: readonly string[] }) {
  const named = unread.slice(0, maxNamed);
  const more = unread.length - named.length;
  return (
    <Notice
      icon={CircleAlert}
      isLive
      action={
        <button type="button" className="link" onClick={() => dropParameters(unread)}>
          {unread.length === 1 ? 'Remove it' : 'Remove them'}
        </button>
      }
    >
      <p>
        <b>{unreadNoteWords.partThisAddressIsnt}</b>{' '}
        {named.map((name, at) => (
          <span key={name}>
            {at > 0 && ', '}
            <code>{name.length > maxLetters ? `${name.slice(0, maxLetters)}…` : name}</code>
          </span>
        ))}
        {unreadNoteWords.pageShowsWhat(more)}
      </p>
    </Notice>
  );
}
