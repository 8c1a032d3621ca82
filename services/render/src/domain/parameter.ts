import { DomainError } from '@catchment/errors';
import type { State, StatesConfig } from '@catchment/states';
import type { GivenChart } from './chart-settings.ts';

export type ParameterState = State & { readonly notify: string };

/** The properties of a parameter that a chart needs. */
export type Parameter = {
  readonly nodeId: string;
  readonly name: string;
  /** Full path (docs/reference/node-tree.md#common-attributes). */
  readonly path: string;
  readonly units: string;
  readonly valueType: 'NUMBER' | 'TEXT';
  readonly displayType: 'VALUE' | 'STATE';
  readonly states: StatesConfig<ParameterState>;
  readonly chart: GivenChart;
};

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
