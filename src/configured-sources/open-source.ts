import { HostRequests } from '../sources/http/host-requests.ts';
import type { RetryBudget } from '../sources/http/retries.ts';
import type { Requests } from '../sources/requests.ts';
import type { OpenSource, SettingValues, SourceKind, SourceMemory } from '../sources/source.ts';
import type { UsableSource } from './configured-sources.ts';

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly memory: SourceMemory;
  /** The retries that whoever asks just now may use. */
  readonly budget?: () => RetryBudget;
}

export interface OpenedSource {
  readonly source: OpenSource;
  /** Undefined for a kind that asks no host. */
  readonly host: HostRequests | undefined;
  close(): void;
}

/** Opens a source for reading. Whoever opens it closes it. */
export function openSource(usable: UsableSource, { signal, memory, budget }: OpenOptions): OpenedSource {
  const { kind, settings, mayBePrivate } = usable;
  const baseUrl = settings.base_url;
  const host =
    typeof baseUrl === 'string'
      ? new HostRequests({
          baseUrl,
          ownAddresses: ownAddresses(kind),
          allowedHosts: [...(kind.allowedHosts ?? []), ...listOf(settings.allow_hosts)],
          authorization: kind.authorization?.(settings) ?? bearer(settings),
          mayBePrivate,
          signal,
          ...(typeof settings.keep_free_percent === 'number' ? { keepFree: settings.keep_free_percent / 100 } : {}),
          ...(budget ? { budget } : {}),
        })
      : undefined;
  const source = kind.open({ settings, requests: host ?? noHost, signal, memory });
  return { source, host, close: () => host?.close() };
}

/** Links of a server in the company's own network may name the provider's usual address: it is asked at `base_url`. */
const ownAddresses = (kind: SourceKind): string[] =>
  kind.settings.flatMap(({ name, usual }) => (name === 'base_url' && usual !== undefined ? [usual] : []));

const bearer = ({ token }: SettingValues): Record<string, string> =>
  typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};

const listOf = (value: SettingValues[string] | undefined): readonly string[] => (Array.isArray(value) ? value : []);

const refuse = () => Promise.reject(new Error('a kind of source without base_url has asked a host'));
const noHost: Requests = { get: refuse, graphql: refuse };
