import { askForVersions, DeadLetters, inspectBroker } from '@catchment/bus';
import { ShardsServiceService } from '@catchment/contracts/shards';
import type { CallerSigner, Peer } from '@catchment/grpc';
import type { Installation } from '../usecases/ports.ts';

const LIMIT_MS = 10_000;

type Where = { readonly url: string; readonly prefix?: string; readonly historic: Peer; readonly signer: CallerSigner };

/** Asks the broker as `catchment doctor` does, and historic for its InfluxDBs. */
export function installationOf({ url, prefix = '', historic, signer }: Where): Installation {
  const shards = historic.client(ShardsServiceService);
  return {
    broker: () => inspectBroker({ url, prefix, replicas: 1, limitMs: LIMIT_MS }),
    versions: () => askForVersions({ url, prefix }),
    shards: async () => {
      const token = await signer.sign({ kind: 'service', service: 'nodes' });
      return (await shards.listShards({}, { token, timeoutMs: LIMIT_MS })).shards;
    },
    letters: async (work) => {
      const letters = await DeadLetters.open({ url, prefix, name: 'operator' });
      try {
        return await work(letters);
      } finally {
        await letters.close();
      }
    },
  };
}
