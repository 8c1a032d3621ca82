import { until } from '@catchment/testkit';
import type { Api } from '../api.ts';
import { type Level, THRESHOLD } from './level.ts';
import type { Scene } from './scene.ts';

/** A comparison has its counts, and each thing that is not as it should be. */
export type Finding = { readonly what: string; readonly counts: string; readonly faults: readonly string[] };

type Look = (scene: Scene) => Promise<Finding>;
const LOOKS: readonly Look[] = [records, programs, states, alarms, webhooks, mails, stations, deadLetters];
const EVERY_MS = 2_000;
const SAID_EVERY_MS = 15_000;
const PAGE = 1_000;

/** Looks at everything until it is as it should be, or for this long. @param onWait gets now and then what is not */
export async function compareAll(
  scene: Scene,
  limitMs: number,
  onWait: (waitingFor: string) => void,
): Promise<Finding[]> {
  let findings: Finding[] = [];
  let nextMs = performance.now() + SAID_EVERY_MS;
  await until(
    async () => {
      findings = [];
      for (const look of LOOKS) findings.push(await look(scene).catch((error: Error) => notSeen(look, error)));
      const open = findings.filter(({ faults }) => faults.length > 0);
      if (open.length > 0 && performance.now() >= nextMs) {
        onWait(open.map(({ what, faults }) => `${what} (${faults.length}, ${faults[0]})`).join('; '));
        nextMs = performance.now() + SAID_EVERY_MS;
      }
      return findings.every(({ faults }) => faults.length === 0);
    },
    { deadlineMs: limitMs, everyMs: EVERY_MS },
  ).catch(() => {});
  return findings;
}

const notSeen = ({ name }: Look, { message }: Error): Finding => ({
  what: name,
  counts: 'not seen',
  faults: [message],
});

async function records({ api, levels }: Scene): Promise<Finding> {
  const found = await Promise.all(
    levels.map(async (level) => differences(level.records(), await stored(api, level.id))),
  );
  const failures = levels.reduce((sum, level) => sum + level.failures, 0);
  return {
    what: 'records by HTTP',
    counts: `${total(levels)} answered 202, ${failures} otherwise`,
    faults: found.flat(),
  };
}

async function programs({ api, levels }: Scene): Promise<Finding> {
  const found = await Promise.all(
    levels.map(async (level) => {
      const doubled = new Map([...level.records()].map(([ts, value]) => [ts, value * 2]));
      return differences(doubled, await stored(api, level.twiceId));
    }),
  );
  return { what: 'results of programs', counts: `${total(levels)} wanted`, faults: found.flat() };
}

async function states({ api, levels }: Scene): Promise<Finding> {
  const found = await Promise.all(
    levels.map(async (level) =>
      listed(
        level.crossings(),
        (await eventsOfStates(api, level)).map((event) => event.eventTime),
      ),
    ),
  );
  const wanted = levels.reduce((sum, level) => sum + level.crossings().length, 0);
  return { what: 'events of states', counts: `${wanted} crossings`, faults: found.flat() };
}

async function alarms({ api, levels }: Scene): Promise<Finding> {
  const faults: string[] = [];
  for (const level of levels) {
    const node = (await api.get(`/nodes/${level.id}`)).json;
    const newest = [...level.records().values()].at(-1) ?? 0;
    if (node.currentValue !== newest) faults.push(`${level.id}: shows ${node.currentValue}, not ${newest}`);
    const wanted = newest >= THRESHOLD ? 'ACTIVE' : 'CLEARED';
    const state = node.alarms.stateAlarm.status?.alarmState;
    if (state !== wanted) faults.push(`${level.id}: the alarm is ${state}, not ${wanted}`);
  }
  return { what: 'alarms and values', counts: `${levels.length} nodes`, faults };
}

async function webhooks({ api, levels, webhook }: Scene): Promise<Finding> {
  const logged = (await Promise.all(levels.map((level) => eventsOfStates(api, level)))).flat().map(({ _id }) => _id);
  const sent = [...webhook.deliveries.values()].flat();
  return {
    what: 'webhooks',
    counts: `${webhook.deliveries.size} deliveries with ${sent.length} events, ${webhook.repeated} came again`,
    faults: [...webhook.faults, ...listed(logged, sent)],
  };
}

