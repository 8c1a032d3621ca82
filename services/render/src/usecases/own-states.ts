import type { Rendering } from '../domain/chart-series.ts';
import { type Parameter, withCategories } from '../domain/parameter.ts';
import type { Call, Preferences } from './ports.ts';

/**
 * Shows thresholds where they are of categories that the caller has chosen, parameters with them
 * (docs/reference/charts.md#drawing-of-series); the preferences of a Workspace are asked for once in a chart.
 */
export function ownStates(
  preferences: Preferences,
  call: Call,
): (parameter: Parameter, rendering: Rendering) => Promise<Parameter> {
  const known = new Map<string, ReturnType<Preferences['categories']>>();
  return async (parameter, { settings }) => {
    if (settings.stateThresholds !== 'USER_NOTIFICATION') return parameter;
    const { workspaceId } = parameter;
    const asked = known.get(workspaceId) ?? preferences.categories(workspaceId, call);
    known.set(workspaceId, asked);
    return withCategories(parameter, await asked);
  };
}
