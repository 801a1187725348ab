/** A request as a page shows it, ready to be sent with a key. */
export interface ShownRequest {
  readonly url: string;
  /** Undefined where it is a GET. */
  readonly body: string | undefined;
}

/** Reads a curl of the pages as a shell would: words in single quotes, in which only `'\''` means anything. */
export function readCurl(text: string): ShownRequest {
  const quoted = /'((?:[^']|'\\'')*)'/;
  const [, url] = new RegExp(`^curl -s ${quoted.source}`).exec(text) ?? [];
  const [, body] = new RegExp(`-d ${quoted.source}\\s*$`).exec(text) ?? [];
  if (url === undefined || (body === undefined && text.includes(' -d ')) || !text.includes('"Authorization: $KEY"')) {
    throw new Error(`This is no request that could be sent: ${text}`);
  }
  const plain = (word: string): string => word.replaceAll("'\\''", "'");
  return { url: plain(url), body: body === undefined ? undefined : plain(body) };
}

/** What the service answers to a shown request. */
export async function answerTo(text: string, key: string): Promise<unknown> {
  const { url, body } = readCurl(text);
  const headers = { authorization: key, 'content-type': 'application/json' };
  const asked = body === undefined ? { headers } : { method: 'POST', headers, body };
  const response = await fetch(url, asked);
  if (!response.ok) throw new Error(`${text}\nis answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Every number anywhere in an answer. */
export function numbersIn(answer: unknown): number[] {
  if (typeof answer === 'number') return [answer];
  return typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(numbersIn) : [];
}

/**
 * What one column has in the rows that have the same value of another: how many different values, and their sum. Seats are
 * people by tool, and sessions are added up by agent.
 */
export function countsAndSumsIn(answer: unknown): Set<number> {
  const rows = (Array.isArray(answer) ? answer : []) as readonly Readonly<Record<string, unknown>>[];
  const columns = Object.keys(rows[0] ?? {});
  const found = new Set<number>();
  for (const by of columns) {
    const groups = new Map<unknown, Readonly<Record<string, unknown>>[]>();
    for (const row of rows) groups.set(row[by], [...(groups.get(row[by]) ?? []), row]);
    for (const group of groups.values()) {
      for (const column of columns) {
        const values = group.flatMap((row) => row[column] ?? []);
        found.add(new Set(values).size);
        found.add(values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0));
      }
    }
  }
  return found;
}

/**
 * The same, and what pages make of them: the quotients of two numbers of one row (a cost per person is the cost divided
 * by the people), and the seconds of minutes.
 */
export function numbersAndQuotientsIn(answer: unknown): Set<number> {
  const rows = Array.isArray(answer) ? answer : [answer];
  const quotients = rows.flatMap((row) => {
    const numbers = numbersIn(row);
    return numbers.length > 12 ? [] : numbers.flatMap((over) => numbers.map((under) => over / under));
  });
  return new Set([...numbersIn(answer), ...quotients, ...numbersIn(answer).map((minutes) => minutes * 60)]);
}
