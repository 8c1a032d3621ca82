import { useEffect, useMemo, useState } from 'preact/hooks';
import { raised } from '../../data/alarms/alarms.ts';
import { holdDevices, holdReadings } from '../../data/sources/device-list.ts';
import { holdSources, type Source } from '../../data/sources/sources.ts';
import { refusals } from './refusals.ts';
import { configState, type DeviceRow } from './rows.ts';
import { useHeld } from './use-held.ts';

const NO_READINGS = {};
const REST_MS = 300;
const WITH_DEVICE = 'transport.deviceId($ne:null)';
const hasDevice = ({ transport }: Source): boolean => typeof transport?.deviceId === 'string';

/** Holds devices with what else is known of them, kept current; where there are many, those that the server finds for what is typed. */
export function useDeviceRows() {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const devices = useHeld(() => holdDevices(asked), asked);
  const sources = useHeld(() => holdSources(WITH_DEVICE, hasDevice), '');
  const readings = useHeld(holdReadings, '');
  const held = devices.value;
  const isCut = held?.hasMore === true || asked !== '';
  // The server looks for what is typed where not all devices are here.
  useEffect(() => {
    if (!isCut || typed === asked) return;
    const timer = setTimeout(() => setAsked(typed), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, isCut]);

  const refused = refusals();
  const bySource = sources.value?.sources?.list;
  const rows = useMemo(() => {
    const byKey = Map.groupBy(bySource ?? [], ({ transport }) => transport?.deviceId ?? '');
    return (held?.list ?? []).map((device): DeviceRow => {
      const sources = byKey.get(device.deviceKey) ?? [];
      return {
        device,
        source: sources.find(({ _id }) => _id === device.datasourceId) ?? sources[0],
        sourceCount: sources.length,
        readings: readings.value?.get(device.datasourceId ?? '') ?? NO_READINGS,
        config: configState(device, refused.get(device.datasourceId ?? '')),
      };
    });
  }, [held?.list, bySource, readings.value, raised.value]);
  return { typed, setTyped, isSearched: asked !== '', held, rows, sources, reload: devices.reload };
}