async function mails({ mailed, mails: server }: Scene): Promise<Finding> {
  const once = new Map(server.mails.map((mail) => [mail.messageId, mail]));
  const about = [...once.values()].filter(({ text }) => text.includes('Level'));
  const wanted = mailed.crossings().length;
  const faults = about.length === wanted ? [] : [`${about.length} mails instead of ${wanted}`];
  return { what: 'mails', counts: `${wanted} wanted, ${server.mails.length - once.size} came again`, faults };
}

/** Each message has one record of a time of its own. One that was not answered when the load ended may be there or not. */
async function stations({ api, stations: sources, messages }: Scene): Promise<Finding> {
  const { sent, acknowledged, refused } = messages();
  let count = 0;
  for (const sourceId of sources) {
    const { json } = await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,name`);
    const level = json.find(({ name }: { name: string }) => name === 'Tank Level');
    if (level) count += (await stored(api, level._id)).size;
  }
  const isWhole = refused === 0 && count >= acknowledged && count <= sent;
  const faults = isWhole ? [] : [`${count} records are stored of ${acknowledged} to ${sent}`];
  return { what: 'messages by MQTT', counts: `${sent} sent, ${acknowledged} acknowledged, ${refused} refused`, faults };
}

async function deadLetters({ installation }: Scene): Promise<Finding> {
  const output = await installation.command(['deadletters', 'list']);
  const faults = output.includes('There are no dead letters.') ? [] : [output];
  return { what: 'dead letters', counts: faults.length === 0 ? 'none' : '', faults };
}

const total = (levels: readonly Level[]): number => levels.reduce((sum, level) => sum + level.written, 0);

/** Reads values by time; a time that comes twice is its own fault. */
async function stored(api: Api, id: string): Promise<Map<string, number>> {
  const range = 'startTime=2000-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z&renderFormat=';
  const { data } = (await api.get(`/nodes/${id}/historic?${range}`)).json;
  const values = new Map<string, number>();
  for (const { ts, f } of data as { ts: string; f: { 0: { v: number } } }[]) {
    const time = new Date(ts).toISOString();
    values.set(values.has(time) ? `${time} again` : time, f[0].v);
  }
  return values;
}

type Event = { readonly _id: string; readonly eventTime: string };

/** Returns all events of states, the oldest first. */
export async function eventsOfStates(api: Api, { id }: Level): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const query = `filter=eventType($eq:STATE)&sort=eventTime(ASC)&limit=${PAGE}&skip=${events.length}`;
    const page = (await api.get(`/nodes/${id}/events?${query}`)).json as Event[];
    events.push(...page.map(({ _id, eventTime }) => ({ _id, eventTime: new Date(eventTime).toISOString() })));
    if (page.length < PAGE) return events;
  }
}

function differences(wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  const missing = [...wanted.keys()].filter((time) => !found.has(time)).map((time) => `${time} is missing`);
  const surplus = [...found.keys()].filter((time) => !wanted.has(time)).map((time) => `${time} was never written`);
  const other = [...found].flatMap(([time, value]) => {
    const expected = wanted.get(time);
    return expected === undefined || expected === value ? [] : [`${time} is ${value}, not ${expected}`];
  });
  return [...missing, ...surplus, ...other];
}

/** Looks for each of the wanted ones once, and nothing else. */
function listed(wanted: readonly string[], found: readonly string[]): string[] {
  const counts = Map.groupBy(found, (item) => item);
  const all = new Set(wanted);
  return [
    ...[...all].filter((item) => !counts.has(item)).map((item) => `${item} is missing`),
    ...[...counts].flatMap(([item, times]) => {
      if (!all.has(item)) return [`${item} is surplus`];
      return times.length > 1 ? [`${item} is there ${times.length} times`] : [];
    }),
  ];
}
