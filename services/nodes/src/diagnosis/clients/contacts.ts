import { DevicesServiceService } from '@catchment/contracts/devices';
import { AcquisitionHistoryServiceService } from '@catchment/contracts/events';
import type { CallerSigner, Peer } from '@catchment/grpc';
import type { Contacts } from '../usecases/ports.ts';

/** A diagnosis without what is away is better than none: nobody waits for longer. */
const TIMEOUT_MS = 3_000;
const EVENTS_MAX = 200;

/** Asks devices and events what they know of a source. @param peers those that are configured */
export function contactsOfPeers(
  peers: { readonly devices: Peer | undefined; readonly events: Peer | undefined },
  signer: CallerSigner,
): Contacts {
  const devices = peers.devices?.client(DevicesServiceService);
  const events = peers.events?.client(AcquisitionHistoryServiceService);
  const options = async () => ({
    token: await signer.sign({ kind: 'service', service: 'nodes' }),
    timeoutMs: TIMEOUT_MS,
  });
  return {
    contact: async (ownerId, sourceId) => {
      if (!devices) return undefined;
      const { lastFile, device, ...contact } = await devices.getContact({ ownerId, sourceId }, await options());
      return {
        status: contact.status,
        waitingFiles: contact.waitingFiles,
        nextMs: contact.nextMs,
        intervalMs: contact.intervalMs,
        device,
        lastFile,
      };
    },
    events: async (ownerId, nodeId) =>
      events && (await events.getAcquisitionEvents({ ownerId, nodeId, limit: EVENTS_MAX }, await options())).events,
  };
}
