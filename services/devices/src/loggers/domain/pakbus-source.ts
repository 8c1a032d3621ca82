import { type EffectiveZone, effectiveZone, parseTimeValueMs } from '@catchment/time';

/** A source says this of its logger (docs/reference/sources.md#data-loggers). */
export type PakBusSource = {
  readonly address: number;
  /** The logger is reached through this node, where it is not the next one of the line itself. */
  readonly gateway: number | undefined;
  /** 0: none. */
  readonly securityCode: number;
  readonly zone: EffectiveZone;
  readonly setsClock: boolean;
  readonly makesParameters: boolean;
  /** Records before it are not wanted: Unix ms. */
  readonly startMs: number | undefined;
  /** Records are collected anew from here, as often as it changes: Unix ms. */
  readonly acquireMs: number | undefined;
};

const SECURITY_CODE_MAX = 65_535;
const NOT_AVAILABLE = 'Protocol not available:';

type Attributes = Readonly<Record<string, unknown>>;

/** @returns why no session with this logger is possible, where it is not */
export function readPakBusSource(attributes: Attributes, nowMs: number): PakBusSource | { readonly refusal: string } {
  const { encryptionKey, tcpPassword, securityCode: code, timezone, timezoneAdjustForDst } = attributes;
  if (encryptionKey) return { refusal: `${NOT_AVAILABLE} encryption of PakBus (remove encryptionKey)` };
  if (tcpPassword) return { refusal: `${NOT_AVAILABLE} passwords of PakBus/TCP (remove tcpPassword)` };
  const securityCode = Number(code ?? 0);
  if (!(securityCode <= SECURITY_CODE_MAX)) return { refusal: `securityCode is above ${SECURITY_CODE_MAX}` };
  return {
    address: Number(attributes.pakBusAddress ?? 1),
    gateway: attributes.pakBusGatewayAddress ? Number(attributes.pakBusGatewayAddress) : undefined,
    securityCode,
    zone: effectiveZone(String(timezone ?? 'Etc/UTC'), timezoneAdjustForDst === true, nowMs),
    setsClock: attributes.clockSync === true,
    makesParameters: attributes.autoParameters !== false,
    startMs: timeIn(attributes.initialCollection),
    acquireMs: timeIn(attributes.acquireTime),
  };
}

const timeIn = (value: unknown): number | undefined =>
  value === undefined || value === null || value === 'ALL' ? undefined : (parseTimeValueMs(value) ?? undefined);

/** Models with which sessions are proven (docs/adr/0019-pakbus.md). */
export const PROVEN_MODELS = ['CR200', 'CR800', 'CR850', 'CR1000', 'CR3000'] as const;

/** Reads a model and its firmware from `CR1000.Std.24`. The smallest loggers name no model: `v03A`. */
export function loggerModel(osVersion: string): { readonly model: string; readonly firmwareVersion: string } {
  const found = /^([A-Za-z]+\d+[A-Za-z]*)\.(.+)$/.exec(osVersion.trim());
  return found
    ? { model: found[1]!, firmwareVersion: found[2]! }
    : { model: 'CR200', firmwareVersion: osVersion.trim() };
}

/** @returns why there is no session with a model, where it is none of the wanted ones */
export const modelRefusal = (model: string, models: readonly string[]): string | undefined =>
  models.some((proven) => proven.toUpperCase() === model.toUpperCase())
    ? undefined
    : `${NOT_AVAILABLE} PakBus has not been proven with a ${model}`;
