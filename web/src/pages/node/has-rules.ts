type Attributes = { readonly alarms?: unknown; readonly statesType?: unknown };

/** Returns whether states and alarms of a node are set in their own part of the page. */
export function hasRules(node: object): boolean {
  const { alarms, statesType } = node as Attributes;
  return (
    typeof statesType === 'string' || (typeof alarms === 'object' && alarms !== null && Object.keys(alarms).length > 0)
  );
}
