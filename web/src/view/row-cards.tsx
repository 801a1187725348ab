import { openByRow, type TableProps } from './table-rows.tsx';

/** More pairs make a card longer than a hand can scroll by; the table has them all. */
const maxPairs = 4;

/** Rows as cards, where a table would be wider than the screen: a name, and what else is said of it, each with its heading. */
export function RowCards<R>({ caption, columns, rows, keyOf, onOpen }: TableProps<R>) {
  const [name, ...others] = columns;
  const pairs = others.filter(({ isAction }) => !isAction).slice(0, maxPairs);
  // Two numbers share a line; one that is left over has it to itself.
  const numbers = pairs.filter(({ isNumber }) => isNumber);
  const alone = numbers.length % 2 === 1 ? numbers.at(-1) : undefined;
  const actions = others.filter(({ isAction }) => isAction);
  return (
    <ul className="row-cards" aria-label={caption}>
      {rows.map((row, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the link or button in its name.
        <li key={keyOf(row, at)} className="row-card" onClick={openByRow}>
          <div className="row-card-name">
            {onOpen ? (
              <button type="button" className="link" onClick={() => onOpen(row)}>
                {name?.cell(row)}
              </button>
            ) : (
              name?.cell(row)
            )}
          </div>
          <dl>
            {pairs.map((column) => (
              <div key={column.name} className={column.isNumber && column !== alone ? undefined : 'is-line'}>
                <dt title={column.meaning}>{column.name}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {actions.map((column) => (
            <div key={column.name}>{column.cell(row)}</div>
          ))}
        </li>
      ))}
    </ul>
  );
}
