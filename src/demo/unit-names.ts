/** What further teams and squads are called once an organisation has grown past the names it started with. */
const qualifiers = [
  ...['Core', 'Platform', 'Data', 'Mobile', 'Integrations', 'Reliability', 'Experience', 'Tooling', 'Insights'],
  ...['Automation', 'Partners', 'Europe', 'Asia', 'Americas', 'Pacific', 'Africa'],
];

/** Up to `count` different names: the first ones as they are, then again with a qualifier each. */
export function unitNames(names: readonly string[], count: number): readonly string[] {
  const qualified = qualifiers.flatMap((qualifier) => names.map((name) => `${name} ${qualifier}`));
  return [...names, ...qualified].slice(0, count);
}
