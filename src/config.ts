import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defaultMemory } from './admission/memory-division.ts';
import { didYouMean } from './nearest.ts';
import { Refusal } from './refusal.ts';
import {
  databaseUrl,
  host,
  hosts,
  httpUrl,
  issuer,
  type LogLevel,
  logLevel,
  logLevels,
  mailSender,
  mailServer,
  memory,
  names,
  origins,
  proxies,
  publicUrl,
  UnfitSetting,
  wholeNumber,
} from './setting-readers.ts';

/** Everything that can be set from outside, parsed once at the start. */
export interface Settings {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** Prometheus metrics are served here, and nowhere when unset. */
  readonly adminPort: number | undefined;
  /** Where that port listens: this machine only, unless somebody says otherwise. */
  readonly adminHost: string;
  readonly databaseUrl: string | undefined;
  /** Where the tables of what happened are; in the data folder when unset. */
  readonly tablesUrl: string | undefined;
  /** Requests a minute for each key; 0 switches this and the limit on wrong keys off. */
  readonly rateLimit: number;
  /** How long one statement may take. */
  readonly querySeconds: number;
  /** How much memory the whole process may take, in bytes. */
  readonly memory: number;
  readonly threads: number | undefined;
  readonly logLevel: LogLevel;
  /** The proxies whose `X-Forwarded-For` is believed: none, all, or these addresses. */
  readonly trustProxy: boolean | readonly string[];
  /** Where people find Plumb with a browser; the address that a request came to when unset. */
  readonly publicUrl: string | undefined;
  /** The server that mails are handed to, and who they are from. */
  readonly mailServer: ReturnType<typeof mailServer> | undefined;
  readonly mailSender: ReturnType<typeof mailSender> | undefined;
  /** Origins whose pages may ask with a key. */
  readonly corsOrigins: readonly string[];
  /** The provider that people may sign in with. */
  readonly openid: OpenidConnection | undefined;
  /** The secret that encrypts the secrets of sources; made and kept in the data folder when unset. */
  readonly secret: string | undefined;
  /** The earlier secret, with which some of them may still be encrypted. */
  readonly secretOld: string | undefined;
  /** Private hosts that a page or the API may name as the address of a source, or of where messages go. */
  readonly sourceHosts: readonly string[];
}

