import { createHash, randomBytes } from 'node:crypto';
import { readJson } from '../bounded-json.ts';
import { Refusal } from '../refusal.ts';
import { SourceProblem, type WebhookKind } from '../sources/source.ts';
import { isProven } from '../sources/webhooks.ts';
import { GroupedWrites } from '../store/grouped-writes.ts';
import { findSource, type SourceRow } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';
import { keepDeliveries, type WebhookDeliveryRow } from '../store/webhook-deliveries.ts';
import type { ConfiguredSources } from './configured-sources.ts';

/** A call of a provider, as it came. */
interface WebhookCall {
  readonly kind: string;
  readonly sourceId: string;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** The token in the address. */
  readonly token?: string | undefined;
}

interface WebhookIntakeParts {
  readonly store: Store;
  readonly sources: Pick<ConfiguredSources, 'kinds' | 'webhookSecretOf'>;
  readonly now: () => Date;
  /** Called with a source that has something to read again. */
  readonly kept: (sourceId: string) => void;
}

const jsonLimits = { depth: 100, values: 2_000_000 };
const maxDeliveryLength = 200;

/** Without the secret the answer reveals nothing, not even whether the source exists. */
const notProven = (): Refusal =>
  new Refusal('unauthenticated', 'Unknown source, or the signature is not that of its secret.');

/**
 * Takes calls of providers. A call only says what has changed: it is kept in the store, and read again later from the
 * provider itself, so that a call that is late, repeated or out of order does no harm.
 */
export class WebhookIntake {
  readonly #parts: WebhookIntakeParts;
  /** Calls come in bursts, and each change of the store takes longer than what is in it. */
  readonly #deliveries: GroupedWrites<WebhookDeliveryRow, undefined>;

  constructor(parts: WebhookIntakeParts) {
    this.#parts = parts;
    this.#deliveries = new GroupedWrites(async (together) => {
      await parts.store.note((session) => keepDeliveries(session, together));
      return together.map(() => undefined);
    });
  }

  /** Resolves once it is durable. Refused where it does not prove that it knows the source's secret. */
  async receive(call: WebhookCall): Promise<void> {
    const { webhook, source } = await this.#provenBy(call);
    const { now, kept } = this.#parts;
    const event = (webhook.eventHeader && call.headers[webhook.eventHeader]) ?? '';
    const objects = webhook.objectsOf(event, await payloadOf(call));
    if (objects.length === 0) return;
    await this.#deliveries.add({
      source_id: source.id,
      delivery_id: deliveryOf(call, webhook),
      organisation_id: source.organisation_id,
      event,
      objects: JSON.stringify(objects),
      received_at: now(),
      done_at: null,
    });
    kept(source.id);
  }

  async #provenBy(call: WebhookCall): Promise<{ readonly webhook: WebhookKind; readonly source: SourceRow }> {
    const { store, sources } = this.#parts;
    const webhook = sources.kinds.find(({ kind }) => kind === call.kind)?.webhook;
    if (!webhook) throw notProven();
    const source = await store.read((session) => findSource(session, call.sourceId));
    const secret = source?.kind === call.kind ? await this.#secretOf(source) : undefined;
    // The proof is computed also without a secret: nobody sees by the time it takes whether there is one.
    const isGood = isProven(webhook, call, secret ?? noSecret);
    if (!source || secret === undefined || !isGood) throw notProven();
    return { webhook, source };
  }

  /** A secret that cannot be read is none: `plumb doctor` says so to who can put it right. */
  async #secretOf(source: SourceRow): Promise<string | undefined> {
    try {
      return await this.#parts.sources.webhookSecretOf(source);
    } catch (error) {
      if (error instanceof SourceProblem) return undefined;
      throw error;
    }
  }
}

const noSecret = randomBytes(32).toString('base64url');

/** A provider may give a delivery no name: then its content is its name. */
function deliveryOf({ headers, body }: WebhookCall, { deliveryHeader }: WebhookKind): string {
  const named = deliveryHeader && headers[deliveryHeader];
  if (named && named.length <= maxDeliveryLength) return named;
  return createHash('sha256').update(body).digest('hex');
}

/** JSON, or a form with JSON in the field `payload`. */
async function payloadOf({ headers, body }: WebhookCall): Promise<unknown> {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const text = isForm ? new URLSearchParams(body.toString('utf8')).get('payload') : body.toString('utf8');
  const read = await readJson(text ?? '', jsonLimits);
  if ('problem' in read) throw new Refusal('bad-input', `The body ${read.problem}.`);
  return read.value;
}
