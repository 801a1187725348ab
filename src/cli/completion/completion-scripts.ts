import type { CommandPlace } from './command-places.ts';

const unique = (words: readonly string[]): string[] => [...new Set(words)];

/** Every option that takes a value, by any of the commands, with the values that are known; none where it may be a file. */
function valuesOfOptions(places: readonly CommandPlace[]): [word: string, values: string[]][] {
  const options = places.flatMap((place) => place.options).filter(({ takesValue }) => takesValue);
  return unique(options.map(({ word }) => word)).map((word) => [
    word,
    unique(options.flatMap((option) => (option.word === word ? option.values : []))),
  ]);
}

/** The command that the words before the cursor lead to, as branches of a `case` in bash and zsh. */
const walk = (places: readonly CommandPlace[]): string =>
  places
    .filter(({ place }) => place !== '')
    .map(({ place }) => `      ${place}) place=${place};;`)
    .join('\n');

const wordsAt = ({ commands, options, values }: CommandPlace): string[] =>
  unique([...commands.map(({ word }) => word), ...values, ...options.map(({ word }) => word)]);

export function bashScript(places: readonly CommandPlace[]): string {
  const known = valuesOfOptions(places).map(([word, values]) =>
    values.length > 0
      ? `    ${word}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current")); return;;`
      : `    ${word}) COMPREPLY=($(compgen -f -- "$current")); return;;`,
  );
  return `# To complete words of plumb in bash: source <(plumb completion bash)
_plumb() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place/$word" in
${walk(places)}
    esac
  done
  case "$previous" in
${known.join('\n')}
  esac
  case "$place" in
${places.map((place) => `    '${place.place}') words='${wordsAt(place).join(' ')}';;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _plumb plumb
`;
}

export function zshScript(places: readonly CommandPlace[]): string {
  const item = (word: string, meaning: string) => `'${escaped(word)}:${escaped(meaning)}'`;
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll("'", "'\\''");
  const itemsAt = ({ commands, options, values }: CommandPlace) =>
    [
      ...commands.map(({ word, meaning }) => item(word, meaning)),
      ...values.map((word) => `'${escaped(word)}'`),
      ...options.map(({ word, meaning }) => item(word, meaning)),
    ].join(' ');
  const known = valuesOfOptions(places).map(([word, values]) =>
    values.length > 0
      ? `    ${word}) items=(${values.map((value) => `'${value}'`).join(' ')});;`
      : `    ${word}) _files; return;;`,
  );
  return `#compdef plumb
# To complete words of plumb in zsh: source <(plumb completion zsh)
_plumb() {
  local place='' word
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place/$word" in
${walk(places)}
    esac
  done
  case "\${words[CURRENT-1]}" in
${known.join('\n')}
  esac
  if (( ! \${#items} )); then
    case "$place" in
${places.map((place) => `      '${place.place}') items=(${itemsAt(place)});;`).join('\n')}
    esac
  fi
  _describe plumb items || _files
}
if [ "\${funcstack[1]}" = _plumb ]; then _plumb "$@"; else compdef _plumb plumb; fi
`;
}

export function fishScript(places: readonly CommandPlace[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = places.flatMap(({ place, commands, options, values }) => {
    const at = `-n ${quoted(`test (__plumb_place) = "${place}"`)}`;
    return [
      ...commands.map(({ word, meaning }) => `complete -c plumb -f ${at} -a ${word} -d ${quoted(meaning)}`),
      ...(values.length > 0 ? [`complete -c plumb -f ${at} -a ${quoted(values.join(' '))}`] : []),
      ...options.map(({ word, meaning, takesValue, values: known }) => {
        const value = known.length > 0 ? ` -x -a ${quoted(known.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c plumb ${at} -l ${word.slice(2)}${value} -d ${quoted(meaning)}`;
      }),
    ];
  });
  const branches = places
    .filter(({ place }) => place !== '')
    .map(({ place }) => `      case ${place}\n        set place ${place}`);
  return `# To complete words of plumb in fish: plumb completion fish | source
function __plumb_place
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place/$word"
${branches.join('\n')}
    end
  end
  echo "$place"
end
${lines.join('\n')}
`;
}
