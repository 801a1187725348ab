import { type Html, html } from '../pages/html-page.ts';

/** A request that can be sent from the page. */
interface TriedRequest {
  readonly method: string;
  readonly path: string;
  /** JSON text; absent for requests without a body. */
  readonly body?: string;
  readonly contentType?: string;
}

/** The request as a command to paste, and a form that sends it. */
export function tryForm({ method, path, body, contentType = 'application/json' }: TriedRequest): Html {
  const sent =
    body === undefined ? '' : ` \\\n  -H 'Content-Type: ${contentType}' -d '${body.replaceAll("'", "'\\''")}'`;
  const verb = method === 'GET' || method === 'POST' ? '' : ` -X ${method}`;
  const lines = (body ?? '').split('\n').length;
  return html`<pre tabindex="0"><code>curl -s${verb} "$PLUMB${path}" -H "Authorization: $KEY"${sent}</code></pre>
<form class="try" data-method="${method}" data-type="${contentType}">
<label class="field"><span>Path</span><input class="input" name="path" value="${path}" spellcheck="false"></label>
${body && html`<label class="field"><span>Body</span><textarea class="input" name="body" rows="${String(Math.min(16, lines + 1))}" spellcheck="false">${body}</textarea></label>`}
<label class="field"><span>API key. Leave it empty where you are signed in. It stays in this tab.</span><input class="input" name="key" type="password" autocomplete="off"></label>
<p><button class="button primary" type="submit">Send</button> <span class="secondary" role="status"></span></p>
<pre class="answer" tabindex="0" aria-label="Answer" hidden></pre>
</form>`;
}
