import { useSession } from '../page-session.ts';

/** What the reader sees, where that is not everything. */
export function VisibilityNote() {
  const { visibility, words } = useSession().visibility_notice;
  if (words === null) return null;
  return (
    <p className="small secondary" data-visibility={visibility}>
      {words}
    </p>
  );
}