/** How an OpenID Connect provider is reached, and for whom. */
interface OpenidConnection {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly organisations: readonly string[];
  readonly name: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface EnvironmentSetting<T> {
  readonly meaning: string;
  readonly read: (text: string) => T;
}

const settings = {
  PLUMB_DATA: { meaning: 'data folder, ./data when unset', read: (text) => resolve(text) },
  PLUMB_HOST: { meaning: 'address to listen on, 127.0.0.1 when unset', read: host },
  PLUMB_PORT: { meaning: 'port to listen on, 4400 when unset, 0 for a free one', read: wholeNumber(0, 65_535) },
  PLUMB_ADMIN_PORT: { meaning: 'port for Prometheus metrics, off when unset', read: wholeNumber(0, 65_535) },
  PLUMB_ADMIN_HOST: { meaning: 'address for PLUMB_ADMIN_PORT to listen on, 127.0.0.1 when unset', read: host },
  DATABASE_URL: {
    meaning:
      'PostgreSQL address of the store, for one server at a time unless CLICKHOUSE_URL is set (an embedded file when unset)',
    read: databaseUrl,
  },
  CLICKHOUSE_URL: {
    meaning:
      'ClickHouse address of the tables, such as http://user:password@host:8123/plumb, for any number of servers, together with DATABASE_URL (files in the data folder when unset)',
    read: httpUrl,
  },
  PLUMB_RATE_LIMIT: {
    meaning: 'requests a minute for each key, 6000 when unset, 0 for no limit',
    read: wholeNumber(0, 1_000_000_000),
  },
  PLUMB_QUERY_SECONDS: { meaning: 'how long a query may take, 30 when unset', read: wholeNumber(1, 3_600) },
  PLUMB_MEMORY: {
    meaning: 'memory for the whole process, such as 2GB (half of the machine or container when unset)',
    read: memory,
  },
  PLUMB_THREADS: {
    meaning: 'threads of each embedded engine, 1 and one for each processor when unset',
    read: wholeNumber(1, 256),
  },
  PLUMB_LOG: { meaning: `log level, info when unset: ${logLevels.join(', ')}`, read: logLevel },
  PLUMB_TRUST_PROXY: {
    meaning: 'true, false, or a comma-separated list of proxies whose X-Forwarded-For is believed (false when unset)',
    read: proxies,
  },
  PLUMB_PUBLIC_URL: {
    meaning:
      'where people find Plumb with a browser, such as https://plumb.acme.example (the address of the request when unset)',
    read: publicUrl,
  },
  PLUMB_SMTP_URL: {
    meaning:
      'server that emails are handed to, such as smtps://user:password@smtp.acme.example:465, or smtp://… for STARTTLS (no emails when unset)',
    read: mailServer,
  },
  PLUMB_SMTP_FROM: {
    meaning: 'sender of emails, such as Plumb <plumb@acme.example>',
    read: mailSender,
  },
  PLUMB_CORS_ORIGINS: {
    meaning:
      'origins whose pages may ask with a key, such as https://grafana.acme.example, comma-separated (none when unset)',
    read: origins,
  },
  PLUMB_OIDC_ISSUER: {
    meaning: 'address of an OpenID Connect provider that people may sign in with (none when unset)',
    read: issuer,
  },
  PLUMB_OIDC_CLIENT_ID: { meaning: 'what the provider knows Plumb by', read: (text) => text.trim() },
  PLUMB_OIDC_CLIENT_SECRET: {
    meaning: 'the secret that goes with it (a public client when unset)',
    read: (text) => text.trim(),
  },
  PLUMB_OIDC_ORGANISATIONS: {
    meaning:
      'organisations whose people may sign in with the provider: names or identifiers of existing ones, comma-separated',
    read: names,
  },
  PLUMB_OIDC_NAME: {
    meaning: 'what the button to the provider calls it, single sign-on when unset',
    read: (text) => text.trim(),
  },
  PLUMB_SECRET: {
    meaning: 'what the secrets of sources are encrypted with (generated and kept in the data folder when unset)',
    read: (text) => text.trim(),
  },
  PLUMB_SECRET_OLD: {
    meaning: 'the PLUMB_SECRET before, until `plumb secret rotate` has encrypted everything again',
    read: (text) => text.trim(),
  },
  PLUMB_SOURCE_HOSTS: {
    meaning:
      'private hosts that a page or the API may name as the address of a source or of a channel for messages, comma-separated (none when unset)',
    read: hosts,
  },
} as const satisfies Record<string, EnvironmentSetting<unknown>>;

type SettingName = keyof typeof settings;

/** The settings with their meaning, for `--help` and the documentation. */
export const settingMeanings: readonly (readonly [name: string, meaning: string])[] = Object.entries(settings).map(
  ([name, { meaning }]) => [name, meaning],
);

/** Reads the settings, each from its variable or from the file that its `_FILE` form names. Every problem at once. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const get = <N extends SettingName>(name: N): ReturnType<(typeof settings)[N]['read']> | undefined => {
    try {
      const text = textOf(environment, name);
      return text === undefined ? undefined : (settings[name].read(text) as ReturnType<(typeof settings)[N]['read']>);
    } catch (error) {
      if (!(error instanceof UnfitSetting)) throw error;
      problems.push(`${name} ${error.message}`);
      return undefined;
    }
  };
  const read: Settings = {
    folder: get('PLUMB_DATA') ?? resolve('data'),
    host: get('PLUMB_HOST') ?? '127.0.0.1',
    port: get('PLUMB_PORT') ?? 4400,
    adminPort: get('PLUMB_ADMIN_PORT'),
    adminHost: get('PLUMB_ADMIN_HOST') ?? '127.0.0.1',
    databaseUrl: get('DATABASE_URL'),
    tablesUrl: get('CLICKHOUSE_URL'),
    rateLimit: get('PLUMB_RATE_LIMIT') ?? 6_000,
    querySeconds: get('PLUMB_QUERY_SECONDS') ?? 30,
    memory: get('PLUMB_MEMORY') ?? defaultMemory(),
    threads: get('PLUMB_THREADS'),
    logLevel: get('PLUMB_LOG') ?? 'info',
    trustProxy: get('PLUMB_TRUST_PROXY') ?? false,
    publicUrl: get('PLUMB_PUBLIC_URL'),
    mailServer: get('PLUMB_SMTP_URL'),
    mailSender: get('PLUMB_SMTP_FROM'),
    corsOrigins: get('PLUMB_CORS_ORIGINS') ?? [],
    openid: openidOf({
      issuer: get('PLUMB_OIDC_ISSUER'),
      clientId: get('PLUMB_OIDC_CLIENT_ID'),
      clientSecret: get('PLUMB_OIDC_CLIENT_SECRET'),
      organisations: get('PLUMB_OIDC_ORGANISATIONS'),
      name: get('PLUMB_OIDC_NAME'),
    }),
    secret: get('PLUMB_SECRET'),
    secretOld: get('PLUMB_SECRET_OLD'),
    sourceHosts: get('PLUMB_SOURCE_HOSTS') ?? [],
  };
  if (problems.length === 0) problems.push(...openidProblems(environment, read.openid), ...mailProblems(read));
  problems.push(...strangers(environment));
  if (
    read.tablesUrl !== undefined &&
    read.databaseUrl === undefined &&
    !problems.some((one) => /DATABASE_URL/.test(one))
  ) {
    problems.push(
      'CLICKHOUSE_URL is set, but tables there also need DATABASE_URL, where servers agree on what is published',
    );
  }
  if (read.adminPort !== undefined && read.adminPort !== 0 && read.adminPort === read.port) {
    problems.push(`PLUMB_ADMIN_PORT must differ from PLUMB_PORT (both are ${read.port})`);
  }
  if (problems.length > 0) {
    throw new Refusal('bad-input', `The configuration is not usable:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
  }
  return read;
}

function openidOf({
  issuer,
  clientId,
  organisations,
  clientSecret,
  name = 'single sign-on',
}: { readonly [K in keyof OpenidConnection]?: OpenidConnection[K] | undefined }): OpenidConnection | undefined {
  if (issuer === undefined || clientId === undefined || organisations === undefined) return undefined;
  return { issuer, clientId, clientSecret, organisations, name };
}

/** Half a provider lets nobody in, and nobody would know why. */
function openidProblems(environment: Environment, openid: OpenidConnection | undefined): string[] {
  const isSet = (name: string) => (environment[name] || environment[`${name}_FILE`] || '') !== '';
  const given = Object.keys(settings).filter((name) => name.startsWith('PLUMB_OIDC_') && isSet(name));
  if (openid || given.length === 0) return [];
  const missing = ['PLUMB_OIDC_ISSUER', 'PLUMB_OIDC_CLIENT_ID', 'PLUMB_OIDC_ORGANISATIONS'].filter(
    (name) => !isSet(name),
  );
  return [`${given[0]} is set, but signing in with OpenID Connect also needs ${missing.join(' and ')}`];
}

/** Half of what mail needs sends none, and nobody would know why. */
function mailProblems({ mailServer, mailSender, publicUrl }: Settings): string[] {
  if (mailServer === undefined && mailSender === undefined) return [];
  const [given, other] =
    mailServer === undefined ? ['PLUMB_SMTP_FROM', 'PLUMB_SMTP_URL'] : ['PLUMB_SMTP_URL', 'PLUMB_SMTP_FROM'];
  const missing = [
    ...(mailServer === undefined || mailSender === undefined ? [other] : []),
    ...(publicUrl === undefined ? ['PLUMB_PUBLIC_URL'] : []),
  ];
  return missing.length === 0 ? [] : [`${given} is set, but sending email also needs ${missing.join(' and ')}`];
}

function textOf(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  const text = environment[name];
  if (file === undefined || file === '') return text === '' ? undefined : text;
  if (text !== undefined && text !== '')
    throw new UnfitSetting(`is given twice, by itself and by ${name}_FILE: unset one`);
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UnfitSetting(
      `cannot be read from ${name}_FILE=${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (content === '') throw new UnfitSetting(`cannot be read from ${name}_FILE=${file}: the file is empty`);
  return content;
}

/** A misspelt setting must not pass as one that was never given. */
function strangers(environment: Environment): string[] {
  const known = Object.keys(settings);
  return Object.keys(environment)
    .filter((name) => environment[name] !== '')
    .flatMap((name) => {
      const plain = name.replace(/_FILE$/, '');
      if (!name.startsWith('PLUMB_') || known.includes(plain)) return [];
      return [`${name} is not a setting.${didYouMean(plain, known)} Settings: ${known.join(', ')}`];
    });
}
