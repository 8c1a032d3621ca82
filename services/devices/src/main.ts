import { runService, serveHealth } from '@catchment/service';
import { readConfig } from './config.ts';
import { startDevices } from './start-devices.ts';

await runService('devices', async (scope) => {
  const { log, readiness, defer } = scope;
  const config = readConfig(process.env);
  const health = await serveHealth({ host: config.healthHost, port: config.healthPort, readiness });
  defer(() => health.close());
  const started = await startDevices(config, scope);
  log.info({ ...started, healthPort: health.port }, 'listening');
});
