import { initialsOf, toneOf } from './initials.ts';
import './avatar.css';

interface AvatarProps {
  /** Chooses the colour, which stays when the name changes. */
  readonly id: string;
  readonly name: string;
  readonly isTeam?: boolean;
}

/** The initials of a person in a circle, or of a team in a square. The name stands beside it. No picture is loaded. */
export function Avatar({ id, name, isTeam = false }: AvatarProps) {
  return (
    <span className={`avatar avatar-${toneOf(id)} ${isTeam ? 'is-team' : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
