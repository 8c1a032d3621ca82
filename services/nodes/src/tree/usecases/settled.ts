import { boundedWarnings, type Warning, type Watch } from '../../dependents/index.ts';
import { propagateNow, type TemplateDeps } from '../../templates/index.ts';
import type { ViewedNode } from '../../views/index.ts';

/** The node stands as after a change, with what the change has broken elsewhere. */
export type Changed = { readonly node: ViewedNode; readonly warnings: readonly Warning[] };

/** Does what follows the transaction of a change: instances follow their template, and what was watched is looked at again. */
export async function settled(
  deps: TemplateDeps,
  ownerId: string,
  { isDue, watch }: { readonly isDue: boolean; readonly watch: Watch | undefined },
): Promise<Warning[]> {
  const left = isDue ? await propagateNow(deps, ownerId) : [];
  const broken = watch ? await looked(deps, watch) : [];
  return boundedWarnings([...left, ...broken]);
}

/** The change is stored: that nobody can say what it has broken does not make it fail. */
async function looked(deps: TemplateDeps, watch: Watch): Promise<Warning[]> {
  try {
    return await watch(deps.database);
  } catch (err) {
    deps.log.warn({ err }, 'what a change has broken could not be looked up');
    return [];
  }
}
