import { useSession } from '../page-session.ts';

/** The rows that the reader sees, where it is not all of them. */
export function VisibilityNote() {
  const { visibility, words } = useSession().visibility_notice;
  if (words === null) return null;
  return (
    <p className="notice" data-visibility={visibility}>
      {words}
    </p>
  );
}
