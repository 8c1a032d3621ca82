import type { TransportName } from '@catchment/contracts/transports';
import type { AlarmType } from '@catchment/query';
import type { JsonObject } from '../body/rule.ts';
import type { Attributes } from './attributes.ts';
import { OWN_ATTRIBUTES } from './overrides.ts';

export type ValueFamily = 'NUMBER' | 'TEXT' | 'TIME' | 'COORDINATES';
export type NodeKind =
  | 'workspace'
  | 'templates'
  | 'group'
  | 'location'
  | 'source'
  | 'processor'
  | 'attachmentSource'
  | 'attachment'
  | 'parameter'
  | 'chart'
  | 'dashboard'
  | 'report';

/** Attributes with rules of their own beside the table: each has its module in this folder. */
export type SpecialAttribute = 'transport' | 'states' | 'chart' | 'isPublic' | 'alarms';

/** A class of nodes, as data: a later class is a row. */
export type NodeClass = {
  /** This name is stored and sent between services: 'point.NumberPoint'. */
  readonly name: string;
  readonly kind: NodeKind;
  /** Only series have a family of values: parameters and Locations. */
  readonly family?: ValueFamily;
  readonly attributes: Attributes;
  readonly specials: readonly SpecialAttribute[];
  readonly alarms: readonly AlarmType[];
  /** Sources: classes of transports that may bring their data, without prefix. */
  readonly transports: readonly TransportName[];
  /** Records come from a program or a rating alone (docs/reference/parameters.md#types). */
  readonly isComputed?: true;
  /** Checks rules between attributes of a whole configuration. @throws DomainError invalid_argument */
  readonly checkTogether?: (config: JsonObject) => void;
};

/** The node collects or computes data: it has a status, counters and a transport. */
export const isSource = ({ kind }: Pick<NodeClass, 'kind'>): boolean =>
  kind === 'source' || kind === 'processor' || kind === 'attachmentSource';

/** The node is a parameter whose values are sent to a logger (docs/reference/parameters.md#control-parameters). */
export const isControl = ({ alarms }: Pick<NodeClass, 'alarms'>): boolean => alarms.includes('controlAlarm');

/** The node lies directly under the account: a workspace, or the root of the templates. */
export const isRoot = ({ kind }: Pick<NodeClass, 'kind'>): boolean => kind === 'workspace' || kind === 'templates';

/** Names that `overrides` of a template's node may list (docs/reference/templates.md#locked-attributes). */
export const overridableNames = (cls: NodeClass): string[] =>
  [...Object.keys(cls.attributes), ...cls.specials].filter((name) => !OWN_ATTRIBUTES.has(name));
