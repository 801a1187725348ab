import { Calculator, CodeXml } from 'lucide-react';
import { cardViewsWords } from './chart-card-words.ts';
import type { CardView } from './export-items.tsx';

interface CardSwitchProps<S extends string> {
  readonly title: string;
  /** The names of what the card is for. What explains it is in its menu. */
  readonly sides: Readonly<Partial<Record<S, string>>>;
  readonly side: S;
  readonly onSide: (side: S) => void;
}

/** At the top right of a card: what of it is shown. */
export function CardSwitch<S extends string>({ title, sides, side, onSide }: CardSwitchProps<S>) {
  return (
    <fieldset className="switch" aria-label={cardViewsWords.whatToShow(title)}>
      {(Object.keys(sides) as S[]).map((one) => (
        <button key={one} type="button" aria-pressed={one === side} onClick={() => onSide(one)}>
          {sides[one]}
        </button>
      ))}
    </fieldset>
  );
}

/** What every card can say of itself, one click away. */
export const moreViews = (onSide: (side: 'request' | 'how') => void): readonly CardView[] => [
  { name: cardViewsWords.howItsCalculated, icon: Calculator, onPick: () => onSide('how') },
  { name: cardViewsWords.apiRequest, icon: CodeXml, onPick: () => onSide('request') },
];
