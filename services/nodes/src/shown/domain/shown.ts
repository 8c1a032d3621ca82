import { transformOf } from '@catchment/equation';
import { matchState, type StatesConfig, toStatesConfig } from '@catchment/states';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type Config, isEnabled, statesOf, transformAttributes } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import type { Edge, Edges, SeriesRecord } from './edges.ts';

/** The alarms service reported the current state by this id; null = nothing reported, '' = no state. */
export type ReportedState = string | null;

export const NO_REPORT: ReportedState = null;

/** Shown values are computed from these, beside the records. */
export type ShownInputs = {
  readonly class: string;
  readonly config: Config;
  readonly reported: ReportedState;
  /** The session of a source that is not at rest is at this step (docs/reference/sources.md#status). */
  readonly session?: string | null;
};

/** A record is shown with this number, null for other values, and the id of its state. */
export type ShownRecord = { readonly number: number | null; readonly stateId: string | null };

/** A node shows this in a form that neither its configuration nor its records hold. */
export type Shown = Readonly<Record<Edge, ShownRecord>> & {
  /** Sources alone have a status: DISABLED, SCHEDULED, IDLE, or the step of a session. */
  readonly status: string | null;
};

export type ShownOfNode = { readonly nodeId: string; readonly shown: Shown };

const NOTHING: ShownRecord = { number: null, stateId: null };

/**
 * Computes what a node shows; nothing else does. Stored records are raw: multiplier and offset, or the equation, are applied here, so a
 * change of them shows at once (docs/reference/parameters.md#attributes).
 */
export function shownOf({ class: name, config, reported, session = null }: ShownInputs, edges: Edges): Shown {
  const status = isSource(nodeClass(name)) ? currentStatus(config, session) : null;
  const { current, previous, oldest } = edges;
  if (!current && !previous && !oldest) return { current: NOTHING, previous: NOTHING, oldest: NOTHING, status };
  const states = toStatesConfig(statesOf(config));
  const { apply } = transformOf(transformAttributes(config));
  const shown = (record: SeriesRecord | null): ShownRecord => {
    if (typeof record?.value === 'string') return { number: null, stateId: matchedStateId(states, record.value) };
    if (typeof record?.value !== 'number') return NOTHING;
    const number = apply(record.value);
    return Number.isFinite(number) ? { number, stateId: matchedStateId(states, number) } : NOTHING;
  };
  const newest = shown(current);
  return {
    current: current ? { ...newest, stateId: currentStateId(states, reported, newest.stateId) } : newest,
    previous: shown(previous),
    oldest: shown(oldest),
    status,
  };
}

/** docs/reference/sources.md#status: a source that has been disabled shows so at once, whatever its session. */
function currentStatus(config: Config, session: string | null): string {
  if (!isEnabled(config)) return 'DISABLED';
  if (session !== null) return session;
  return (config.scheduleType ?? 'NONE') === 'NONE' ? 'IDLE' : 'SCHEDULED';
}

const matchedStateId = (states: StatesConfig, value: number | string): string | null =>
  matchState(states, value)?.stateId ?? null;

/**
 * Returns the state that the alarms service reported: it judges every change of the current record, and reports what becomes another state.
 * The value alone decides where nothing is reported, and where the reported state has been replaced.
 */
function currentStateId(
  { statesType, states }: StatesConfig,
  reported: ReportedState,
  matched: string | null,
): string | null {
  if (reported === '' && statesType === 'DISCRETE') return null;
  return reported && states.some((state) => state.stateId === reported) ? reported : matched;
}
