import type { Transport } from '../usecases/transport.ts';
import { type ScoutSettings, scout } from './scout.ts';

/** The transports that bring data here; a source whose transport is none of these is given its data by others. */
export const transportsOf = (settings: ScoutSettings): readonly Transport[] => [
  scout(settings),
  { name: 'TcpCallback', deviceClass: 'Device' },
];
