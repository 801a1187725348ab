import { dayNumber } from '../../calendar.ts';
import { type Parameter, type Sql, statementOf } from '../sql/sql.ts';
import { clickhouseDialect } from './dialect.ts';
import { withNamedColumns } from './named-columns.ts';

/** A statement with named values, as the client sends it. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: Readonly<Record<string, BoundValue>>;
}

type BoundValue = string | number | readonly string[] | readonly number[];

export function statementFor(piece: Sql): BoundStatement {
  const { text, parameters } = statementOf(piece, clickhouseDialect.place);
  return {
    sql: withNamedColumns(text),
    values: Object.fromEntries(parameters.map((one, i) => [`p${i + 1}`, bound(one)])),
  };
}

const bound = ({ type, value }: Parameter): BoundValue => (type === 'date' ? dayNumber(value) : value);
