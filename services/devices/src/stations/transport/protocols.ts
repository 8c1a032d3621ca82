import { WaspmoteReader } from '../domain/waspmote-frame.ts';
import { WaterlogReader } from '../domain/waterlog-lines.ts';
import type { StationProtocol } from './station-server.ts';

export const WATERLOG = (now: () => number): StationProtocol => ({
  name: 'WaterLOG',
  sourceClass: 'source.data.WaterLog',
  reader: () => new WaterlogReader(now),
});

export const WASPMOTE: StationProtocol = {
  name: 'Waspmote',
  sourceClass: 'source.data.Waspmote',
  reader: () => new WaspmoteReader(),
};
