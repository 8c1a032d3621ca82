import type { DashboardView, ParameterView, TileView } from '@catchment/dashboard-view';
import { embeddedJson } from '../views/embedded-json.ts';
import { type Html, html } from '../views/html.ts';

/** Script and data come from here, pictures from the tile server of maps too, where one is configured. */
export function shellPolicy(mapTilesUrl: string | undefined, mayBeEmbedded: boolean): string {
  // {s} and the like stand in the path or before the host; a policy takes a star for a sub-domain.
  const origin = mapTilesUrl?.match(/^https?:\/\/[^/]+/)?.[0].replace(/\{\w+\}/g, '*');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data:${origin === undefined ? '' : ` ${origin}`}`,
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    ...(mayBeEmbedded ? [] : ["frame-ancestors 'none'"]),
  ].join('; ');
}

export type Shell = {
  readonly view: DashboardView;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly header: 'LOGO' | 'NONE';
  readonly csrf?: string | undefined;
};

/** Returns the page that the script takes over: with its first view, and with the values as plain text for readers without scripts. */
export const pageShell = ({ view, scripts, styles, header, csrf }: Shell): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><link rel="icon" type="image/svg+xml" href="/favicon.svg"><title>${view.name} · ${view.account.name}</title>
${styles.map((file) => html`<link rel="stylesheet" href="/${file}">`)}${scripts.map((file) => html`<script type="module" src="/${file}"></script>`)}
</head><body><div id="app" data-header="${header.toLowerCase()}"${csrf !== undefined && html` data-csrf="${csrf}"`}></div>
<script type="application/json" id="view">${embeddedJson(view)}</script>
<noscript><main><h1>${view.name}</h1>${view.description !== '' && html`<p>${view.description}</p>`}
${view.tiles.map(plainTile)}
<p>As of ${view.generatedTime}. With scripts this page shows charts and maps, and goes on by itself.</p></main></noscript>
</body></html>
`.text;

function plainTile({ label, content }: TileView): Html | false {
  const rows = plainRows(content);
  if (rows.length === 0) return false;
  return html`<section>${label !== '' && html`<h2>${label}</h2>`}${rows.map((row) => html`<p>${row}</p>`)}</section>`;
}

function plainRows(content: TileView['content']): string[] {
  switch (content.type) {
    case 'VALUE':
    case 'SOLID_GAUGE':
      return [plainValue(content.parameter)];
    case 'VALUE_LIST':
      return content.parameters.map(plainValue);
    case 'ALARMS':
      return content.alarms.map(({ type, state, message }) => `${type} ${state}: ${message}`);
    case 'ALARM_SUMMARY':
      return [
        `${content.name ?? ''}: ${content.counts.map(({ eventType, count }) => `${count} ${eventType}`).join(', ') || 'no alarms'}`,
      ];
    case 'LOCATION_MAP':
      return content.name === null
        ? []
        : [`${content.name}${content.position ? `: ${content.position.latitude}, ${content.position.longitude}` : ''}`];
    case 'STATIC_TEXT':
      return content.text.split('\n').filter((line) => line.trim() !== '');
    default:
      return [];
  }
}

function plainValue(parameter: ParameterView | null): string {
  if (!parameter) return 'A link is broken';
  const { name, value, units, state, time } = parameter;
  const shown = value === '' ? 'no value' : `${value}${units === '' ? '' : ` ${units}`}`;
  const also = [state && state.name !== value ? state.name : '', time ?? ''].filter((part) => part !== '').join(', ');
  return `${name}: ${shown}${also === '' ? '' : ` (${also})`}`;
}
