/** A slip of a newcomer on the command line, and the words that name the fix. */
export interface CommandMistake {
  readonly mistake: string;
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly fix: RegExp;
}

const org = ['--org', 'Analytical Engines'];
const as = ['--as', 'ada@example.com'];

export const commandMistakes: readonly CommandMistake[] = [
  { mistake: 'a command that was mistyped', words: ['querry'], code: 2, fix: /Did you mean query\?/ },
  {
    mistake: 'an option that was mistyped',
    words: ['query', 'cycle-time', ...org, ...as, '--aggregate', 'avg'],
    code: 2,
    fix: /Did you mean --aggregation\?/,
  },
  { mistake: 'no organisation', words: ['key', 'list'], code: 2, fix: /--org <org>/ },
  {
    mistake: 'an organisation whose name was mistyped',
    words: ['key', 'list', '--org', 'Analytical Engine'],
    code: 3,
    fix: /'Analytical Engines'/,
  },
  {
    mistake: 'an organisation that nothing is like',
    words: ['key', 'list', '--org', 'Acme'],
    code: 3,
    fix: /plumb org list/,
  },
  {
    mistake: 'somebody whom nobody is like',
    words: ['key', 'create', ...org, '--as', 'zoe@elsewhere.example', '--name', 'x'],
    code: 3,
    fix: /plumb person list/,
  },
  {
    mistake: 'a table by the word of other tools',
    words: ['import', ...org, '--table', 'prs', 'export.csv'],
    code: 2,
    fix: /Did you mean 'pull_requests'\?/,
  },
  {
    mistake: 'a column that is mapped to nothing',
    words: ['import', ...org, '--table', 'issues', 'export.csv', '--map', 'Mood'],
    code: 2,
    fix: /--map THEIRS= to leave the column out/,
  },
  {
    mistake: 'somebody whose address was mistyped',
    words: ['query', 'users-count', ...org, '--as', 'adda@example.com'],
    code: 3,
    fix: /'ada@example.com'/,
  },
  {
    mistake: 'a metric that was mistyped',
    words: ['query', 'users-cout', ...org, ...as],
    code: 3,
    fix: /'users-count'/,
  },
  {
    mistake: 'p50 as aggregation',
    words: ['query', 'cycle-time', ...org, ...as, '--start', '2025-01-01', '--aggregation', 'p50'],
    code: 2,
    fix: /'median'/,
  },
  {
    mistake: 'a format that is not there',
    words: ['query', 'users-count', ...org, ...as, '--format', 'xlsx'],
    code: 2,
    fix: /table, json, ndjson, csv/,
  },
  {
    mistake: 'a short name of a column that was mistyped',
    words: ['query', 'cycle-time', ...org, ...as, '--by', 'tem'],
    code: 2,
    fix: /Did you mean 'team'\?/,
  },
  {
    mistake: 'a short option that was mistyped',
    words: ['query', 'cycle-time', ...org, ...as, '--sinse', '90d'],
    code: 2,
    fix: /Did you mean --since\?/,
  },
  {
    mistake: 'a format that was mistyped',
    words: ['query', 'users-count', ...org, ...as, '--format', 'jsno'],
    code: 2,
    fix: /Did you mean 'json'\?/,
  },
  { mistake: 'a shell that was mistyped', words: ['completion', 'bahs'], code: 2, fix: /Did you mean 'bash'\?/ },
  { mistake: 'a word about metrics that was mistyped', words: ['metrics', 'cyclle'], code: 3, fix: /'cycle'\?/ },
  {
    mistake: 'a time zone that was mistyped',
    words: ['org', 'set', ...org, 'time_zone=Europe/Vinna'],
    code: 2,
    fix: /Did you mean 'Europe\/Vienna'\?/,
  },
  {
    mistake: 'a role that was mistyped',
    words: ['person', 'set', ...org, 'ada@example.com', 'access_role=Ownr'],
    code: 2,
    fix: /Did you mean 'Owner'\?/,
  },
  {
    mistake: 'a setting that was mistyped',
    words: ['org', 'set', ...org, 'timezone=Europe/Vienna'],
    code: 2,
    fix: /'time_zone'/,
  },
  {
    mistake: 'a time zone by its city',
    words: ['org', 'set', ...org, 'time_zone=Vienna'],
    code: 2,
    fix: /Europe\/Vienna/,
  },
  {
    mistake: 'a setting without its value',
    words: ['org', 'set', ...org, 'team_restrictions'],
    code: 2,
    fix: /KEY=VALUE/,
  },
  {
    mistake: 'a role that is not there',
    words: ['person', 'set', ...org, 'ada@example.com', 'access_role=admin'],
    code: 2,
    fix: /Owner, Manager, Squad Lead, Engineer/,
  },
  {
    mistake: 'a date in words',
    words: ['key', 'create', ...org, ...as, '--name', 'k', '--expires', 'tomorrow'],
    code: 2,
    fix: /2\d{3}-\d\d-\d\d/,
  },
  {
    mistake: 'a table that is not there',
    words: ['import', ...org, '--table', 'prs', 'x.csv'],
    code: 2,
    fix: /pull_requests/,
  },
  {
    mistake: 'a file that is not there',
    words: ['import', ...org, '--table', 'people', 'not-here.csv'],
    code: 3,
    fix: /There is no file not-here.csv/,
  },
  {
    mistake: 'a kind of source that is not there',
    words: ['source', 'add', 'gihub', ...org, '--name', 'g'],
    code: 2,
    fix: /github/,
  },
  {
    mistake: 'a source without its token',
    words: ['source', 'add', 'github', ...org, '--name', 'g'],
    code: 2,
    fix: /token/,
  },
  { mistake: 'a key that is not there', words: ['key', 'revoke', ...org, 'nothing'], code: 3, fix: /plumb key list/ },
  { mistake: 'a backup that is not there', words: ['restore', 'not-here.tar'], code: 3, fix: /not-here.tar/ },
  {
    mistake: 'a port in words',
    words: ['serve'],
    environment: { PLUMB_PORT: 'http' },
    code: 2,
    fix: /PLUMB_PORT.*whole number/,
  },
];
