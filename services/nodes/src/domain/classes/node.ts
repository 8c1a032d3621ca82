import { type TransformAttributes, UNTRANSFORMED } from '@catchment/equation';
import type { StatesType, StoredState, StoredStates } from '@catchment/states';
import type { JsonObject } from '../body/rule.ts';
import type { AlarmsConfig } from './alarm-config.ts';
import type { ChartConfig } from './chart.ts';
import type { NodeClass } from './node-class.ts';
import type { StoredFile } from './stored-file.ts';
import { NO_TRANSPORT, type Transport } from './transport.ts';

/**
 * A node's configuration has what differs from the defaults of its class: attributes of the table by public name, and
 * the parts below.
 */
export type Config = {
  readonly transport?: Transport;
  readonly alarms?: AlarmsConfig;
  readonly chart?: ChartConfig;
  readonly states?: readonly StoredState[];
  readonly statesType?: StatesType;
  readonly hysteresis?: number;
  /** The Number series is made of truth values (docs/reference/parameters.md#types); not public. */
  readonly isBoolean?: true;
  readonly isPublic?: true;
  /** The source was last enabled at this time, in Unix ms; absent where that was its creation; not public. */
  readonly enabledMs?: number;
  /** Attachments only; no body can set it. */
  readonly file?: StoredFile;
} & JsonObject;

/** A body can change these properties of a node. */
export type Settings = {
  readonly name: string;
  readonly customId: string | null;
  readonly seriesKey: string | null;
  readonly publicId: string | null;
  readonly config: Config;
};

/** A node as stored. */
export type StoredNode = Settings & {
  readonly nodeId: string;
  readonly ownerId: string;
  /** Own id on a Workspace. */
  readonly workspaceId: string;
  /** null on a Workspace. */
  readonly parentId: string | null;
  readonly class: string;
  readonly isActive: boolean;
  readonly createdMs: number;
  readonly revision: number;
  /**
   * A node of an instance follows this node of the template, and has this root of its instance
   * (docs/reference/templates.md#changes-of-a-template).
   */
  readonly templateNodeId: string | null;
  readonly instanceId: string | null;
};

/** Returns the value of a table attribute: the node's value or the default. */
export const attributeOf = (cls: NodeClass, config: Config, name: string): unknown =>
  config[name] ?? cls.attributes[name]?.default ?? null;

export const displayTypeOf = (config: Config): string => (config.displayType as string | undefined) ?? 'VALUE';
export const transportOf = (config: Config): Transport => config.transport ?? NO_TRANSPORT;
export const isEnabled = (config: Config): boolean => config.isEnabled !== false;

/** Returns what makes shown values of stored ones (docs/reference/parameters.md#attributes). */
export const transformAttributes = (config: Config): TransformAttributes => ({
  multiplier: (config.multiplier as number | undefined) ?? UNTRANSFORMED.multiplier,
  offset: (config.offset as number | undefined) ?? UNTRANSFORMED.offset,
  equation: (config.equation as string | undefined) ?? UNTRANSFORMED.equation,
});

export const statesOf = (config: Config): StoredStates => ({
  statesType: config.statesType ?? '',
  states: config.states ?? [],
  hysteresis: config.hysteresis ?? 0,
});
