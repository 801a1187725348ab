import type { FastifyReply } from 'fastify';
import type { ProvenMember } from '../../access/organisation-choices.ts';
import { minPasswordLength } from '../../access/passwords.ts';
import type { Invitation } from '../../access/sign-in-links.ts';
import { type Html, html } from '../../escaped-html.ts';
import { page } from './html-page.ts';
import { problemWords, signInWords as words } from './sign-in-words.ts';

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
    words.signInTo('Plumb'),
    html`<h1>${words.signIn}</h1>
${alert(problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" value="${email}" maxlength="500" autocomplete="username" required>
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" maxlength="800" autocomplete="current-password" required>
<button type="submit">${words.signIn}</button>
</form>
${provider && html`<p><a class="button" href="${openid}">${words.signInWith(provider)}</a></p>`}
<p class="hint">${words.noPassword}</p>`,
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
    words.chooseOrganisation,
    html`<h1>${words.chooseOrganisation}</h1>
<p>${words.organisations(organisations.length)}</p>
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
      : html`<label for="email">${words.email}</label>
<input id="email" type="email" value="${personEmail}" autocomplete="username" readonly>
`;
  return formPage(
    reply,
    words.signInTo(organisationName),
    html`<h1>${words.welcome(organisationName)}</h1>
<p>${words.invited(personName)}</p>
${alert(problem)}
<form method="post">
${account}<label for="password">${words.newPassword}</label>
<input id="password" name="password" type="password" minlength="${String(minPasswordLength)}" maxlength="800" autocomplete="new-password" aria-describedby="rule" required>
<p class="hint" id="rule">${words.passwordRule(minPasswordLength)}</p>
<button type="submit">${words.setPassword}</button>
</form>
<p class="hint">${words.worksOnce(personName)}</p>`,
  );
}

export function signOutPage(reply: FastifyReply): string {
  return formPage(
    reply,
    words.signOutOf,
    html`<h1>${words.askSignOut}</h1>
<form method="post" action="/sign-out">
<button type="submit">${words.signOut}</button>
<button type="submit" name="everywhere" value="true">${words.signOutEverywhere}</button>
</form>
<p class="hint"><a href="/">${words.back}</a></p>`,
  );
}

/** A page that tells people what went wrong. */
export function problemPage(reply: FastifyReply, status: number, detail: string): string {
  const heading =
    status === 404
      ? problemWords.deadLink
      : status >= 500 || status === 429
        ? problemWords.notSignedIn
        : status === 403
          ? problemWords.noAccess
          : problemWords.checkEntry;
  const advice = html`${status === 404 ? html`<p>${problemWords.newLink}</p>` : undefined}<p><a href="/sign-in">${words.signIn}</a></p>`;
  return page(
    reply,
    heading,
    html`<h1>${heading}</h1><p>${status === 413 ? problemWords.formTooLarge : detail}</p>${advice}`,
  );
}
