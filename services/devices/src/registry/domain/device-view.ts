import { formatIsoMs } from '@catchment/time';
import { MASK } from '../../sources/index.ts';
import type { ShownDevice } from './device.ts';
import type { ScoutConfig } from './scout-config.ts';

/**
 * Returns the public document of a device (docs/reference/devices.md#device-attributes); null attributes are left out. Secrets are
 * masked; extensions: `secret` (masked, when set) and, on ScoutDevices, `isOutOfDate` (the modem has not confirmed the
 * newest configuration).
 * @param namespace the installation's class namespace, for example `io.svc`
 */
export function deviceView(device: ShownDevice, namespace: string): Record<string, unknown> {
  const prefix = `${namespace}.models.device.`;
  return {
    _class: prefix + device.deviceClass,
    _id: device.deviceId,
    ...(device.workspaceId !== null && { workspaceId: device.workspaceId }),
    ...(device.datasourceId !== null && { datasourceId: device.datasourceId }),
    deviceKey: device.deviceKey,
    ...(device.phoneNumber !== null && { phoneNumber: device.phoneNumber }),
    ...(device.secretHash !== null && { secret: MASK }),
    isConnected: device.isConnected,
    ...(device.lastConnectedMs !== null && { lastConnected: formatIsoMs(device.lastConnectedMs) }),
    createdTime: formatIsoMs(device.createdMs),
    ...(device.config && {
      config: configView(device.config, prefix),
      isOutOfDate: device.confirmedRevision < device.configRevision,
    }),
    software: device.software,
  };
}

function configView(config: ScoutConfig, prefix: string): unknown {
  const interfaces = Object.entries(config.interfaces).map(([name, port]) => [
    name,
    { ...port, _class: prefix + port._class },
  ]);
  return {
    ...config,
    simPin: masked(config.simPin),
    interfaces: Object.fromEntries(interfaces),
    apn: { ...config.apn, pass: masked(config.apn.pass) },
  };
}

const masked = (secret: string): string => (secret === '' ? '' : MASK);
