import { compareTexts } from '../../text-order.ts';

/** Somebody who answered, with the names of what they may be reported by. */
export interface Respondent {
  readonly id: string;
  readonly values: readonly string[];
}

/** Respondents whose answers are only ever shown together. */
interface ReportingGroup {
  /** What they are reported as, in order: one name, several of a joined group, none of those who have none. */
  readonly values: readonly string[];
  readonly respondents: readonly string[];
}

/**
 * Divides those who answered a survey into groups of at least so many. Somebody with several values belongs to the first
 * by name. Groups that are too small are joined; what is then still too small joins the smallest of the others, of several
 * equally small ones the first by name. Where all together are too few there is no group.
 */
export function divideRespondents(respondents: readonly Respondent[], least: number): ReportingGroup[] {
  const byValue = new Map<string | undefined, Set<string>>();
  for (const [id, values] of valuesById(respondents)) {
    const [first] = [...values].sort(compareTexts);
    const ids = byValue.get(first) ?? new Set();
    byValue.set(first, ids.add(id));
  }
  const alone = [...byValue].map(([value, ids]) => groupOf(value === undefined ? [] : [value], ids)).sort(byName);
  const groups = alone.filter(isEnough);
  const small = alone.filter((group) => !isEnough(group));
  if (small.length === 0) return groups;
  const rest = joined(small);
  if (isEnough(rest)) return [...groups, rest].sort(byName);
  const [smallest] = [...groups].sort((a, b) => a.respondents.length - b.respondents.length || byName(a, b));
  if (!smallest) return [];
  return groups.map((group) => (group === smallest ? joined([group, rest]) : group)).sort(byName);

  function isEnough(group: ReportingGroup): boolean {
    return group.respondents.length >= least;
  }
}

/** Two accounts of one person are one respondent, with the values of both. */
function valuesById(respondents: readonly Respondent[]): Map<string, Set<string>> {
  const byId = new Map<string, Set<string>>();
  for (const { id, values } of respondents) {
    const known = byId.get(id) ?? new Set();
    for (const value of values) known.add(value);
    byId.set(id, known);
  }
  return byId;
}

const groupOf = (values: Iterable<string>, ids: Iterable<string>): ReportingGroup => ({
  values: [...new Set(values)].sort(compareTexts),
  respondents: [...ids].sort(compareTexts),
});

const joined = (groups: readonly ReportingGroup[]): ReportingGroup =>
  groupOf(
    groups.flatMap(({ values }) => values),
    groups.flatMap(({ respondents }) => respondents),
  );

/** Every value is in one group only, so the first decides. The group without any comes last. */
function byName(a: ReportingGroup, b: ReportingGroup): number {
  const [first, second] = [a.values[0], b.values[0]];
  if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
  return compareTexts(first, second);
}
