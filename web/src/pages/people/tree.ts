import type { Groups } from '../../ask/people-answers.ts';
import { noDepartment } from './words.ts';

/** A line of the tree: a department with its teams, or a squad with those below it. */
export interface TreeLine {
  /** No other line has this key: teams and squads may share an id. */
  readonly key: string;
  readonly kind: 'department' | 'team' | 'squad';
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  /** The line above it in the tree. */
  readonly above: string | undefined;
  readonly hasBelow: boolean;
  /** Members, or teams of a department. */
  readonly count: number;
}

const keyOf = (kind: TreeLine['kind'], id: string): string => [kind, id].join(' ');

/** All lines in reading order: departments with their teams, then squads from the top. */
export function treeLines({ teams, squads }: Groups): readonly TreeLine[] {
  const departments = [...new Set(teams.map(({ department }) => department ?? ''))].sort(byName);
  const ofTeams = departments.flatMap((department): TreeLine[] => {
    const own = teams.filter((team) => (team.department ?? '') === department);
    const key = keyOf('department', department);
    const name = department === '' ? noDepartment : department;
    return [
      { key, kind: 'department', id: department, name, depth: 0, above: undefined, hasBelow: true, count: own.length },
      ...own.map(
        (team): TreeLine => ({
          key: keyOf('team', team.id),
          kind: 'team',
          id: team.id,
          name: team.name,
          depth: 1,
          above: key,
          hasBelow: false,
          count: team.members.length,
        }),
      ),
    ];
  });
  return [...ofTeams, ...squadLines(squads)];
}

function squadLines(squads: Groups['squads']): readonly TreeLine[] {
  const known = new Set(squads.map(({ id }) => id));
  const parentOf = (squad: Groups['squads'][number]) =>
    squad.parent && known.has(squad.parent.id) ? squad.parent.id : undefined;
  const drawn = new Set<string>();
  const below = (parent: string | undefined, depth: number): TreeLine[] =>
    squads
      .filter((squad) => parentOf(squad) === parent && !drawn.has(squad.id))
      .flatMap((squad) => lineAndBelow(squad, parent, depth));
  const lineAndBelow = (squad: Groups['squads'][number], parent: string | undefined, depth: number): TreeLine[] => {
    drawn.add(squad.id);
    const under = below(squad.id, depth + 1);
    const line: TreeLine = {
      key: keyOf('squad', squad.id),
      kind: 'squad',
      id: squad.id,
      name: squad.name,
      depth,
      above: parent === undefined ? undefined : keyOf('squad', parent),
      hasBelow: under.length > 0,
      count: squad.members.length,
    };
    return [line, ...under];
  };
  const fromTop = below(undefined, 0);
  // Squads that lead round in a circle have no top; none of them may be lost.
  const circling = squads.filter(({ id }) => !drawn.has(id));
  return [...fromTop, ...circling.flatMap((squad) => (drawn.has(squad.id) ? [] : lineAndBelow(squad, undefined, 0)))];
}

const byName = (a: string, b: string): number => (a === '' ? 1 : b === '' ? -1 : a.localeCompare(b));

/** Leaves out lines below closed ones. */
export function shownLines(lines: readonly TreeLine[], closed: ReadonlySet<string>): readonly TreeLine[] {
  const hidden = new Set<string>();
  return lines.filter(({ key, above }) => {
    const isHidden = above !== undefined && (hidden.has(above) || closed.has(above));
    if (isHidden) hidden.add(key);
    return !isHidden;
  });
}

/** What a key does on a line: it moves to another line, or opens or closes this one. */
export function treeStep(
  shown: readonly TreeLine[],
  at: number,
  key: string,
  closed: ReadonlySet<string>,
): { readonly to: number } | { readonly toggle: string } | undefined {
  const line = shown[at];
  if (!line) return undefined;
  const isOpen = line.hasBelow && !closed.has(line.key);
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, shown.length - 1) };
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: shown.length - 1 };
    case 'ArrowRight':
      return line.hasBelow ? (isOpen ? { to: at + 1 } : { toggle: line.key }) : undefined;
    case 'ArrowLeft': {
      if (isOpen) return { toggle: line.key };
      const above = shown.findIndex((one) => one.key === line.above);
      return above < 0 ? undefined : { to: above };
    }
    default:
      return undefined;
  }
}

/** Whether a group can be moved there: a team into a department, a squad below another that is not below itself. */
export function mayDrop(lines: readonly TreeLine[], dragged: TreeLine, onto: TreeLine): boolean {
  if (dragged.kind === 'team') return onto.kind === 'department' && dragged.above !== onto.key;
  if (dragged.kind !== 'squad' || onto.kind !== 'squad' || dragged.above === onto.key) return false;
  for (let line: TreeLine | undefined = onto; line; line = lines.find(({ key }) => key === line?.above)) {
    if (line.key === dragged.key) return false;
  }
  return true;
}
