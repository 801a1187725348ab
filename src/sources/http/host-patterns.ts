/** The longest name that a host can have. */
const maxHostLength = 253;

/** `:65535`. */
const maxPortLength = 6;

/** Whether an entry of `allow_hosts` can be compared: no longer than a host, with one `*` between two dots at most. */
export const isHostPattern = (text: string): boolean =>
  text.length <= maxHostLength + maxPortLength && text.split('.').every((part) => part.split('*').length <= 2);

/**
 * Whether an allowed host means this one. `*.` stands for any names before the rest; another `*` for a part of one name,
 * and never for a dot. The host is what a server chose: it is compared piece by piece, in one pass over its characters.
 */
export function isAllowedHost(pattern: string, host: string): boolean {
  if (host.length > maxHostLength + maxPortLength || !isHostPattern(pattern)) return false;
  if (pattern.startsWith('*.') && !pattern.includes('*', 1)) return host.endsWith(pattern.slice(1));
  const [wanted, names] = [pattern.split('.'), host.split('.')];
  return wanted.length === names.length && wanted.every((part, at) => isLabel(part, names[at] ?? ''));
}

function isLabel(pattern: string, name: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === name;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (name.length < before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) return false;
  return /^[a-z\d-]*$/.test(name.slice(before.length, name.length - after.length));
}
