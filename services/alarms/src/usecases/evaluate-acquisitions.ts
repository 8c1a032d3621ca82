import type { Acquisition } from '@catchment/contracts/ingest';
import type { LogEntry } from '@catchment/ingest-log';
import { type Alarm, CLEARED } from '../domain/alarm.ts';
import { alarmTypesOf } from '../domain/alarm-types.ts';
import type { Node } from '../domain/node.ts';
import { isFaulty, LEFT_OUT_ALARMS, type LeftOutAlarm, leftOutNews } from '../domain/source-conditions.ts';
import type { Changes, NewEvent, NodeAlarm, StoredAlarm } from './ports.ts';

/** Sources whose dataAlarm or overloadAlarm may be raised, so that what clears them is looked at. */
export interface RaisedSources {
  has(sourceId: string): boolean;
  add(sourceId: string): void;
}

/** The acquisitions that may change an alarm of their source; of most messages there are none. */
export const acquisitionsToApply = (entries: readonly LogEntry[], raised: Pick<RaisedSources, 'has'>): Acquisition[] =>
  entries.flatMap((entry) => {
    if (entry.kind !== 'acquisition' || !entry.acquisition.sourceId) return [];
    return isFaulty(entry.acquisition) || raised.has(entry.acquisition.sourceId) ? [entry.acquisition] : [];
  });

/** What acquisitions do to the alarms of their sources, in order. Pure. */
export function evaluateAcquisitions(
  acquisitions: readonly Acquisition[],
  nodes: ReadonlyMap<string, { readonly node: Node; readonly isSourceEnabled: boolean }>,
  stored: readonly StoredAlarm[],
): Required<Pick<Changes, 'alarms' | 'events'>> {
  const key = (nodeId: string, type: string) => `${nodeId} ${type}`;
  const alarms = new Map<string, Alarm>(stored.map(({ nodeId, type, alarm }) => [key(nodeId, type), alarm]));
  const changed = new Map<string, NodeAlarm>();
  const events: NewEvent[] = [];
  const take = (node: Node, type: LeftOutAlarm, acquisition: Acquisition) => {
    const at = key(node.nodeId, type);
    const news = leftOutNews(type, alarms.get(at) ?? CLEARED, node, acquisition);
    if (!news) return;
    const { alarm, eventState: alarmState, message } = news;
    alarms.set(at, alarm);
    changed.set(at, { node, type, alarm });
    if (alarmState === 'NONE') return;
    const level = alarmState === 'ACTIVE' ? 'WARNING' : 'INFO';
    const { timeMs } = acquisition;
    events.push({ node, level, eventType: 'ACQUISITION', alarmState, timeMs, username: 'System', message });
  };
  for (const acquisition of acquisitions) {
    const found = nodes.get(acquisition.sourceId);
    if (!found?.isSourceEnabled) continue;
    const types = alarmTypesOf(found.node.nodeClass);
    for (const type of LEFT_OUT_ALARMS) if (types.includes(type)) take(found.node, type, acquisition);
  }
  return { alarms: [...changed.values()], events };
}
