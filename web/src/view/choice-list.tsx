import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { choiceListWords } from './choice-list-words.ts';
import { MenuItem } from './menu.tsx';

export interface ListedChoice {
  readonly id: string;
  readonly name: string;
  /** The heading that it stands under. Choices of one heading stand together. */
  readonly group?: string;
  /** Beside names that alone would not tell it from another. */
  readonly more?: string;
}

interface ChoiceListProps {
  /** What is chosen from, for the search: `metrics`. */
  readonly many: string;
  readonly choices: readonly ListedChoice[];
  readonly chosen: readonly string[];
  readonly onPick: (id: string) => void;
  /** Called with what is typed, for lists that a server searches. */
  readonly onSearch?: (text: string) => void;
  /** Takes what is typed as it stands, where the list does not have it. */
  readonly onTyped?: (text: string) => void;
  readonly isWaiting?: boolean;
  /** Above the list. */
  readonly children?: ReactNode;
}

/** Typing finds the rest. */
const maxShown = 100;
/** Fewer are seen at a glance. */
const minSearched = 8;

/** Names to choose from within a menu, with a search above them where there are many. Enter takes the first one. */
export function ChoiceList(props: ChoiceListProps) {
  const { many, choices, chosen, onPick, onSearch, onTyped, isWaiting = false, children } = props;
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const wanted = search.trim().toLowerCase();
  const found = onSearch
    ? choices
    : choices.filter(({ name, more = '' }) => `${name} ${more}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, maxShown);
  const isKnown = choices.some(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted);
  const takeFirst = () => {
    const [first] = shown;
    if (wanted === '') return;
    if (first) onPick(first.id);
    else onTyped?.(search.trim());
  };
  return (
    <>
      {(choices.length >= minSearched || onSearch || onTyped) && (
        <div className="menu-part menu-search">
          <input
            ref={field}
            className="input"
            type="search"
            placeholder={choiceListWords.search(many)}
            aria-label={choiceListWords.search(many)}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              onSearch?.(event.target.value.trim());
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') takeFirst();
            }}
          />
        </div>
      )}
      {children}
      {shown.map(({ id, name, group, more }, at) => (
        <Fragment key={id}>
          {group !== undefined && group !== shown[at - 1]?.group && <p className="menu-heading">{group}</p>}
          <MenuItem isChosen={chosen.includes(id)} onPick={() => onPick(id)}>
            {name}
            {more && <span className="menu-more">{more}</span>}
          </MenuItem>
        </Fragment>
      ))}
      {onTyped && wanted !== '' && !isKnown && (
        <MenuItem onPick={() => onTyped(search.trim())}>{choiceListWords.use(search.trim())}</MenuItem>
      )}
      {shown.length === 0 && (
        <p className="menu-part small secondary">
          {isWaiting ? 'Loading…' : wanted === '' ? choiceListWords.noInThisRange(many) : choiceListWords.noMatches}
        </p>
      )}
      {found.length > maxShown && (
        <p className="menu-part small secondary">{choiceListWords.moreTypeToFind(found.length - maxShown)}</p>
      )}
    </>
  );
}
