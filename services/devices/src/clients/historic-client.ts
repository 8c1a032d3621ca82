import { HistoricServiceService } from '@catchment/contracts/historic';
import { type CallerSigner, createGrpcClient } from '@catchment/grpc';
import type { DeviceSource } from '../domain/device.ts';

/** Appends a JTS document to a source's series; resolves once the ingest log has it. */
export type WriteToSource = (source: DeviceSource, document: unknown, origin: string) => Promise<void>;

export type HistoricClient = { readonly write: WriteToSource; close(): void };

const WRITE_TIMEOUT_MS = 20_000;

export function historicClient(address: string, signer: CallerSigner): HistoricClient {
  const client = createGrpcClient(HistoricServiceService, address);
  return {
    write: async (source, document, origin) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      await client.write(
        {
          nodeRef: source.sourceId,
          ownerId: source.ownerId,
          body: Buffer.from(JSON.stringify(document)),
          writeMode: source.writeMode,
          // Every record of an acquisition is evaluated (semantics 8.3).
          notifyOn: 'ALL_NEWER',
          origin,
        },
        { token, timeoutMs: WRITE_TIMEOUT_MS },
      );
    },
    close: () => client.close(),
  };
}
