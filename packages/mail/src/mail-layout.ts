import type { MailContent } from './smtp-sender.ts';

/** A mail has this content, without markup; it may contain texts of people. */
export type MailText = {
  readonly subject: string;
  /** The greeting has this first name of the reader; empty = unknown. */
  readonly firstName: string;
  readonly paragraphs: readonly string[];
  /** The table below the text has these rows. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** The one thing to do. */
  readonly action?: { readonly label: string; readonly url: string; readonly note?: string };
  /** The reason why the reader got the mail. */
  readonly footer: string;
  /** The reader gets no more of them by this link. */
  readonly stop?: { readonly label: string; readonly url: string };
};

const SENDER = 'Catchment';

/** Writes the same words twice: as plain text, and as HTML that needs nothing from elsewhere. */
export function layOut(given: MailText): MailContent {
  const mail: MailText = {
    ...given,
    subject: oneLine(given.subject),
    firstName: oneLine(given.firstName),
    paragraphs: given.paragraphs.map(oneLine),
    facts: (given.facts ?? []).map(([label, value]) => [label, oneLine(value)] as const),
    footer: oneLine(given.footer),
    ...(given.stop && { stop: { ...given.stop, label: oneLine(given.stop.label) } }),
  };
  return { subject: mail.subject, text: plain(mail), html: html(mail) };
}

const greetingOf = (firstName: string): string => (firstName === '' ? 'Hello,' : `Hello ${firstName},`);

function plain({ firstName, paragraphs, facts = [], action, footer, stop }: MailText): string {
  const parts = [greetingOf(firstName), ...paragraphs];
  if (facts.length > 0) parts.push(facts.map(([label, value]) => `${label}: ${value}`).join('\n'));
  if (action) parts.push(`${action.label}:\n${action.url}`);
  if (action?.note) parts.push(action.note);
  parts.push(`--\n${SENDER}: ${footer}${stop ? `\n${stop.label}:\n${stop.url}` : ''}`);
  return `${parts.join('\n\n')}\n`;
}

/** Programs with a dark theme show this; the others take the colours of the elements. */
const DARK = `@media (prefers-color-scheme:dark){.back{background:#0d1f23!important}.paper{background:#13292e!important}
.ink{color:#dce8ea!important}.soft{color:#9fb6bb!important}.line{border-color:#2b474d!important}.link{color:#6cc4d4!important}}`;

function html({ subject, firstName, paragraphs, facts = [], action, footer, stop }: MailText): string {
  const text = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${DARK}</style></head>
<body class="back ink" style="margin:0;padding:24px 12px;background:#eef4f5;color:#12343b;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div class="paper" style="max-width:560px;margin:0 auto;background:#ffffff;border-radius:8px;border-top:4px solid #1f7a8c;padding:28px 32px">
<p style="margin:0 0 20px;font-size:20px;font-weight:700">${SENDER}</p>
<p style="margin:0 0 16px">${escapeHtml(greetingOf(firstName))}</p>
${text}
${facts.length > 0 ? table(facts) : ''}${action ? button(action) : ''}</div>
<p class="soft" style="max-width:560px;margin:16px auto 0;padding:0 32px;font-size:13px;color:#4d686e;word-break:break-word">${escapeHtml(footer)}${stop ? link(stop) : ''}</p>
</body></html>
`;
}

const link = ({ label, url }: NonNullable<MailText['stop']>): string =>
  `<br><a class="soft" href="${escapeHtml(url)}" style="color:#4d686e">${escapeHtml(label)}</a>`;

const table = (facts: NonNullable<MailText['facts']>): string =>
  `<table role="presentation" style="border-collapse:collapse;margin:0 0 8px;width:100%">
${facts.map(row).join('\n')}
</table>
`;

const row = ([label, value]: readonly [string, string]): string =>
  `<tr><td class="soft line" style="padding:6px 16px 6px 0;border-top:1px solid #dce6e8;color:#4d686e;vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td>` +
  `<td class="line" style="padding:6px 0;border-top:1px solid #dce6e8;width:100%;word-break:break-word">${escapeHtml(value)}</td></tr>`;

const button = ({ label, url, note }: NonNullable<MailText['action']>): string => `<p style="margin:24px 0">
<a href="${escapeHtml(url)}" style="display:inline-block;background:#1f7a8c;color:#ffffff;font-weight:600;text-decoration:none;padding:12px 22px;border-radius:6px">${escapeHtml(label)}</a></p>
<p class="soft" style="margin:0 0 8px;font-size:14px;color:#4d686e">${note ? `${escapeHtml(note)} ` : ''}If the button does not work, open this address:<br>
<a class="link" href="${escapeHtml(url)}" style="color:#1f7a8c;word-break:break-all">${escapeHtml(url)}</a></p>
`;

/** Old texts may have characters that are refused by now (`textProblem`): no line of a mail begins with a text of people. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
