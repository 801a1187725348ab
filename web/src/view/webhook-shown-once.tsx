import { CodeBlock } from './code-block.tsx';
import type { MadeConnection } from './connection-form.tsx';
import { useGoneWithPage } from './gone-with-page.ts';

/** The address and the secret for the webhooks of a new connection; the secret is shown this once. */
export function WebhookShownOnce({ made, onClose }: { readonly made: MadeConnection; readonly onClose: () => void }) {
  useGoneWithPage(onClose);
  return (
    <div className="stack" role="status">
      <p>
        <strong>{made.name} is connected.</strong> The first sync starts on its own.
      </p>
      {made.check.missing.length > 0 && <p>Missing rights: {made.check.missing.join(', ')}.</p>}
      {made.webhook_url && made.webhook_secret && (
        <>
          <p className="secondary">
            For changes within seconds, add a webhook there with this address and this secret, content type
            application/json. The secret is shown only once.
          </p>
          <CodeBlock name="Address of the webhook" label="Copy the address" text={made.webhook_url} />
          <CodeBlock name="Secret of the webhook" label="Copy the secret" text={made.webhook_secret} />
        </>
      )}
      <div className="row">
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
