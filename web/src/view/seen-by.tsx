import { useTeams } from '../ask/choices.ts';
import type { Listed, VisibleTo } from '../ask/stored-documents.ts';
import { useSession } from '../page-session.ts';
import { boardWords } from './board-words.ts';
import { SelectField } from './form.tsx';

/** Who sees a document, in words. */
export function seenByWords(visibleTo: VisibleTo | undefined, isOwn: boolean): string {
  if (visibleTo === 'organisation') return boardWords.everyone;
  if (visibleTo === undefined || visibleTo === 'me') return isOwn ? boardWords.onlyMe : boardWords.onlyOwner;
  return boardWords.team(visibleTo.team);
}

export const useIsOwn = (): ((owner: Listed['owner']) => boolean) => {
  const { person } = useSession();
  return (owner) => owner?.merged_user_id === person.id;
};

/** Managers and Owners make what others see. Everybody else has their own. */
export const useMayShare = (): boolean => ['Owner', 'Manager'].includes(useSession().role);

interface SeenByFieldProps {
  readonly value: VisibleTo | undefined;
  readonly onChange: (value: VisibleTo) => void;
}

const ofTeam = 'team ';

/** The field that says who sees a document, with what the reader may choose. */
export function SeenByField({ value = 'me', onChange }: SeenByFieldProps) {
  const mayShare = useMayShare();
  const teams = useTeams(mayShare);
  const written = typeof value === 'string' ? value : `${ofTeam}${idOfTeam(value.team, teams)}`;
  const known = teams.map(({ id, name }) => [`${ofTeam}${id}`, boardWords.team(name)] as const);
  const choices = [
    ['me', boardWords.onlyMe] as const,
    ...(mayShare ? [['organisation', boardWords.everyone] as const, ...known] : []),
  ];
  const isKnown = choices.some(([one]) => one === written);
  return (
    <SelectField
      label={boardWords.seenBy}
      {...(mayShare ? {} : { hint: boardWords.onlyManagers })}
      value={written}
      choices={isKnown ? choices : [...choices, [written, seenByWords(value, true)]]}
      onChange={(chosen) =>
        onChange(chosen === 'me' || chosen === 'organisation' ? chosen : { team: chosen.slice(ofTeam.length) })
      }
    />
  );
}

const idOfTeam = (team: string, teams: readonly { readonly id: string; readonly name: string }[]): string =>
  teams.find(({ id, name }) => id === team || name === team)?.id ?? team;
