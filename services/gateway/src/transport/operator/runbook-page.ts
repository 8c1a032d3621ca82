import path from 'node:path';
import { Marked } from 'marked';
import { html, Html as Markup } from '../views/html.ts';
import { layout } from '../views/layout.ts';

/** The pages lie here in the repository: links to other documents name theirs. */
const FOLDER = 'docs/operations/runbook';

const marked = new Marked({
  renderer: {
    link({ href, tokens }) {
      const text = new Markup(this.parser.parseInline(tokens));
      const page = /^(?:(Catchment\w+)|README)\.md$/.exec(href);
      if (page) return html`<a href="/docs/runbook${page[1] && `/${page[1]}`}">${text}</a>`.text;
      if (/^https?:/.test(href)) return html`<a href="${href}">${text}</a>`.text;
      const [file, part] = path.posix.join(FOLDER, href).split('#');
      return html`${text} (<code>${file}</code>${part && `, ${part.replaceAll('-', ' ')}`})`.text;
    },
    html: ({ text }) => html`${text}`.text,
  },
});

/** Makes a page of the runbook from its Markdown, whose first line is its title. */
export function runbookPage(markdown: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Runbook';
  const content = html`<article>${new Markup(marked.parse(markdown, { async: false }))}</article>`;
  const aside = html`<a href="/docs/runbook">Runbook</a>`;
  return layout({ title, content, aside });
}
