import { Link } from 'lucide-react';
import { copyText, useSaid } from './copy.tsx';
import { shareButtonWords } from './frame-words.ts';

/** Copies the address of the page, which holds everything that is chosen on it. */
export function ShareButton({ isShort }: { readonly isShort: boolean }) {
  const [said, setSaid] = useSaid();
  return (
    <button
      type="button"
      className="button"
      title={shareButtonWords.copyLink}
      onClick={async () =>
        setSaid((await copyText(location.href)) ? shareButtonWords.linkCopied : shareButtonWords.copyAddressAbove)
      }
    >
      <Link className="icon" aria-hidden="true" />
      <span aria-live="polite" className={isShort && said === '' ? 'unseen' : undefined}>
        {said || shareButtonWords.share}
      </span>
    </button>
  );
}
