const longest = 4_000;

/** Where somebody wanted to go before they signed in: a page of ours, and nothing else that the address may name. */
export function nextPath(asked: string | readonly string[] | undefined): string {
  if (typeof asked !== 'string' || asked.length > longest || !/^\/(?![/\\])/.test(asked)) return '/';
  const here = 'http://plumb.invalid';
  const url = URL.canParse(asked, here) ? new URL(asked, here) : undefined;
  if (!url || url.origin !== here || /^\/(?:[/\\]|sign-(?:in|out)(?:\/|$))/.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}`;
}
