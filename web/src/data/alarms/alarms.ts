import { computed, signal } from '@preact/signals';
import { FIRST_ALARMS } from '../requests/begun.ts';
import { call } from '../requests/call.ts';
import { onEvents, onNodes } from '../streams/live.ts';

/** An alarm is active or acknowledged, of a node that the person may see. */
export type Alarm = {
  readonly nodeId: string;
  /** The account's slug precedes the names from the Workspace down. */
  readonly path: string;
  /** The node is or lies in this Location. */
  readonly locationId?: string;
  readonly alarmType: string;
  readonly alarmState: 'ACTIVE' | 'ACKNOWLEDGED';
  readonly message?: string;
  readonly activeTime?: string;
  readonly categoryId?: string;
  readonly acknowledgeTime?: string;
  readonly acknowledgeUsername?: string;
  readonly acknowledgeComment?: string;
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

const PAGE = 1_000;
/** This many alarms are held. Of more, the active ones come first, then the newest, and the page says that there are more. */
export const MOST_HELD = 5_000;

export type Raised =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'ready';
      readonly alarms: readonly Alarm[];
      readonly hasMore: boolean;
      /** More of those that are held are on their way. */
      readonly isGrowing?: boolean;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The person may see all these alarms of the account, newest first, kept current. */
export const raised = signal<Raised>({ kind: 'loading' });

export type Counts = { readonly active: number; readonly acknowledged: number };
const NONE: Counts = { active: 0, acknowledged: 0 };
/** All of them count; what holds of a part is not said of all. */
const whole = computed(() => (raised.value.kind === 'ready' && !raised.value.isGrowing ? raised.value : undefined));
const alarmsNow = computed(() => whole.value?.alarms ?? []);

/** Counts the alarms of each kind; undefined while that is not known. `hasMore` means that more are active than are held. */
export const alarmCount = computed<(Counts & { readonly hasMore: boolean }) | undefined>(() => {
  const { value } = whole;
  if (value === undefined) return undefined;
  const active = value.alarms.filter(({ alarmState }) => alarmState === 'ACTIVE').length;
  return { active, acknowledged: value.alarms.length - active, hasMore: value.hasMore && active >= MOST_HELD };
});

/** Writes how many are active, as a badge says it; undefined where none is, or that is not known. */
export const activeText = (): string | undefined => {
  const { value } = alarmCount;
  return value === undefined || value.active === 0 ? undefined : `${value.active}${value.hasMore ? '+' : ''}`;
};

/** Counts the alarms at a path of names and below it, without the account. */
const byPath = computed(() => {
  const counts = new Map<string, { active: number; acknowledged: number }>();
  for (const { path, alarmState } of alarmsNow.value) {
    const from = path.indexOf('/') + 1;
    for (let end = from; from > 0 && end < path.length; ) {
      const slash = path.indexOf('/', end + 1);
      end = slash < 0 ? path.length : slash;
      add(counts, path.slice(from, end), alarmState);
    }
  }
  return counts;
});
export const alarmsAtPath = (path: string): Counts => byPath.value.get(path) ?? NONE;

/** Alarms by Location, newest first. */
export const alarmsByLocation = computed<ReadonlyMap<string, readonly Alarm[]>>(() => {
  const all = new Map<string, Alarm[]>();
  for (const alarm of alarmsNow.value) {
    if (alarm.locationId === undefined) continue;
    const those = all.get(alarm.locationId);
    if (those) those.push(alarm);
    else all.set(alarm.locationId, [alarm]);
  }
  return all;
});

function add(counts: Map<string, { active: number; acknowledged: number }>, key: string, state: Alarm['alarmState']) {
  const counted = counts.get(key) ?? { active: 0, acknowledged: 0 };
  if (state === 'ACTIVE') counted.active += 1;
  else counted.acknowledged += 1;
  counts.set(key, counted);
}

/** News come in bursts: they are asked for once after them, and the longer it takes the more seldom. */
const AFTER_NEWS_MS = 500;
const REST = 4;
let timer: ReturnType<typeof setTimeout> | undefined;
let isReading = false;
let isWanted = false;
let notBeforeMs = 0;

/** Reads the alarms again now, such as after a change by the person. */
export async function rereadAlarms(): Promise<void> {
  if (isReading) {
    isWanted = true;
    return;
  }
  isReading = true;
  clearTimeout(timer);
  timer = undefined;
  const began = performance.now();
  try {
    const all = await readAll();
    await nextTask();
    raised.value = { kind: 'ready', ...all };
  } catch (error) {
    // The known alarms stay: the bar says that the page is not connected.
    if (whole.peek() === undefined) raised.value = { kind: 'failed', error };
  } finally {
    isReading = false;
    const ended = performance.now();
    notBeforeMs = ended + REST * (ended - began);
    if (isWanted) {
      isWanted = false;
      readSoon();
    }
  }
}

type Some = { readonly alarms: readonly Alarm[]; readonly hasMore: boolean };

async function readAll(): Promise<Some> {
  const newest = await readSome({});
  if (!newest.hasMore) return newest;
  // Alarms that nobody has acknowledged yet go before the rest, however old they are.
  const active = await readSome({ state: 'ACTIVE' });
  await nextTask();
  const known = new Set(active.alarms.map(idOf));
  const rest = newest.alarms.filter((alarm) => alarm.alarmState !== 'ACTIVE' && !known.has(idOf(alarm)));
  const alarms = [...active.alarms, ...rest.slice(0, MOST_HELD - active.alarms.length)];
  return { alarms: newestFirst(alarms), hasMore: true };
}

const idOf = ({ nodeId, alarmType }: Alarm): string => `${nodeId} ${alarmType}`;
const timeOf = ({ activeTime }: Alarm): number => (activeTime === undefined ? 0 : Date.parse(activeTime));
const newestFirst = (alarms: readonly Alarm[]): Alarm[] =>
  alarms
    .map((alarm) => ({ alarm, time: timeOf(alarm) }))
    .sort((a, b) => b.time - a.time)
    .map(({ alarm }) => alarm);
/** Ends the task: the page answers between two pieces of work on thousands of alarms. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

async function readSome(query: AlarmQuery): Promise<Some> {
  const alarms: Alarm[] = [];
  let after: string | undefined;
  do {
    const isFirst = raised.peek().kind !== 'ready';
    // The first ones are shown while the others are on their way.
    const limit = isFirst ? FIRST_ALARMS.limit : Math.min(PAGE, MOST_HELD - alarms.length);
    const page = await listAlarms({ ...query, limit, ...(after !== undefined && { after }) });
    alarms.push(...page.alarms);
    after = page.next ?? undefined;
    if (isFirst && after !== undefined)
      raised.value = { kind: 'ready', alarms: [...alarms], hasMore: true, isGrowing: true };
  } while (after !== undefined && alarms.length < MOST_HELD);
  return { alarms, hasMore: after !== undefined };
}

function readSoon(): void {
  timer ??= setTimeout(
    () => {
      timer = undefined;
      void rereadAlarms();
    },
    Math.max(AFTER_NEWS_MS, notBeforeMs - performance.now()),
  );
}

/** Reads alarms now, and again with each event that raises, acknowledges or clears one. */
export function followAlarms(): void {
  void rereadAlarms();
  onEvents((event) => {
    if (((event as { alarmState?: string }).alarmState ?? 'NONE') !== 'NONE') readSoon();
  });
  onNodes(({ kind }) => {
    if (kind === 'reset' || kind === 'removed') readSoon();
  });
}
