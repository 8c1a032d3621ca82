import { HistoricServiceService } from '@catchment/contracts/historic';
import { type CallerSigner, createGrpcClient } from '@catchment/grpc';
import type { FileWrites, WriteToSource } from '../usecases/ports.ts';

export type HistoricClient = FileWrites & {
  readonly write: WriteToSource;
  close(): void;
};

const WRITE_TIMEOUT_MS = 20_000;

export function historicClient(address: string, signer: CallerSigner): HistoricClient {
  const client = createGrpcClient(HistoricServiceService, address);
  const options = async (signal?: AbortSignal) => ({
    token: await signer.sign({ kind: 'service', service: 'devices' }),
    timeoutMs: WRITE_TIMEOUT_MS,
    ...(signal && { signal }),
  });
  return {
    write: async (source, document, origin) => {
      await client.write(
        {
          nodeRef: source.sourceId,
          ownerId: source.ownerId,
          body: Buffer.from(JSON.stringify(document)),
          writeMode: source.writeMode,
          // Every record of an acquisition is evaluated (docs/reference/writing.md#notifyon).
          notifyOn: 'ALL_NEWER',
          origin,
          continues: false,
        },
        await options(),
      );
    },
    writeFile: async ({ source, body: bytes, ...request }, signal) => {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const of = { nodeRef: source._id, ownerId: source.ownerId };
      await client.write({ ...request, ...of, body, notifyOn: 'ALL_NEWER' }, await options(signal));
    },
    reportFault: async ({ source, fault }, signal) => {
      await client.tellFault({ sourceId: source._id, ownerId: source.ownerId, fault }, await options(signal));
    },
    close: () => client.close(),
  };
}
