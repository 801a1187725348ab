import type { FastifyReply } from 'fastify';
import type { ProvenMember } from '../../access/organisation-choices.ts';
import { minPasswordLength } from '../../access/passwords.ts';
import type { Invitation } from '../../access/sign-in-links.ts';
import { type Html, html, page } from './html-page.ts';

/** A form that browsers send with our own Origin, which they leave out where no referrer is sent at all. */
function formPage(reply: FastifyReply, title: string, content: Html): string {
  reply.header('referrer-policy', 'same-origin');
  return page(reply, title, content);
}

const alert = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="bad" role="alert">${problem}</p>`;

/** The content of the form for email address and password. */
interface SignInForm {
  readonly email?: string;
  readonly next: string;
  readonly problem?: string;
  /** The name of the OpenID provider, where there is one. */
  readonly provider?: string | undefined;
}

export function signInPage(reply: FastifyReply, { email = '', next, problem, provider }: SignInForm): string {
  const openid = `/sign-in/openid?next=${encodeURIComponent(next)}`;
  return formPage(
    reply,
    'Sign in to Plumb',
    html`<h1>Sign in</h1>
${alert(problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${email}" maxlength="500" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" maxlength="800" autocomplete="current-password" required>
<button type="submit">Sign in</button>
</form>
${provider && html`<p><a class="button" href="${openid}">Sign in with ${provider}</a></p>`}
<p class="hint">First time here, or forgot your password? Ask an Owner of your organisation for a sign-in link. Owners ask the operator of this server.</p>`,
  );
}

export function choicePage(
  reply: FastifyReply,
  { choice, organisations, next }: { choice: string; organisations: readonly ProvenMember[]; next: string },
): string {
  const buttons = organisations.map(
    ({ organisationId, organisationName }) =>
      html`<button type="submit" name="organisation" value="${organisationId}">${organisationName}</button>\n`,
  );
  return formPage(
    reply,
    'Choose an organisation',
    html`<h1>Choose an organisation</h1>
<p>You belong to ${String(organisations.length)} organisations.</p>
<form method="post" action="/sign-in/organisation">
<input type="hidden" name="choice" value="${choice}">
<input type="hidden" name="next" value="${next}">
${buttons}</form>`,
  );
}

export function invitationPage(
  reply: FastifyReply,
  { organisationName, personName, personEmail }: Invitation,
  problem?: string,
): string {
  const account =
    personEmail === null
      ? undefined
      : html`<label for="email">Email address</label>
<input id="email" type="email" value="${personEmail}" autocomplete="username" readonly>
`;
  return formPage(
    reply,
    `Sign in to ${organisationName}`,
    html`<h1>Welcome to ${organisationName}</h1>
<p>You’re signing in as <strong>${personName}</strong>. Choose a password to sign in with from now on.</p>
${alert(problem)}
<form method="post">
${account}<label for="password">New password</label>
<input id="password" name="password" type="password" minlength="${String(minPasswordLength)}" maxlength="800" autocomplete="new-password" aria-describedby="rule" required>
<p class="hint" id="rule">At least ${String(minPasswordLength)} characters. A few words you remember work best.</p>
<button type="submit">Set password and sign in</button>
</form>
<p class="hint">This link works once. If you aren’t ${personName}, close this page.</p>`,
  );
}

export function signOutPage(reply: FastifyReply): string {
  return formPage(
    reply,
    'Sign out of Plumb',
    html`<h1>Sign out?</h1>
<form method="post" action="/sign-out">
<button type="submit">Sign out</button>
<button type="submit" name="everywhere" value="true">Sign out everywhere</button>
</form>
<p class="hint"><a href="/">Back</a></p>`,
  );
}

/** A page that tells people what went wrong. */
export function problemPage(reply: FastifyReply, status: number, detail: string): string {
  const heading =
    status === 404
      ? 'This link doesn’t work'
      : status >= 500 || status === 429
        ? 'Couldn’t sign you in'
        : status === 403
          ? 'You don’t have access'
          : 'Check what you entered';
  const advice =
    status === 404
      ? html`<p>Ask an Owner of your organisation for a new link, or <a href="/sign-in">sign in</a> with your password.</p>`
      : html`<p><a href="/sign-in">Sign in</a></p>`;
  return page(
    reply,
    heading,
    html`<h1>${heading}</h1><p>${status === 413 ? 'The form is too large.' : detail}</p>${advice}`,
  );
}
