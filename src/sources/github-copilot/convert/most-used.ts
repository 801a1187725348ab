import type { Payload } from '../../payload.ts';

/** Names that stand for several things, or for none that is known. */
const nameless: ReadonlySet<string> = new Set(['auto', 'default', 'others', 'unknown']);

/** The name that most was done with; of several the first by name. Undefined where nothing was. */
export function mostUsed(
  totals: readonly Payload[],
  field: 'model' | 'language' | 'name',
  amountOf: (total: Payload) => number,
): string | undefined {
  const amounts = new Map<string, number>();
  for (const total of totals) {
    const name = total.textOrNull(field);
    if (name === null || nameless.has(name.toLowerCase())) continue;
    amounts.set(name, (amounts.get(name) ?? 0) + amountOf(total));
  }
  const [first] = [...amounts]
    .filter(([, amount]) => amount > 0)
    .sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
  return first?.[0];
}
