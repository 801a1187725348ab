import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  addReadableSource,
  checkSource,
  type LastSyncView,
  lastSyncView,
} from '../../configured-sources/check-source.ts';
import type { ConfiguredSources, ListedSource, SourceChange } from '../../configured-sources/configured-sources.ts';
import { lockedSetting } from '../../configured-sources/stored-settings.ts';
import { type SourceHealth, sourceHealth } from '../../data-quality/source-health.ts';
import type { ChangeContext, Directory } from '../../directory/directory.ts';
import { runningView, type SyncProgress, type SyncProgressView } from '../../jobs/sync-progress.ts';
import type { Syncs } from '../../jobs/syncs.ts';
import { Refusal } from '../../refusal.ts';
import { isReference } from '../../sources/setting-references.ts';
import type { SourceKind } from '../../sources/source.ts';
import { replacementsOf, settingFields } from '../../sources/source-settings.ts';
import { webhookAddress } from '../../sources/webhooks.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import type { OwnAddress } from '../admission/own-address.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import { notBlank } from '../body/request-validation.ts';
import { noQuery } from '../openapi.ts';

export interface SourceRouteParts {
  readonly sources: ConfiguredSources;
  readonly syncs: Pick<Syncs, 'progressOf' | 'isRunning' | 'request' | 'wake'>;
  readonly directory: Directory;
  readonly address: OwnAddress;
  readonly now: () => Date;
}

type SettingInput = string | number | boolean | null | readonly string[];
const settings = Type.Unsafe<Readonly<Record<string, SettingInput>>>({
  type: 'object',
  maxProperties: 50,
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'null', 'array'],
    maxLength: 20_000,
    maxItems: 5_000,
    items: { type: 'string', maxLength: 500 },
  },
});
const newSource = Type.Object(
  { kind: Type.String({ maxLength: 100 }), name: Type.String({ pattern: notBlank, maxLength: 200 }), settings },
  { additionalProperties: false },
);
interface NewSourceRequest {
  Body: { readonly kind: string; readonly name: string; readonly settings: Readonly<Record<string, SettingInput>> };
}
const changedSource = Type.Object({ settings }, { additionalProperties: false });
interface SourceRequest {
  Params: { readonly id: string };
  Body: { readonly settings: Readonly<Record<string, SettingInput>> };
}

const byOwner = { onRequest: onlyFor('Owner', 'Managing connections') };

/** Connections. What a page gives comes through the door `api`: no references, no private addresses, no local files. */
export function sourceRoutes(app: FastifyInstance, parts: SourceRouteParts): void {
  const { sources, syncs, directory, address, now } = parts;
  const hidden = { ...byOwner, schema: { hide: true, querystring: noQuery } };

  const viewsFor = async (request: FastifyRequest): Promise<SourceOnPage[]> => {
    const { organisationId } = principalOf(request);
    const health = await directory.store.read((session) => sourceHealth(session, organisationId));
    return (await sources.list(organisationId)).map((listed) =>
      sourceView(listed, {
        kind: sources.kinds.find(({ kind }) => kind === listed.row.kind),
        health: health.find(({ id }) => id === listed.row.id),
        progress: syncs.progressOf(listed.row.id),
        publicUrl: address.urlFor(request),
        now: now(),
      }),
    );
  };
  /** By identifier alone: another source may have it as its name. */
  const sourceIn = async (request: FastifyRequest<SourceRequest>) => {
    const { organisationId } = principalOf(request);
    const found = (await sources.list(organisationId)).find(({ row }) => row.id === request.params.id);
    if (!found) throw new Refusal('not-found', 'There is no such connection in this organisation.');
    return found.row;
  };
  const viewOf = async (request: FastifyRequest, id: string): Promise<SourceOnPage> => {
    const view = (await viewsFor(request)).find((one) => one.id === id);
    if (!view) throw new Refusal('conflict', 'This connection was removed meanwhile.');
    return view;
  };

  app.get('/app/source-kinds', { schema: { hide: true, querystring: noQuery } }, async () => ({
    kinds: sources.kinds.map(kindView),
  }));

  app.get('/app/sources', hidden, async (request) => ({ sources: await viewsFor(request) }));

  app.post<NewSourceRequest>(
    '/app/sources',
    { ...byOwner, schema: { hide: true, querystring: noQuery, body: newSource } },
    async (request, reply) => {
      const { kind, name, settings } = request.body;
      const change = fromPage(changeContextOf(request, reply));
      const given = { kind, name, settings: textsOf(settings) };
      const { id, webhookSecret, check } = await addReadableSource(sources, change, given);
      syncs.wake();
      reply.code(201);
      const made = await viewOf(request, id);
      const { webhook } = sources.kind(kind);
      const url = made.webhook_url;
      const webhook_url = webhook && url ? webhookAddress(webhook, { url, secret: webhookSecret }) : url;
      return { ...made, webhook_url, webhook_secret: webhookSecret ?? null, check };
    },
  );

  app.patch<SourceRequest>(
    '/app/sources/:id',
    { ...byOwner, schema: { hide: true, querystring: noQuery, body: changedSource } },
    async (request, reply) => {
      const { id, name } = await sourceIn(request);
      await sources.set(fromPage(changeContextOf(request, reply)), name, textsOf(request.body.settings));
      return viewOf(request, id);
    },
  );

  app.delete<SourceRequest>('/app/sources/:id', hidden, async (request, reply) => {
    const { name } = await sourceIn(request);
    await sources.remove(fromPage(changeContextOf(request, reply)), name);
    return reply.code(204).send();
  });

  app.post<SourceRequest>('/app/sources/:id/check', hidden, async (request) =>
    checkSource(sources, await sourceIn(request)),
  );

  app.post<SourceRequest>('/app/sources/:id/sync', hidden, async (request, reply) => {
    const row = await sourceIn(request);
    // A source that is being read reads what is new as well.
    if (!syncs.isRunning(row.id)) await syncs.request(row, changeContextOf(request, reply).actor);
    reply.code(202);
    return viewOf(request, row.id);
  });
}

