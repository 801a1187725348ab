import { CodeBlock } from './code-block.tsx';
import type { MadeConnection } from './connection-form.tsx';
import { webhookShownOnceWords } from './connection-words.ts';
import { useGoneWithPage } from './gone-with-page.ts';

/** The address and the secret for the webhooks of a new connection; the secret is shown this once. */
export function WebhookShownOnce({ made, onClose }: { readonly made: MadeConnection; readonly onClose: () => void }) {
  useGoneWithPage(onClose);
  return (
    <div className="stack" role="status">
      <p>
        <strong>{webhookShownOnceWords.connected(made.name)}</strong> {webhookShownOnceWords.firstSyncStarts}
      </p>
      {made.check.missing.length > 0 && <p>{webhookShownOnceWords.missingRights(made.check.missing.join(', '))}</p>}
      {made.webhook_url && made.webhook_secret && (
        <>
          <p className="secondary">{webhookShownOnceWords.forChangesWithinSeconds}</p>
          <CodeBlock
            name={webhookShownOnceWords.addressWebhook}
            label={webhookShownOnceWords.copyAddress}
            text={made.webhook_url}
          />
          <CodeBlock
            name={webhookShownOnceWords.secretWebhook}
            label={webhookShownOnceWords.copySecret}
            text={made.webhook_secret}
          />
        </>
      )}
      <div className="row">
        <button type="button" className="button" onClick={onClose}>
          {webhookShownOnceWords.done}
        </button>
      </div>
    </div>
  );
}
