import type { SecurityServiceService } from '@catchment/contracts/security';
import type { GrpcClient } from '@catchment/grpc';
import type { Preferences } from '../usecases/ports.ts';

/** Asks the nodes service which categories the caller has chosen. */
export function preferencesClient(
  security: Pick<GrpcClient<SecurityServiceService>, 'listEnabledCategories'>,
): Preferences {
  return {
    async categories(workspaceId, { token, deadlineMs, signal }) {
      const timeoutMs = Math.max(deadlineMs - Date.now(), 1);
      const found = await security.listEnabledCategories({ workspaceId }, { token, deadlineMs, timeoutMs, signal });
      return new Set(found.categoryIds);
    },
  };
}
