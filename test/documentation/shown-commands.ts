/** A command of a page, and what the page says that it prints. */
export interface ShownCommand {
  readonly words: string;
  /** Undefined where the page shows none. */
  readonly answer: string | undefined;
}

/** Commands to paste, one after another: shell as it is. */
export function pastedCommands(text: string): ShownCommand[] {
  return joinLines(text).map((words) => ({ words, answer: undefined }));
}

/** What is typed behind `$`, and below it what is printed. */
export function typedCommands(text: string): ShownCommand[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.trimEnd().split('\n');
      const [words = ''] = joinLines(part);
      const answer = lines.slice(words.split('\n').length).join('\n');
      return { words, answer: answer === '' ? undefined : answer };
    });
}

/** A command goes on where a line ends with a backslash or a pipe, and within quotes. */
function joinLines(text: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.trimEnd().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if (/[\\|]$/.test(open) || isQuoted(open)) continue;
    if (open.trim() !== '' && !open.startsWith('#')) commands.push(open);
    open = '';
  }
  return open === '' ? commands : [...commands, open];
}

function isQuoted(words: string): boolean {
  const bare = words
    .replaceAll(/\\./g, '')
    .replaceAll(/'[^']*'|"[^"]*"/g, '')
    .replace(/ #.*$/s, '');
  return /['"]/.test(bare);
}

/** Whether something was printed as it is shown. `…` stands for anything; JSON may be broken into lines. */
export function isAsShown(printed: string, shown: string, { isJson = false } = {}): boolean {
  const [actual, wanted] = [printed, shown].map((text) =>
    isJson ? text.replaceAll(/\s/g, '') : text.replaceAll('\r', '').trim(),
  ) as [string, string];
  const [first = '', ...others] = wanted.split('…');
  const last = others.pop();
  if (last === undefined) return actual === first;
  // Each part as early as it can be: what lies between is anything.
  let from = actual.startsWith(first) ? first.length : -1;
  for (const part of others) {
    const at = from === -1 ? -1 : actual.indexOf(part, from);
    from = at === -1 ? -1 : at + part.length;
  }
  return from !== -1 && actual.length - last.length >= from && actual.endsWith(last);
}
