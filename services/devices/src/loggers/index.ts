import type { Egress } from '@catchment/egress';
import type { LoggerDriver, PipeTransport } from '../acquisition/index.ts';
import { tcpClient } from './clients/tcp-client.ts';
import { PakBusDriver } from './usecases/pakbus-driver.ts';
import type { PakBusSettings } from './usecases/pakbus-settings.ts';
import type { LoggerParameters } from './usecases/ports.ts';

export { pakBusSettings } from './usecases/pakbus-settings.ts';
export type { ActivityChange, LoggerParameter } from './usecases/ports.ts';

/** Sessions with loggers are made of these. */
export const loggerDrivers = ({ egress, parameters, pakBus }: LoggerDeps) => ({
  pipes: [tcpClient(egress)] satisfies PipeTransport<'TcpClient'>[],
  loggers: [new PakBusDriver({ ...pakBus, parameters })] satisfies LoggerDriver[],
});
type LoggerDeps = {
  readonly egress: Pick<Egress, 'connect'>;
  readonly parameters: LoggerParameters;
  readonly pakBus: PakBusSettings;
};
