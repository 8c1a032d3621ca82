import { signal } from '@preact/signals';
import { call } from './call.ts';
import { onEvents, onNodes } from './live.ts';

/** An alarm that is active or acknowledged, of a node that the person may see. */
export type Alarm = {
  readonly nodeId: string;
  readonly path: string;
  readonly alarmType: string;
  readonly alarmState: 'ACTIVE' | 'ACKNOWLEDGED';
  readonly message: string | null;
  readonly activeTime: string | null;
  readonly categoryId: string | null;
  readonly acknowledgeTime: string | null;
  readonly acknowledgeUsername: string | null;
  readonly acknowledgeComment: string | null;
};
export type AlarmPage = { readonly alarms: readonly Alarm[]; readonly next?: string | null };
export type AlarmQuery = {
  readonly state?: string;
  readonly type?: string;
  readonly workspaceId?: string;
  readonly nodeId?: string;
  readonly limit?: number;
  readonly after?: string;
};

export const listAlarms = (query: AlarmQuery, signal?: AbortSignal): Promise<AlarmPage> =>
  call<AlarmPage>('GET', '/alarms', { query, ...(signal && { signal }) });

/** What the bell says: at most so many are counted, more are "1000+". */
export const MOST_COUNTED = 1_000;
export type AlarmCount =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly active: number; readonly acknowledged: number; readonly newest: readonly Alarm[] }
  | { readonly kind: 'failed' };
export const alarmCount = signal<AlarmCount>({ kind: 'loading' });

/** News come in bursts: what is counted is counted once after them. */
const AFTER_NEWS_MS = 800;
const NEWEST = 8;
let timer: ReturnType<typeof setTimeout> | undefined;
let isCounting = false;
let isWanted = false;

async function count(): Promise<void> {
  if (isCounting) {
    isWanted = true;
    return;
  }
  isCounting = true;
  try {
    const { alarms } = await listAlarms({ limit: MOST_COUNTED });
    const active = alarms.filter(({ alarmState }) => alarmState === 'ACTIVE');
    alarmCount.value = {
      kind: 'ready',
      active: active.length,
      acknowledged: alarms.length - active.length,
      newest: active.slice(0, NEWEST),
    };
  } catch {
    if (alarmCount.value.kind !== 'ready') alarmCount.value = { kind: 'failed' };
  } finally {
    isCounting = false;
    if (isWanted) {
      isWanted = false;
      countSoon();
    }
  }
}

function countSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void count(), AFTER_NEWS_MS);
}

/** Counts alarms now, and again with each event that raises, acknowledges or clears one. */
export function followAlarms(): void {
  void count();
  onEvents((event) => {
    if (((event as { alarmState?: string }).alarmState ?? 'NONE') !== 'NONE') countSoon();
  });
  onNodes(({ kind }) => {
    if (kind === 'reset' || kind === 'removed') countSoon();
  });
}
