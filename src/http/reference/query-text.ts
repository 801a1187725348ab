/** Parameters by name as the query of an address: the values of a list with commas between them. */
export const queryText = (parameters: Iterable<readonly [string, unknown]>): string =>
  [...parameters]
    .map(([name, value]) => `${name}=${[value].flat().map(String).map(encodeURIComponent).join()}`)
    .join('&');
