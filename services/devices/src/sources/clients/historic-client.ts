import { HistoricServiceService } from '@catchment/contracts/historic';
import type { CallerSigner, Peer } from '@catchment/grpc';
import type { FileWrites, WriteBody, WriteToSource, WrittenSource } from '../usecases/ports.ts';

type HistoricClient = FileWrites & {
  readonly write: WriteBody;
  /** Writes a part of a session, which is counted as a whole: the write counts as no acquisition of its own. */
  readonly writeInSession: WriteToSource;
};

const WRITE_TIMEOUT_MS = 20_000;
/** The object is always the same: what is signed of it is known. */
const DEVICES = { kind: 'service', service: 'devices' } as const;

export function historicClient(peer: Peer, signer: CallerSigner): HistoricClient {
  const client = peer.client(HistoricServiceService, {
    streamed: { by: 'writeStream', calls: ['write'], sizeBytes: ({ body }: { body: Uint8Array }) => body.length },
  });
  const options = async (signal?: AbortSignal) => ({
    token: await signer.sign(DEVICES),
    timeoutMs: WRITE_TIMEOUT_MS,
    ...(signal && { signal }),
  });
  const write = async (
    source: WrittenSource,
    body: Buffer,
    origin: string,
    more: { readonly inSession?: boolean; readonly deliveries?: number },
  ) => {
    await client.write(
      {
        nodeRef: source.sourceId,
        ownerId: source.ownerId,
        body,
        writeMode: source.writeMode,
        // Every record of an acquisition is evaluated (docs/reference/writing.md#notifyon).
        notifyOn: 'ALL_NEWER',
        origin,
        continues: false,
        acquisitionId: source.acquisitionId,
        ...more,
      },
      await options(),
    );
  };
  return {
    write: (source, body, { origin, deliveries }) => write(source, body, origin, deliveries > 1 ? { deliveries } : {}),
    writeInSession: (source, document, origin) =>
      write(source, Buffer.from(JSON.stringify(document)), origin, { inSession: true }),
    writeFile: async ({ source, body: bytes, imported, ofFile, ...request }, signal) => {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const { notifyOn = 'ALL_NEWER', columnIndex } = imported ?? {};
      // Devices reports sessions itself, and an import is no acquisition at all.
      const inSession = imported !== undefined || source.inSession === true;
      const { _id: nodeRef, ownerId, acquisitionId } = source;
      const of = { nodeRef, ownerId, acquisitionId, inSession, isImport: imported !== undefined };
      // The whole file has one event and one push, with its last write.
      const counts = ofFile === 'unfinished' ? { deliveries: 0 } : ofFile;
      const { rows } = await client.write(
        { ...request, ...of, ...counts, body, notifyOn, columnIndex },
        await options(signal),
      );
      return rows;
    },
    reportFault: async ({ source, fault }, signal) => {
      await client.tellFault({ sourceId: source._id, ownerId: source.ownerId, fault }, await options(signal));
    },
  };
}
