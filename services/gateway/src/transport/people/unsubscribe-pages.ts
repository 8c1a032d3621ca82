import { html } from '../views/html.ts';
import { layout } from '../views/layout.ts';

/** Shows the page behind the link of a notification. It has a button, since programs that look at links must not stop anything. */
export const unsubscribePage = (action: string): string =>
  layout({
    title: 'Stop e-mails',
    isNarrow: true,
    content: html`<h1>Stop these e-mails?</h1>
<form class="card" method="post" action="${action}">
<p>You get no more e-mails of this kind: of this category of notifications in this workspace, or with this report. Others stay.</p>
<button class="wide">Stop them</button>
</form>`,
  });

export const unsubscribedPage = (): string =>
  layout({
    title: 'E-mails stopped',
    isNarrow: true,
    content: html`<h1>Done</h1>
<p>No more e-mails of this kind come. Whoever manages the notifications of the workspace can switch them on again.</p>`,
  });
