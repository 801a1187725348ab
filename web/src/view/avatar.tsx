import './avatar.css';

interface AvatarProps {
  /** Chooses the colour, which stays when the name changes. */
  readonly id: string;
  readonly name: string;
  readonly isTeam?: boolean;
}

const tones = 8;

/** The initials of a person in a circle, or of a team in a square. The name stands beside it. No picture is loaded. */
export function Avatar({ id, name, isTeam = false }: AvatarProps) {
  return (
    <span className={`avatar avatar-${toneOf(id)} ${isTeam ? 'is-team' : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** Of the first and the last word. Symbols are no initials: `@ada` is A. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join('').toLocaleUpperCase();
}

export function toneOf(id: string): number {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % tones;
}
