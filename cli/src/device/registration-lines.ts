import type { DeviceRegistration } from '@catchment/contracts/devices';

/** Returns a line per registration; the first is where modems without a secret go. @param accounts their names by id */
export function registrationLines(
  registrations: readonly DeviceRegistration[],
  accounts: ReadonlyMap<string, string>,
): string[] {
  return registrations.map((registration, index) => {
    const account = `account ${registration.ownerId} ${accounts.get(registration.ownerId) ?? '(deleted)'}`;
    const secret = registration.hasSecret ? 'has a secret' : 'no secret';
    return `${index + 1}. device ${registration.deviceId}, ${account}, since ${minute(registration.createdMs)}, ${secret}, ${use(registration)}`;
  });
}

function use({ isConnected, lastConnectedMs }: DeviceRegistration): string {
  if (isConnected) return `connected since ${minute(lastConnectedMs)}`;
  return lastConnectedMs > 0 ? `last connected ${minute(lastConnectedMs)}` : 'never connected';
}

const minute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
