import { Eye } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { onSeenPart, seenPart } from '../ask/seen-part.ts';
import { queryClient } from '../ask/use-answer.ts';
import { useSession } from '../page-session.ts';
import { Notice } from './notice.tsx';

/** The rows that the reader sees, where it is not all of them. */
export function VisibilityNote({ hasLink = true }: { readonly hasLink?: boolean }) {
  const { visibility, words } = useSession().visibility_notice;
  const answered = useSyncExternalStore(onSeenPart, seenPart, () => undefined);
  // Rights may change while a page is open: its answers say so first, and the session has the words.
  useEffect(() => {
    if (answered !== undefined && answered !== visibility)
      void queryClient.invalidateQueries({ queryKey: ['session'] });
  }, [answered, visibility]);
  if (words === null) return null;
  return (
    <Notice icon={Eye} action={hasLink && <a href="/docs/guides/asking#who-sees-what">Who can see what</a>}>
      <p data-visibility={visibility}>{words}</p>
    </Notice>
  );
}
