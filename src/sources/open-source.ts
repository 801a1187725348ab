import { sendable } from './authorization.ts';
import type { Requests } from './host-port.ts';
import type { KnownLimit } from './http/host-rate-limits.ts';
import { type HostOptions, HostRequests } from './http/host-requests.ts';
import { explanationOf } from './payload.ts';
import {
  type HostDirectory,
  type KnownRepositories,
  type OpenSource,
  type SettingValues,
  type SourceKind,
  type SourceMemory,
  SourceProblem,
  type StreamPosition,
} from './source.ts';
import { allowHostsField, keepFreeField } from './source-settings.ts';

export interface OpeningOptions extends Pick<HostOptions, 'mayBePrivate' | 'signal' | 'budget' | 'clock' | 'random'> {
  readonly memory?: SourceMemory;
  readonly repositories?: KnownRepositories;
  /** Somebody waits for it, and asks little: the share of the limit that is kept free is for syncs to leave alone. */
  readonly isShort?: true;
}

export interface OpenedSource {
  readonly source: OpenSource;
  /** The rest of the provider's limits, as far as the provider says so. */
  limits(): readonly KnownLimit[];
  close(): void;
}

/** A source, and the requests that it asks its host by. A kind without `base_url` has no host. */
export function openSource(kind: SourceKind, settings: SettingValues, options: OpeningOptions): OpenedSource {
  const { signal, memory, repositories } = options;
  const host = hostOf(kind, settings, options);
  const requests: Requests = host ?? noHost;
  const opening = {
    settings,
    host: host?.name ?? '',
    requests,
    signal,
    ...(memory ? { memory } : {}),
    ...(repositories ? { repositories } : {}),
  };
  return {
    source: explained(kind.label, kind.open(opening)),
    limits: () => host?.limits ?? [],
    close: () => host?.close(),
  };
}

function hostOf(kind: SourceKind, settings: SettingValues, options: OpeningOptions): HostRequests | undefined {
  const field = kind.settings.find(({ name }) => name === 'base_url');
  const baseUrl = settings.base_url ?? field?.usual;
  if (typeof baseUrl !== 'string') return undefined;
  const allowed = settings[allowHostsField.name];
  const percent = settings[keepFreeField.name];
  return new HostRequests({
    ...options,
    baseUrl,
    // A link of the provider's own is asked at base_url, also where that is a proxy's.
    ownAddresses: field?.usual === undefined ? [] : [field.usual],
    allowedHosts: [...(kind.allowedHosts ?? []), ...(Array.isArray(allowed) ? allowed : [])],
    authorization: sendable(kind.authorization?.(settings) ?? bearerOf(settings)),
    tokenIssuer: kind.tokenIssuer?.(settings),
    ...(kind.graphqlPath === undefined ? {} : { graphqlPath: kind.graphqlPath }),
    ...(kind.hasEndpointLimits ? { hasEndpointLimits: true } : {}),
    ...(options.isShort ? { keepFree: 0 } : typeof percent === 'number' ? { keepFree: percent / 100 } : {}),
  });
}

const bearerOf = ({ token }: SettingValues): Record<string, string> =>
  typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};

const refuse = async (): Promise<never> => {
  throw new SourceProblem('This source has no host to ask', 'Set base_url.');
};
const noHost: Requests = { get: refuse, post: refuse, graphql: refuse };

/** Wraps a source, so that answers of an unknown shape become problems that name the provider and the field. */
function explained(label: string, source: OpenSource): OpenSource {
  const explain = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw explanationOf(label, error);
    }
  };
  const reread = source.reread?.bind(source);
  const choices = source.choices?.bind(source);
  return {
    check: () => explain(() => source.check()),
    ...(choices && { choices: () => explain(choices) }),
    async *streams() {
      try {
        for await (const stream of source.streams()) {
          yield { ...stream, read: (position) => explain(() => stream.read(position)) };
        }
      } catch (error) {
        throw explanationOf(label, error);
      }
    },
    ...(reread && { reread: (object) => explain(() => reread(object)) }),
  };
}

/** Members and teams of everything that a source reads, as they are now. */
export async function readDirectories(source: Pick<OpenSource, 'streams'>): Promise<HostDirectory[]> {
  const found: HostDirectory[] = [];
  for await (const stream of source.streams()) {
    if (!stream.isDirectory) continue;
    for (let position: StreamPosition | undefined = {}; position; ) {
      const { directory, next } = await stream.read(position);
      if (directory && 'people' in directory) found.push(directory);
      position = next === undefined ? undefined : { next };
    }
  }
  return found;
}
