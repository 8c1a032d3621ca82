import type { NodesServiceService } from '@catchment/contracts/nodes';
import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { ProgramsServiceService } from '@catchment/contracts/programs';
import type { RatingsServiceService } from '@catchment/contracts/ratings';
import { DomainError } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { readQuality } from '@catchment/quality';
import { LRUCache } from 'lru-cache';
import type { ProgramSource } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;

/** Many programs of an account are often validated together. */
const KEEP_MS = 1_000;
const MAX_ACCOUNTS = 1_000;

type Peers = {
  readonly programs: Pick<GrpcClient<typeof ProgramsServiceService>, 'getProgram' | 'resolvePaths'>;
  readonly ratings: Pick<GrpcClient<typeof RatingsServiceService>, 'getRating'>;
  readonly nodes: Pick<GrpcClient<typeof NodesServiceService>, 'ensureParameters' | 'resolveNodes'>;
  readonly owners: Pick<GrpcClient<typeof OwnersServiceService>, 'getQualitySettings'>;
  readonly signer: Pick<CallerSigner, 'sign'>;
};

/** Programs and ratings, their paths, inputs and outputs, by the nodes service. */
export function grpcProgramSource({ programs, ratings, nodes, owners, signer }: Peers): ProgramSource {
  const asService = async () => ({ token: await signer.sign(SERVICE) });
  const qualities = new LRUCache<string, Readonly<Record<string, number>>>({
    max: MAX_ACCOUNTS,
    ttl: KEEP_MS,
    fetchMethod: async (ownerId) => {
      const { codes } = await readQuality(owners, { ownerId }, await asService());
      return Object.fromEntries(codes.map(({ name, code }) => [name, code]));
    },
  });
  return {
    async program(ownerId, nodeId, by) {
      const request = { ownerId: by ? '' : ownerId, nodeRef: nodeId };
      return programs.getProgram(request, by ? { token: by.token } : await asService()).catch((error: unknown) => {
        if (!by && error instanceof DomainError && error.kind === 'not_found') return undefined;
        throw error;
      });
    },
    async resolve(ownerId, nodeRef, paths, grants, by) {
      const keys = grants.map(({ slug, key }) => ({ slug, key }));
      const request = { ownerId: by ? '' : ownerId, nodeRef, paths: [...paths], grants: keys };
      return (await programs.resolvePaths(request, by ? { token: by.token } : await asService())).paths;
    },
    async ensureOutputs(ownerId, sourceId, outputs) {
      const columns = outputs.map(({ name, dataType }, index) => ({
        index,
        name,
        dataType,
        id: '',
        series: '',
        units: '',
      }));
      return (await nodes.ensureParameters({ ownerId, sourceId, columns }, await asService())).parameters;
    },
    rating: async (ownerId, nodeId) =>
      ratings.getRating({ ownerId, nodeId }, await asService()).catch((error: unknown) => {
        if (error instanceof DomainError && error.kind === 'not_found') return undefined;
        throw error;
      }),
    async node(ownerId, nodeId) {
      const request = { ownerId, nodeRefs: [nodeId], skipsMissing: true };
      return (await nodes.resolveNodes(request, await asService())).nodes[0];
    },
    qualities: (ownerId) => qualities.forceFetch(ownerId),
  };
}
