import { hash } from 'node:crypto';
import type { PageLanguage } from '../../domain/page-language.ts';
import { type Html, html, Html as Markup } from './html.ts';

/** The mark of the product. */
export const LOGO_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="40" height="40" aria-hidden="true"><path d="M16 2C10 11 6 15 6 20a10 10 0 0 0 20 0c0-5-4-9-10-18z" fill="#1f7a8c"/><path d="M9 21h4l2-5 3 8 2-5h3" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>';

const STYLE = `
:root{--ink:#12343b;--soft:#4d686e;--paper:#fff;--back:#f3f7f8;--line:#c6d5d8;--field:#86a0a6;--accent:#1a6b7b;--onaccent:#fff;--bad:#a3261b;--badback:#fdeeec;--good:#1c6b3a;--goodback:#e9f6ee;--code:#e6eff1}
@media(prefers-color-scheme:dark){:root{--ink:#dce8ea;--soft:#9fb6bb;--paper:#13292e;--back:#0d1f23;--line:#2b474d;--field:#6b8a90;--accent:#6cc4d4;--onaccent:#0d1f23;--bad:#ffb4a9;--badback:#3c1b18;--good:#9adbb2;--goodback:#14301f;--code:#1c3439}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.55 system-ui,-apple-system,'Segoe UI',sans-serif;color:var(--ink);background:var(--back)}
header{display:flex;align-items:center;gap:.75rem;max-width:46rem;margin:0 auto;padding:1.25rem 1.25rem .5rem}
header a.home{display:flex;align-items:center;gap:.6rem;font-size:1.25rem;font-weight:700;color:var(--ink);text-decoration:none;margin-right:auto}
header a.home svg{width:32px;height:32px;flex:none}
main{max-width:46rem;margin:0 auto;padding:.5rem 1.25rem 3rem}
body.narrow :is(header,main){max-width:29rem}
h1{font-size:1.6rem;line-height:1.25;margin:1rem 0 .75rem}
h2{font-size:1.15rem;margin:0 0 .75rem}
p{margin:0 0 1rem}
a{color:var(--accent);font-weight:600}
ul.links{list-style:none;padding:0}ul.links li{margin:.6rem 0}
code{background:var(--code);padding:.15em .4em;border-radius:4px;font-size:.95em}
section,form.card{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1.25rem;margin:0 0 1.25rem}
label,legend{display:block;font-weight:600;margin:0 0 .25rem}
.row{margin:0 0 1rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}
@media(max-width:32rem){.pair{grid-template-columns:1fr}}
input:not([type=checkbox]),select{width:100%;min-height:2.75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--field);border-radius:6px;padding:.45rem .65rem}
input[aria-invalid=true],select[aria-invalid=true]{border-color:var(--bad);border-width:2px}
input[type=checkbox]{width:1.15rem;height:1.15rem;margin:0;flex:none;accent-color:var(--accent)}
label.check{display:flex;gap:.6rem;align-items:center;font-weight:400;min-height:2rem;margin:0}
fieldset{border:0;padding:0;margin:0 0 1rem;min-width:0}legend{padding:0}.list{max-height:14rem;overflow:auto}
.hint,.none{font-size:.9rem;color:var(--soft);margin:.25rem 0 0}
section>.hint,section>.none{margin-bottom:1rem}section>:last-child{margin-bottom:0}
.error{font-size:.95rem;color:var(--bad);margin:.25rem 0 0;font-weight:600}
.note{border-radius:8px;padding:.75rem 1rem;margin:0 0 1.25rem}
.note.bad{background:var(--badback);color:var(--bad);border:1px solid var(--bad)}
.note.good{background:var(--goodback);color:var(--good);border:1px solid var(--good)}
.note p:last-child{margin:0}
.key{display:block;overflow-wrap:anywhere;font-size:1.05rem;padding:.6rem .75rem;margin:.5rem 0;user-select:all;color:var(--ink)}
button{font:inherit;font-weight:600;min-height:2.75rem;border-radius:6px;padding:.5rem 1.25rem;border:1px solid var(--accent);background:var(--accent);color:var(--onaccent);cursor:pointer}
a.button{display:inline-block;min-height:2.75rem;border-radius:6px;padding:.55rem 1.25rem;background:var(--accent);color:var(--onaccent);text-decoration:none}
button.quiet{background:transparent;color:var(--accent)}
button.danger{background:transparent;border-color:var(--bad);color:var(--bad)}
button.wide{width:100%}
:is(a,button,input,select,summary):focus-visible{outline:3px solid var(--accent);outline-offset:2px}
ul.keys{list-style:none;margin:0 0 1rem;padding:0}
ul.keys>li{border-top:1px solid var(--line);padding:.85rem 0;display:flex;gap:.5rem 1rem;align-items:flex-start;flex-wrap:wrap}
ul.keys>li:first-child{border-top:0;padding-top:0}
ul.keys .what{flex:1 1 16rem;min-width:0;overflow-wrap:anywhere}
ul.keys .what strong{display:block}
section>ul.keys:last-child{margin-bottom:0}section>ul.keys:last-child>li:last-child{padding-bottom:0}
ul.keys .answers{display:flex;gap:.5rem;flex-wrap:wrap}
article :is(h2,h3){margin-top:1.5rem}article pre{background:var(--code);padding:.75rem;border-radius:6px;overflow-x:auto}article pre code{padding:0}
article table{border-collapse:collapse}article :is(th,td){text-align:left;vertical-align:top;border-top:1px solid var(--line);padding:.4rem .6rem .4rem 0}
summary{cursor:pointer;color:var(--accent);font-weight:600;min-height:2rem}
details>form{margin-top:.5rem}
.inline{display:flex;gap:.75rem;align-items:flex-end;flex-wrap:wrap}.inline .row{flex:1 1 14rem;margin:0}
`;

/** The page runs no script and loads nothing from elsewhere; forms go to ourselves. The style is known by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type PageParts = {
  /** Title of the page; the window's title has the product's name too. */
  readonly title: string;
  readonly content: Html;
  /** A page with one form. */
  readonly isNarrow?: boolean;
  /** The layout shows this beside the product's name. */
  readonly aside?: Html;
  /** Its words are in this language; absent: English. */
  readonly language?: PageLanguage;
};

/** Returns a whole page, with the head and the style that all pages share. */
export function layout({ title, content, isNarrow = false, aside, language = 'en' }: PageParts): string {
  const name = title === 'Catchment' ? title : `${title} · Catchment`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${name}</title><style>${new Markup(STYLE)}</style></head>
<body${isNarrow && new Markup(' class="narrow"')}><header><a class="home" href="/">${new Markup(LOGO_SVG)}Catchment</a>${aside}</header>
<main>
${content}
</main></body></html>
`.text;
}