const fromPage = ({ organisationId, actor }: ChangeContext): SourceChange => ({ organisationId, actor, origin: 'api' });

/** Settings are written as they would be typed after `--set`: one place reads settings. */
const textsOf = (given: Readonly<Record<string, SettingInput>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === null ? '' : Array.isArray(value) ? value.join(',') : String(value),
    ]),
  );

/** A kind of source for a form: what it needs to know, as data. */
const kindView = (kind: SourceKind) => ({
  kind: kind.kind,
  label: kind.label,
  meaning: kind.meaning,
  /** The kind reads files of the machine that the server runs on: only the command line adds it. */
  needs_command_line: kind.isLocal === true,
  has_webhooks: kind.webhook !== undefined,
  settings: settingFields(kind).map((field, _, fields) => ({
    name: field.name,
    label: field.label,
    meaning: field.meaning,
    type: field.type,
    is_secret: field.isSecret === true,
    // Of two ways neither is required by itself: the answer to settings that lack both says what is missing.
    is_required:
      field.isRequired === true &&
      field.usual === undefined &&
      field.insteadOf === undefined &&
      replacementsOf(field, fields).length === 0,
    usual: field.usual ?? null,
    most: field.most ?? null,
  })),
});

/** For a secret, and a value that the operator keeps elsewhere, only that it is set. */
type ShownSetting = string | { readonly set: true; readonly by_operator?: true; readonly problem?: string };

interface SourceOnPage {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, ShownSetting>>;
  readonly webhook_url: string | null;
  readonly created_at: string;
  readonly state: 'waiting' | 'syncing' | 'complete' | 'partial' | 'failed';
  readonly last_sync: LastSyncView | null;
  readonly progress: SyncProgressView | null;
  readonly problems: readonly SourceProblemOnPage[];
  readonly no_longer_listed: SourceHealth['no_longer_listed'];
  readonly not_seen: SourceHealth['not_seen'];
  readonly streams: SourceHealth['streams'];
}

interface SourceProblemOnPage {
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly stream: string | null;
  readonly at: string | null;
  readonly message: string;
  readonly to_do: string | null;
}

interface SourceViewParts {
  readonly kind: SourceKind | undefined;
  readonly health: SourceHealth | undefined;
  readonly progress: SyncProgress | undefined;
  readonly publicUrl: string;
  readonly now: Date;
}

export function sourceView({ row, settings, sync }: ListedSource, parts: SourceViewParts): SourceOnPage {
  const { kind, health, publicUrl, now } = parts;
  const isSyncing = sync?.holder != null && (sync.lease_until?.getTime() ?? 0) > now.getTime();
  const progress = isSyncing ? runningView(row.name, parts.progress) : null;
  return {
    id: row.id,
    kind: row.kind,
    label: kind?.label ?? row.kind,
    name: row.name,
    settings: shownSettings(settings, kind),
    webhook_url: kind?.webhook ? `${publicUrl}/webhooks/${row.kind}/${row.id}` : null,
    created_at: row.created_at.toISOString(),
    state: isSyncing ? 'syncing' : ((sync?.outcome as SourceOnPage['state'] | null | undefined) ?? 'waiting'),
    last_sync: lastSyncView(sync),
    progress,
    problems: health ? problemsOf(health) : [],
    no_longer_listed: health?.no_longer_listed ?? [],
    not_seen: health?.not_seen ?? [],
    streams: health?.streams ?? [],
  };
}

function shownSettings(texts: ListedSource['settings'], kind: SourceKind | undefined): Record<string, ShownSetting> {
  const fields = kind ? settingFields(kind) : [];
  const shown = Object.entries(texts).map(([name, text]): [string, ShownSetting] => {
    // An Owner does not need to know where the operator keeps a value.
    if (isReference(text)) return [name, { set: true, by_operator: true }];
    // For a kind that this version does not know, nobody can say which settings are secret.
    const isSecret = fields.find((field) => field.name === name)?.isSecret ?? kind === undefined;
    if (!isSecret) return [name, text];
    return [
      name,
      text === lockedSetting ? { set: true, problem: `It is ${lockedSetting}. Set it again.` } : { set: true },
    ];
  });
  return Object.fromEntries(shown);
}

function problemsOf({ last_error, streams }: SourceHealth): SourceProblemOnPage[] {
  const whole = last_error ? [{ scope: '', stream: null, ...last_error }] : [];
  const each = streams.flatMap(({ scope, stream, last_error: error }) => (error ? [{ scope, stream, ...error }] : []));
  return [...whole, ...each];
}
