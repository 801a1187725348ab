import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Budget } from '../../admission/budget.ts';
import { addReadableSource, checkSettings, checkSource, listChoices } from '../../configured-sources/check-source.ts';
import type { ConfiguredSources, SourceChange } from '../../configured-sources/configured-sources.ts';
import { inLabels } from '../../configured-sources/setting-labels.ts';
import { sourceHealth } from '../../data-quality/source-health.ts';
import type { ChangeContext, Directory } from '../../directory/directory.ts';
import type { Syncs } from '../../jobs/syncs.ts';
import { Refusal } from '../../refusal.ts';
import { type SourceKind, SourceProblem } from '../../sources/source.ts';
import { settingFields } from '../../sources/source-settings.ts';
import { webhookAddress } from '../../sources/webhooks.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import type { OwnAddress } from '../admission/own-address.ts';
import { changeContextOf, requestTicket } from '../admission/request-ticket.ts';
import { notBlank } from '../body/request-validation.ts';
import { noQuery } from '../openapi.ts';
import { checkOnPage, kindView, type SourceOnPage, sourceView } from './source-views.ts';

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
const search = Type.Optional(Type.String({ maxLength: 200 }));
const triedSettings = Type.Object(
  { kind: Type.String({ maxLength: 100 }), settings, search },
  { additionalProperties: false },
);
interface TriedSettingsRequest {
  Body: Omit<NewSourceRequest['Body'], 'name'> & { readonly search?: string };
}
const searched = Type.Object({ search }, { additionalProperties: false });
interface ChoicesRequest {
  Params: SourceRequest['Params'];
  Querystring: { readonly search?: string };
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
  const sourceIn = async (request: FastifyRequest, { id }: SourceRequest['Params']) => {
    const { organisationId } = principalOf(request);
    const found = (await sources.list(organisationId)).find(({ row }) => row.id === id);
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
      const { id, webhookSecret, check } = await trials.take({ ticket: requestTicket(request, reply) }, () =>
        inForm(sources.kind(kind), () => addReadableSource(sources, change, given)),
      );
      syncs.wake();
      reply.code(201);
      const made = await viewOf(request, id);
      const { webhook } = sources.kind(kind);
      const url = made.webhook_url;
      const webhook_url = webhook && url ? webhookAddress(webhook, { url, secret: webhookSecret }) : url;
      return {
        ...made,
        webhook_url,
        webhook_secret: webhookSecret ?? null,
        check: check && checkOnPage(check, sources.kind(kind)),
      };
    },
  );

  app.patch<SourceRequest>(
    '/app/sources/:id',
    { ...byOwner, schema: { hide: true, querystring: noQuery, body: changedSource } },
    async (request, reply) => {
      const { id, name, kind } = await sourceIn(request, request.params);
      const change = fromPage(changeContextOf(request, reply));
      await inForm(sources.kind(kind), () => sources.set(change, name, textsOf(request.body.settings)));
      return viewOf(request, id);
    },
  );

  app.delete<SourceRequest>('/app/sources/:id', hidden, async (request, reply) => {
    const { name } = await sourceIn(request, request.params);
    await sources.remove(fromPage(changeContextOf(request, reply)), name);
    return reply.code(204).send();
  });

  app.post<SourceRequest>('/app/sources/:id/check', hidden, async (request, reply) => {
    const row = await sourceIn(request, request.params);
    return trials.take({ ticket: requestTicket(request, reply) }, async () =>
      checkOnPage(await checkSource(sources, row), sources.kind(row.kind)),
    );
  });

  app.post<TriedSettingsRequest>(
    '/app/sources/check',
    { ...byOwner, schema: { hide: true, querystring: noQuery, body: triedSettings } },
    async (request, reply) => {
      const { kind, settings, search } = request.body;
      const given = { kind, settings: textsOf(settings), ...(search === undefined ? {} : { search }) };
      return trials.take({ ticket: requestTicket(request, reply) }, async () =>
        checkOnPage(await checkSettings(sources, fromPage(changeContextOf(request, reply)), given), sources.kind(kind)),
      );
    },
  );

  app.get<ChoicesRequest>(
    '/app/sources/:id/choices',
    { ...byOwner, schema: { hide: true, querystring: searched } },
    async (request, reply) => {
      const row = await sourceIn(request, request.params);
      try {
        const choices = await trials.take({ ticket: requestTicket(request, reply) }, () =>
          listChoices(sources, row, request.query.search),
        );
        return { choices };
      } catch (error) {
        if (!(error instanceof SourceProblem)) throw error;
        const fields = settingFields(sources.kind(row.kind));
        throw new Refusal('conflict', inLabels(`${error.message}. ${error.toDo}`, fields));
      }
    },
  );

  app.post<SourceRequest>('/app/sources/:id/sync', hidden, async (request, reply) => {
    const row = await sourceIn(request, request.params);
    // A source that is being read reads what is new as well.
    if (!syncs.isRunning(row.id)) await syncs.request(row, changeContextOf(request, reply).actor);
    reply.code(202);
    return viewOf(request, row.id);
  });
}

/** Trials go to hosts that the caller names, and each may take a minute. */
const trials = new Budget({
  shares: { all: 16, organisation: 4 },
  waiting: { organisation: 16, key: 8 },
  crowded: () =>
    new Refusal('too-many-requests', 'Several checks are under way already. Try again in a moment.', {
      retryAfterSeconds: 5,
    }),
});

/** A refusal of settings names them as the form does. */
async function inForm<T>(kind: SourceKind, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.reason, inLabels(error.message, settingFields(kind)), error.hints);
  }
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
