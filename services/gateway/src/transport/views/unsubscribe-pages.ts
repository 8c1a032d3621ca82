import { html } from './html.ts';
import { layout } from './layout.ts';

/** Behind the link of a notification; a button, since programs that look at links must not stop anything. */
export const unsubscribePage = (action: string): string =>
  layout({
    title: 'Stop e-mails',
    isNarrow: true,
    content: html`<h1>Stop these e-mails?</h1>
<form class="card" method="post" action="${action}">
<p>You get no more e-mails of this category of notifications in this workspace. Your subscriptions stay, and other categories too.</p>
<button class="wide">Stop them</button>
</form>`,
  });

export const unsubscribedPage = (): string =>
  layout({
    title: 'E-mails stopped',
    isNarrow: true,
    content: html`<h1>Done</h1>
<p>No more e-mails of this category come from this workspace. Whoever manages its notifications can switch them on again.</p>`,
  });
