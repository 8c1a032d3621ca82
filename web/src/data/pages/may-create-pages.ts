import { isAdministrator, may } from '../session/rights.ts';
import { levels, ROOT } from '../tree/levels.ts';

/** Dashboards and reports are made where the tree shows a Workspace that the person may configure, and as long as that is not known. */
export function mayCreatePages(): boolean {
  if (isAdministrator()) return true;
  const root = levels.value.get(ROOT);
  return !root || root.isLoading || root.next !== undefined || root.children.some((child) => may('CONFIGURE', child));
}
