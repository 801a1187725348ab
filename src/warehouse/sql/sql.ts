/** A value that is bound. An engine may write numbers, days, moments and texts of our own into the statement instead. */
export type Parameter =
  | { readonly type: 'text'; readonly value: string; readonly isOurs?: true }
  | { readonly type: 'integer'; readonly value: number }
  | { readonly type: 'number'; readonly value: number }
  /** Seconds since 1970, UTC. */
  | { readonly type: 'timestamp'; readonly value: number }
  | { readonly type: 'date'; readonly value: string }
  | ListParameter;

export type ListParameter =
  | { readonly type: 'texts'; readonly value: readonly string[]; readonly isOurs?: true }
  | { readonly type: 'integers'; readonly value: readonly number[] };

/**
 * A piece of SQL with its values still in place, so that pieces can be put together in any order. Pieces stand inside
 * each other as they are and are read out once, at the end: copying each into the next takes longer than all the rest.
 */
export type Sql = readonly (string | Parameter | Sql)[];

/** A template whose holes take pieces and values, and nothing else: text from outside has no way in. */
export function sql(texts: TemplateStringsArray, ...holes: readonly (Sql | Parameter)[]): Sql {
  const parts: (string | Parameter | Sql)[] = [];
  for (const [i, text] of texts.entries()) {
    if (text !== '') parts.push(text);
    const hole = holes[i];
    if (hole !== undefined) parts.push(hole);
  }
  return parts;
}

const isPiece = (hole: Sql | Parameter): hole is Sql => Array.isArray(hole);

/** Text of our own, such as a name from the catalogue. */
export const raw = (text: string): Sql => [text];

export function joined(pieces: readonly Sql[], separator: string): Sql {
  return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [separator, piece]));
}
export const listed = (pieces: readonly Sql[]): Sql => joined(pieces, ', ');
export const allOf = (conditions: readonly Sql[]): Sql => joined(conditions, ' AND ');
export const anyOf = (conditions: readonly Sql[]): Sql => sql`(${joined(conditions, ' OR ')})`;

export const text = (value: string): Parameter => ({ type: 'text', value });
export const integer = (value: number): Parameter => ({ type: 'integer', value });
export const number = (value: number): Parameter => ({ type: 'number', value });
export const timestamp = (value: number): Parameter => ({ type: 'timestamp', value });
export const date = (value: string): Parameter => ({ type: 'date', value });
export const texts = (value: readonly string[]): ListParameter => ({ type: 'texts', value });
/** A text that the catalogue declares. Nothing that a caller sent, and nothing that is stored. */
export const ourText = (value: string): Parameter => ({ type: 'text', value, isOurs: true });
export const ourTexts = (value: readonly string[]): ListParameter => ({ type: 'texts', value, isOurs: true });
export const integers = (value: readonly number[]): ListParameter => ({ type: 'integers', value });

/** A statement as an engine takes it: text with numbered places, and what belongs there. */
interface SqlStatement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * Numbers the values. The same piece always gives the same statement, and the same value the same number. A value that
 * `written` gives a text for stands in the statement as that text, and is not bound.
 */
export function statementOf(
  piece: Sql,
  place: (position: number, parameter: Parameter) => string,
  written: (parameter: Parameter) => string | undefined = () => undefined,
): SqlStatement {
  const parameters: Parameter[] = [];
  const positions = new Map<string, number>();
  const positionOf = (parameter: Parameter): number => {
    const key = JSON.stringify([parameter.type, parameter.value]);
    const position = positions.get(key) ?? parameters.push(parameter);
    positions.set(key, position);
    return position;
  };
  const read = (pieces: Sql): string => {
    let text = '';
    for (const part of pieces) {
      if (typeof part === 'string') text += part;
      else text += isPiece(part) ? read(part) : (written(part) ?? place(positionOf(part), part));
    }
    return text;
  };
  return { text: read(piece), parameters };
}
