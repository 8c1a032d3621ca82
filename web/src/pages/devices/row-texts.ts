import { className, fullClass } from '../../data/nodes/classes.ts';
import { isScout } from '../../data/sources/devices.ts';
import { transportOf } from '../../data/sources/sources.ts';
import type { DeviceRow } from './rows.ts';
import { say } from './words.ts';

/** Names how a source's device comes: `Scout modem`. Of a device without one, its class says it. */
export const wayText = ({ device, source }: DeviceRow): string =>
  className(fullClass(`transport.${source ? transportOf(source) : isScout(device) ? 'Scout' : 'TcpCallback'}`));

export const sourceText = ({ source, sourceCount, device }: DeviceRow): string => {
  const text = say();
  if (!source) return device.datasourceId === undefined ? text.noSource : '';
  return sourceCount > 1 ? `${source.name} ${text.moreSources(sourceCount - 1)}` : source.name;
};
