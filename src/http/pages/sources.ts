import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { addReadableSource, checkSource } from '../../configured-sources/check-source.ts';
import type { ConfiguredSources, SourceChange } from '../../configured-sources/configured-sources.ts';
import { sourceHealth } from '../../data-quality/source-health.ts';
import type { ChangeContext, Directory } from '../../directory/directory.ts';
import type { Syncs } from '../../jobs/syncs.ts';
import { Refusal } from '../../refusal.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import type { OwnAddress } from '../admission/own-address.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import { notBlank } from '../body/request-validation.ts';
import { noQuery } from '../openapi.ts';
import { kindView, type SourceOnPage, sourceView } from './source-views.ts';

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
  /** By its identifier alone: another source may be called like it. */
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
      return { ...(await viewOf(request, id)), webhook_secret: webhookSecret ?? null, check };
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
    // One that runs reads what is new as well.
    if (!syncs.isRunning(row.id)) await syncs.request(row, changeContextOf(request, reply).actor);
    reply.code(202);
    return viewOf(request, row.id);
  });
}

const fromPage = ({ organisationId, actor }: ChangeContext): SourceChange => ({ organisationId, actor, origin: 'api' });

/** As they would be typed after `--set`: there is one place that reads settings. */
const textsOf = (given: Readonly<Record<string, SettingInput>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === null ? '' : Array.isArray(value) ? value.join(',') : String(value),
    ]),
  );
