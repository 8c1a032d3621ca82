import { start } from './session/session.ts';

export const base = (): string => `/a/${start().account.slug}`;

export type Tab =
  | 'chart'
  | 'table'
  | 'mend'
  | 'alarms'
  | 'events'
  | 'files'
  | 'diagnosis'
  | 'program'
  | 'rating'
  | 'rules'
  | 'settings';

export const overviewAddress = (query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/overview${search(query)}`;
export const alarmsAddress = (query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/alarms${search(query)}`;
export const eventsAddress = (query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/events${search(query)}`;
/** Addresses the page that adds a station: a step of it, in a node where one is named. */
export const stationAddress = (step = 'place', query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/station/${step}${search(query)}`;
export const accountAddress = (part = 'categories'): string => `${base()}/account/${part}`;
/** Addresses what the operator of the installation sees. */
export const installationAddress = (part = 'health'): string => `${base()}/installation/${part}`;
/** Imports and exports of the person; of a node where one is named. */
export const transfersAddress = (tab = 'exports', query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/transfers/${tab}${search(query)}`;
/** @param who the e-mail of somebody whose panel is open */
export const peopleAddress = (tab = 'list', who?: string): string =>
  `${base()}/people/${tab}${who === undefined ? '' : search({ who })}`;
/** Addresses the person's own pages. */
export const meAddress = (tab = 'profile'): string => `${base()}/me/${tab}`;
/** Devices, and how data come. */
export const devicesAddress = (
  tab: 'list' | 'transports' = 'list',
  query: Readonly<Record<string, string>> = {},
): string => `${base()}/devices/${tab}${search(query)}`;
export const deviceAddress = (id: string): string => `${base()}/devices/${encodeURIComponent(id)}`;
/** Addresses templates; one of them, where it is named. */
export const templatesAddress = (id?: string, query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/templates${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search(query)}`;
export const dashboardsAddress = (): string => `${base()}/dashboards`;
/** Addresses the page that makes a dashboard. */
export const boardEditAddress = (id: string): string => `${base()}/dash/${encodeURIComponent(id)}/edit`;

export const reportsAddress = (): string => `${base()}/reports`;
/** Addresses the page that makes a report: its paper, or when and to whom it goes. */
export const reportAddress = (id: string, tab: 'paper' | 'sending' = 'paper'): string =>
  `${base()}/report/${encodeURIComponent(id)}/${tab}`;
/** Addresses the PDF of a report as it was saved last, as of a moment, or of now where none is named. */
export const reportFileAddress = (id: string, nowTime = ''): string =>
  `${base()}/n/${encodeURIComponent(id)}/report${nowTime === '' ? '' : search({ nowTime })}`;

/** Addresses a node's page, at one of its parts. */
export const nodeAddress = (id: string, tab: Tab = 'chart', query: Readonly<Record<string, string>> = {}): string =>
  `${base()}/n/${encodeURIComponent(id)}/${tab}${search(query)}`;

/** A dashboard is a page of its own. */
export const dashboardAddress = (id: string): string => `/dash/${encodeURIComponent(id)}`;

function search(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}
