import { Eye } from 'lucide-react';
import { useSession } from '../page-session.ts';
import { Notice } from './notice.tsx';

/** The rows that the reader sees, where it is not all of them. */
export function VisibilityNote({ hasLink = true }: { readonly hasLink?: boolean }) {
  const { visibility, words } = useSession().visibility_notice;
  if (words === null) return null;
  return (
    <Notice icon={Eye} action={hasLink && <a href="/docs/guides/asking#who-sees-what">Who can see what</a>}>
      <p data-visibility={visibility}>{words}</p>
    </Notice>
  );
}
