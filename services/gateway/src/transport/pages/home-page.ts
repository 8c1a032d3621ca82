import type { PageLanguage } from '../../domain/page-language.ts';
import { html } from '../views/html.ts';
import { layout } from '../views/layout.ts';

const WORDS = {
  en: {
    title: 'Sensor data, collected and watched over',
    what: 'Catchment collects what sensors measure, keeps it for good, draws it, raises alarms and notifies people. This is an installation of it.',
    signIn: 'Sign in',
    who: 'Accounts are made by whoever runs this installation, or by an administrator of your account.',
    programs: 'For programs',
  },
  de: {
    title: 'Messdaten, gesammelt und bewacht',
    what: 'Catchment sammelt, was Sensoren messen, bewahrt es auf, zeichnet es, löst Alarme aus und benachrichtigt Menschen. Dies ist eine Installation davon.',
    signIn: 'Anmelden',
    who: 'Konten richtet ein, wer diese Installation betreibt, oder ein Administrator Ihres Kontos.',
    programs: 'Für Programme (englisch)',
  },
} as const satisfies Record<PageLanguage, object>;

/** The page for strangers. What programs need is in English, as their reference is. */
export function homePage(language: PageLanguage): string {
  const text = WORDS[language];
  return layout({
    title: 'Catchment',
    language,
    content: html`<h1>${text.title}</h1>
<p>${text.what}</p>
<p><a class="button" href="/auth/login">${text.signIn}</a></p>
<p>${text.who}</p>
<section lang="en"><h2 lang="${language}">${text.programs}</h2>
<p>The API is served under <code>/api/v1</code>. Requests carry an API key in the header <code>X-Api-Key</code>.</p>
<ul class="links">
<li><a href="/account">Your account</a>: profile, password, keys of your own</li>
<li><a href="/docs">Reference</a>: every operation, with a form to try it</li>
<li><a href="/api/v1/openapi.json">OpenAPI 3.1</a>: the same for programs</li>
<li><a href="/api/v1/asyncapi.json">AsyncAPI 3.0</a>: what is sent as it happens: streams, webhooks, topics</li>
<li><a href="/docs/runbook">Runbook</a>: what each alert means and what to do, for operators</li>
<li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
</ul></section>`,
  });
}
