import { HistoricServiceService } from '@catchment/contracts/historic';
import { type CallContext, type CallerSigner, createGrpcClient } from '@catchment/grpc';
import type { DeviceSource } from '../domain/device.ts';

/** Appends a JTS document to a source's series; resolves once the ingest log has it. */
export type WriteToSource = (source: DeviceSource, document: unknown, origin: string) => Promise<void>;

export type CallersWrite = {
  readonly nodeRef: string;
  readonly document: unknown;
  readonly writeMode: string;
  readonly origin: string;
};
/** The same for who has called us, with that caller's own rights. */
export type WriteForCaller = (
  write: CallersWrite,
  call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>,
) => Promise<void>;

export type HistoricClient = {
  readonly write: WriteToSource;
  readonly writeForCaller: WriteForCaller;
  close(): void;
};

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
          continues: false,
        },
        { token, timeoutMs: WRITE_TIMEOUT_MS },
      );
    },
    writeForCaller: async ({ document, ...request }, { token, deadlineMs, signal }) => {
      const body = Buffer.from(JSON.stringify(document));
      const options = { token, deadlineMs, signal, timeoutMs: WRITE_TIMEOUT_MS };
      await client.write({ ...request, ownerId: '', body, notifyOn: 'ALL_NEWER', continues: false }, options);
    },
    close: () => client.close(),
  };
}
