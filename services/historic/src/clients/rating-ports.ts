import { scopeOf } from '@catchment/access';
import type { RatingsServiceService } from '@catchment/contracts/ratings';
import { DomainError } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Catalogue } from '../usecases/ports.ts';
import type { RateDeps } from '../usecases/rate-series.ts';

const HISTORIC = { kind: 'service', service: 'historic' } as const;

type Peers = {
  readonly catalogue: Pick<Catalogue, 'resolve'>;
  readonly ratings: Pick<GrpcClient<typeof RatingsServiceService>, 'getRating'>;
  readonly signer: Pick<CallerSigner, 'sign'>;
};

/** Calls of ratings to the nodes service, in this service's own name. */
export const ratingPorts = ({ catalogue, ratings, signer }: Peers): Pick<RateDeps, 'ratingOf' | 'nodeOf'> => ({
  ratingOf: async (ownerId, nodeId) =>
    ratings.getRating({ ownerId, nodeId }, { token: await signer.sign(HISTORIC) }).catch(unlessNotFound),
  nodeOf: async (ownerId, nodeId) => {
    const requester = { scope: scopeOf(HISTORIC, ownerId), isService: true, token: await signer.sign(HISTORIC) };
    return catalogue.resolve(nodeId, requester).catch(unlessNotFound);
  },
});

function unlessNotFound(error: unknown): undefined {
  if (error instanceof DomainError && error.kind === 'not_found') return undefined;
  throw error;
}
