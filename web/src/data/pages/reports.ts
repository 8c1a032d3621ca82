import { signal } from '@preact/signals';
import { call, nodePath } from '../requests/call.ts';
import { client } from '../requests/client.ts';
import { onNodes } from '../streams/live.ts';

/** docs/reference/dashboards-and-reports.md#report */
export type Area = 'HEADER' | 'CONTENT' | 'FOOTER';
export const AREAS: readonly Area[] = ['HEADER', 'CONTENT', 'FOOTER'];
export const BLOCK_TYPES = ['TEXT', 'IMAGE', 'TABLE', 'LINE', 'FRAME', 'BARCODE', 'PAGE_BREAK'] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

export type Look = Readonly<Record<string, unknown>>;
export type Cell = { readonly content: string; readonly colspan?: number; readonly styleId?: string };
/** A report's block is an element of its template; lengths are in points. */
export type Block = {
  readonly _id: string;
  readonly type: BlockType;
  readonly area: Area;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly style?: Look;
  readonly styleId?: string;
  readonly conditionalStyle?: { readonly condition: string; readonly styleId: string };
  readonly keepTogether?: boolean;
  readonly link?: string;
  readonly printIf?: string;
  readonly content?: string;
  readonly source?: string;
  readonly lineColor?: string;
  readonly lineWidth?: number;
  readonly columns?: readonly { readonly width?: number }[];
  readonly headerRow?: readonly Cell[];
  readonly rows?: readonly (readonly Cell[])[];
  readonly footerRow?: readonly Cell[];
  /** A FRAME has these within it. */
  readonly elements?: readonly Block[];
};

type Band = { readonly enabled: boolean; readonly size: number; readonly display: string };
/** The paper is what a template has beside its blocks. */
export type Paper = {
  readonly pageFormat: string;
  readonly width?: number;
  readonly height?: number;
  readonly orientation: string;
  readonly margins: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
  readonly header: Band;
  readonly footer: Band;
  readonly styles: readonly (Look & { readonly _id: string })[];
};
export type ReportLink = { readonly nodeId: string; readonly name?: string };
export type Schedule = {
  readonly enabled: boolean;
  readonly type: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  readonly days: readonly (string | number)[];
  readonly time: string;
};
export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

export type Report = {
  readonly _id: string;
  readonly name: string;
  readonly description?: string;
  readonly workspaceId?: string;
  readonly isPublic?: boolean;
  readonly schedule?: Schedule | null;
  readonly timezone?: string;
  readonly permissions?: readonly string[];
};
type Reports =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly reports: readonly Report[] }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The person may see all these reports, by name. */
export const reports = signal<Reports>({ kind: 'loading' });
const CLASS = 'models.node.Report';

export async function readReports(): Promise<void> {
  try {
    const all: Report[] = [];
    const attr = '_id,name,description,workspaceId,isPublic,schedule,timezone,permissions';
    for await (const report of client.nodes.list({ filter: `_class($match:${CLASS})`, attr }))
      all.push(report as unknown as Report);
    all.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    reports.value = { kind: 'ready', reports: all };
  } catch (error) {
    if (reports.peek().kind !== 'ready') reports.value = { kind: 'failed', error };
  }
}

const AFTER_NEWS_MS = 1_000;

/** Keeps the list current. @returns what ends it */
export function followReports(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  void readReports();
  const stop = onNodes((news) => {
    const { value } = reports;
    const isOurs =
      news.kind === 'reset' ||
      (news.kind === 'node' && news.node._class?.endsWith(CLASS)) ||
      (news.kind === 'removed' && value.kind === 'ready' && value.reports.some(({ _id }) => _id === news.id));
    if (!isOurs) return;
    clearTimeout(timer);
    timer = setTimeout(() => void readReports(), AFTER_NEWS_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** This part cannot be printed, with its place, such as `template.elements[3].content`. */
type ReportProblem = { readonly at: string; readonly message: string };
export type ReportPreview = {
  readonly pageCount: number;
  readonly pages: readonly {
    readonly page: number;
    readonly width: number;
    readonly height: number;
    /** Base64. */
    readonly png: string;
  }[];
  readonly problems: readonly ReportProblem[];
};
/** A preview has pictures of this many pages. */
export const PREVIEWED_PAGES = 4;

/** Previews a report as printed, with attributes that are not saved (docs/reference/dashboards-and-reports.md#report-preview). */
export const previewReport = (
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  asked: { readonly nowTime: string; readonly page: number; readonly width: number },
  signal: AbortSignal,
): Promise<ReportPreview> => {
  const { nowTime, ...query } = asked;
  return call('POST', `${nodePath(id)}/report/preview`, {
    query: { ...query, ...(nowTime !== '' && { nowTime }) },
    body: attributes,
    signal,
  });
};

/** Reads when the report would be due next. */
export const nextTimes = async (
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<readonly string[]> =>
  (
    await call<{ times: readonly string[] }>('POST', `${nodePath(id)}/report/schedule/preview`, {
      body: attributes,
      signal,
    })
  ).times;

export type Run = {
  readonly time: string;
  readonly askedBy: string | null;
  readonly state: 'WAITING' | 'MAKING' | 'MADE' | 'FAILED';
  readonly problem: string | null;
  readonly mails: readonly {
    readonly email: string;
    readonly state: 'WAITING' | 'SENT' | 'NOT_SENT';
    readonly problem: string | null;
  }[];
};
export type Runs = { readonly runs: readonly Run[]; readonly recipients: readonly string[] };

export const readRuns = (id: string, signal: AbortSignal): Promise<Runs> =>
  call('GET', `${nodePath(id)}/report/runs`, { signal });

/** @returns the time by which it stands among the runs */
export const runNow = async (id: string): Promise<string> =>
  (await call<{ time: string }>('POST', `${nodePath(id)}/report/runs`)).time;

/** Something of it is still to be done. */
export const isOpen = ({ state, mails }: Run): boolean =>
  state === 'WAITING' || state === 'MAKING' || mails.some((mail) => mail.state === 'WAITING');

type Named = { readonly email: string; readonly name: string };
type Groups = { readonly groups: readonly { readonly _id?: string; readonly group: string }[] };
type Person = {
  readonly name?: { readonly first?: string; readonly last?: string };
  readonly contact: { readonly email: string };
};

/** Lists who may be subscribed: people and groups that may see the report. */
export async function readWhoMay(
  id: string,
  signal: AbortSignal,
): Promise<{ readonly people: readonly Named[]; readonly groups: readonly string[] }> {
  const { users, groups } = await call<Groups & { users: readonly Person[] }>('GET', `${nodePath(id)}/notifications`, {
    query: { subscribeType: 'ALL' },
    signal,
  });
  const nameOf = ({ name, contact }: Person) => [name?.first, name?.last].filter(Boolean).join(' ') || contact.email;
  return {
    people: users.map((user) => ({ email: user.contact.email, name: nameOf(user) })),
    groups: groups.map(({ group }) => group),
  };
}

/** Subscribes a group, or ends that. */
export const subscribeGroup = (id: string, group: string, isOn: boolean): Promise<unknown> =>
  call('POST', `${nodePath(id)}/notifications/${isOn ? 'subscribe' : 'unsubscribe'}`, {
    body: { groups: [{ group }] },
  });
