import type { ConsoleStart } from '@catchment/dashboard-view';
import { embeddedJson } from '../views/embedded-json.ts';
import { html } from '../views/html.ts';

type ConsoleShell = {
  readonly start: ConsoleStart;
  readonly scripts: readonly string[];
  readonly first?: string | undefined;
  readonly imported: readonly string[];
  readonly styles: readonly string[];
};

/**
 * Returns the page that the console's script takes over, with who is signed in; where that script does not come, the page says so after a
 * while.
 */
export const consoleShell = ({ start, first, scripts, imported, styles }: ConsoleShell): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><link rel="icon" type="image/svg+xml" href="/favicon.svg"><title>${start.account.name} · Catchment</title>
<script type="application/json" id="start">${embeddedJson(start)}</script>
${first !== undefined && html`<script type="module" async src="/${first}"></script>`}${styles.map((file) => html`<link rel="stylesheet" href="/${file}">`)}${scripts.map((file) => html`<script type="module" src="/${file}"></script>`)}${imported.map((file) => html`<link rel="modulepreload" href="/${file}">`)}
</head><body><div id="app"><div class="late"><p>The console has not come yet: the connection is slow, or was lost. <a href="">Load again</a></p><p lang="de">Die Konsole ist noch nicht da: Die Verbindung ist langsam oder weg. <a href="">Neu laden</a></p></div></div>
<noscript><main><h1>${start.account.name}</h1><p>The console needs scripts. Without them there are <a href="/account">your account</a> and <a href="/docs">the API</a>.</p></main></noscript>
</body></html>
`.text;
