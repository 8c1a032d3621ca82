import { DomainError } from '@catchment/errors';
import type { State, StatesConfig } from '@catchment/states';
import type { GivenChart } from './chart-settings.ts';

export type ParameterState = State & {
  /** Empty = none. */
  readonly categoryId: string;
  /** True where the caller is notified, once `withCategories` has found out; before that, where anyone is. */
  readonly notifies: boolean;
};

/** A chart needs these properties of a parameter. */
export type Parameter = {
  readonly nodeId: string;
  readonly workspaceId: string;
  readonly name: string;
  /** Full path (docs/reference/node-tree.md#common-attributes). */
  readonly path: string;
  readonly units: string;
  readonly valueType: 'NUMBER' | 'TEXT';
  readonly displayType: 'VALUE' | 'STATE';
  readonly states: StatesConfig<ParameterState>;
  readonly chart: GivenChart;
};

/** Returns the parameter as one sees it who gets notifications of these categories. */
export const withCategories = (parameter: Parameter, categories: ReadonlySet<string>): Parameter => ({
  ...parameter,
  states: {
    ...parameter.states,
    states: parameter.states.states.map((state) => ({ ...state, notifies: categories.has(state.categoryId) })),
  },
});

/**
 * The node exists but has no chart: Time parameters, Locations, everything that is no parameter
 * (docs/reference/charts.md#chart-endpoint).
 */
export const noChart = (what: string): DomainError =>
  new DomainError(
    'failed_precondition',
    'NO_CHART',
    `${what}: charts are drawn of Number and Text parameters and of chart nodes only`,
  );
