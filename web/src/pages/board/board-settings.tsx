import { useState } from 'react';
import type { BoardDocument } from '../../ask/board-document.ts';
import { rangeOf } from '../../ask/board-document.ts';
import { pageFilterNames, pageFilterOf, pageFilters } from '../../ask/page-filters.ts';
import type { BoardFilters } from '../../ask/panel-of.ts';
import type { View } from '../../ask/use-view.ts';
import { isUnitRange, type Range } from '../../ask/windows.ts';
import { boardEditWords, boardWords } from '../../view/board-words.ts';
import { SelectField, TextField } from '../../view/form.tsx';
import { capitalised } from '../../view/format.ts';
import { nameOfRange } from '../../view/range-words.ts';
import { SeenByField } from '../../view/seen-by.tsx';

type Settings = Omit<BoardDocument, 'panels'>;

interface BoardSettingsProps {
  readonly view: View;
  readonly board: Settings;
  readonly onChange: (board: Settings) => void;
}

const ranges = ['7d', '30d', '90d', '12w', '26w', '6m', '12m'] as const;

/** The title of a board, who sees it, and what it shows unless its reader picks something else. */
export function BoardSettings({ view, board, onChange }: BoardSettingsProps) {
  const { filters: _before, ...without } = board;
  const above = filtersAbove(view);
  // Days of its own stay among the choices after another one was picked.
  const [own] = useState(() => rangeOf(board));
  const choices: readonly Range[] = ranges.some((one) => one === own) ? ranges : [...ranges, own];
  const textOf = (range: Range): string => (typeof range === 'string' ? range : JSON.stringify(range));
  return (
    <section className="card" aria-label={boardEditWords.settings}>
      <div className="form board-settings">
        <TextField
          label={boardWords.title}
          value={board.title}
          maxLength={200}
          isRequired
          onChange={(title) => onChange({ ...board, title })}
        />
        <SeenByField value={board.visible_to} onChange={(visible_to) => onChange({ ...board, visible_to })} />
        <SelectField
          label={boardEditWords.range}
          hint={boardEditWords.rangeHint}
          value={textOf(rangeOf(board))}
          choices={choices.map((range) => [textOf(range), nameOfRange(range)] as const)}
          onChange={(text) => {
            const range = choices.find((one) => textOf(one) === text);
            if (range) onChange({ ...board, range: writtenRange(range) });
          }}
        />
        <div className="form-field">
          <span>{boardEditWords.filters}</span>
          <p className="secondary">{filterWords(board.filters) || boardEditWords.noFilters}</p>
          <div className="row">
            {Object.keys(above).length > 0 && (
              <button type="button" className="link" onClick={() => onChange({ ...board, filters: above })}>
                {boardEditWords.useFiltersAbove}
              </button>
            )}
            {board.filters && (
              <button type="button" className="link" onClick={() => onChange(without)}>
                {boardEditWords.dropFilters}
              </button>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

function writtenRange(range: Range): NonNullable<Settings['range']> {
  if (typeof range !== 'string') return { start_date: range.start, end_date: range.end };
  return isUnitRange(range) ? range : '90d';
}

const filtersAbove = ({ state }: View): BoardFilters =>
  Object.fromEntries(
    pageFilterNames.flatMap((name) =>
      state.filters[name].length > 0 ? [[pageFilters[name].request, state.filters[name]]] : [],
    ),
  );

/** `Team: Checkout · Repositories: payments`. */
const filterWords = (filters: BoardFilters = {}): string =>
  Object.entries(filters)
    .map(([name, values]) => {
      const of = pageFilterOf(name === 'team_ids' ? 'team' : name);
      return `${of ? capitalised(pageFilters[of].one) : name}: ${[values].flat().map(String).join(', ')}`;
    })
    .join(' · ');
