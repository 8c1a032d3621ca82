import { until } from '@catchment/testkit';
import { type Api, MODEL } from './api.ts';

/**
 * Waits until changes of states that were answered before are known wherever records are judged: one more change, which shows by an alarm,
 * follows them on the same way.
 */
export async function statesKnown(api: Api): Promise<void> {
  const { sourceId } = await api.createSite();
  const { _id: id } = await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Level', parentId: sourceId });
  await api.put(`/nodes/${id}/historic/now`, { value: 1 });
  await until(async () => (await api.get(`/nodes/${id}`)).json.currentValue === 1);
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 0, isAlarm: true }];
  const changed = await api.put(`/nodes/${id}`, { statesType: 'RANGE', states });
  if (changed.status !== 200) throw new Error(`the change was answered ${changed.status}: ${changed.text}`);
  const isRaised = async () => (await api.get(`/nodes/${id}`)).json.alarms.stateAlarm.status.alarmState === 'ACTIVE';
  await until(isRaised, { what: 'an alarm by changed settings' });
}
