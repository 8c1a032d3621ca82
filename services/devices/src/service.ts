import { openService } from '@catchment/service';
import { config } from './config.ts';
import { startDevices } from './start-devices.ts';

export const service = openService(config, (scope) => startDevices(scope));
