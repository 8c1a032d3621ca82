import { NORMAL } from '@catchment/states';

// What views compute of a record's value, for filters and sort: `n` is the node, `v` its values, `a` what alarms has said.

/**
 * A stored number as it is shown, multiplier and offset applied; NULL where that is no finite number. Arithmetic of double
 * precision fails in PostgreSQL beyond its range, so that is found out with exact numbers first.
 * @param value of type jsonb, holding a number
 */
export function shownNumber(value: string): string {
  const raw = `(${value})::numeric`;
  const factor = `coalesce((n.config -> 'multiplier')::numeric, 1)`;
  const offset = `coalesce((n.config -> 'offset')::numeric, 0)`;
  return `(CASE WHEN NOT n.config ?| ARRAY['multiplier', 'offset'] THEN (${value})::double precision
    WHEN abs(${raw} * ${factor}) + abs(${offset}) > 1.797e308 THEN NULL
    WHEN abs(${raw} * ${factor}) < 5e-324 THEN ${offset}::double precision
    ELSE (${value})::double precision * ${factor}::double precision + ${offset}::double precision END)`;
}

/** The ends keep the arithmetic of the tolerance within double precision. */
const isNear = (a: string, b: string): string =>
  `(${a} = ${b} OR CASE WHEN abs(${a}) BETWEEN 1e-290 AND 1e300 AND abs(${b}) BETWEEN 1e-290 AND 1e300
    THEN abs(${a} - ${b}) <= 1e-9 * greatest(abs(${a}), abs(${b})) ELSE FALSE END)`;

const STATES = `jsonb_array_elements(n.config -> 'states') WITH ORDINALITY AS s(state, position)`;
const THRESHOLD = `(state ->> 'threshold')`;

/** The most extreme state at or beyond, seen from NORMAL (docs/reference/states.md#matching). */
const RANGE = (value: string): string => `(SELECT r.state_id FROM (
    SELECT state ->> '_id' AS state_id, position, ${THRESHOLD}::double precision AS threshold, ${shownNumber(value)} AS shown,
      max(position) FILTER (WHERE state ->> 'name' = '${NORMAL}') OVER () AS normal
    FROM ${STATES}) r
  WHERE shown IS NOT NULL AND (position = normal OR CASE WHEN position > normal THEN shown >= threshold ELSE shown <= threshold END)
  ORDER BY abs(position - normal) DESC LIMIT 1)`;

const DISCRETE = (matches: string): string =>
  `(SELECT state ->> '_id' FROM ${STATES} WHERE ${matches} ORDER BY position LIMIT 1)`;

/**
 * Id of the state that a record's value has by itself.
 * @param value of type jsonb, NULL without a record
 * @param byRegex SQL of the id for texts where a state is a regular expression
 */
export const matchedStateId = (value: string, byRegex: string): string => `(CASE jsonb_typeof(${value})
  WHEN 'number' THEN CASE n.config ->> 'statesType'
    WHEN 'RANGE' THEN ${RANGE(value)}
    WHEN 'DISCRETE' THEN ${DISCRETE(
      `jsonb_typeof(state -> 'threshold') = 'number' AND ${isNear(shownNumber(value), `${THRESHOLD}::double precision`)}`,
    )} END
  WHEN 'string' THEN CASE WHEN ${HAS_REGEX} THEN ${byRegex}
    ELSE ${DISCRETE(
      `jsonb_typeof(state -> 'threshold') = 'string' AND strpos(${value} #>> '{}', ${THRESHOLD}) > 0`,
    )} END END)`;

/** Whether a state of the node is a regular expression, which PostgreSQL does not match as we do. */
export const HAS_REGEX = `jsonb_path_exists(n.config, '$.states[*].threshold ? (@ starts with "/")')`;

/** As alarms has said, unless its record or the state is gone by now. @param matched SQL of the id by the value alone */
export const currentStateId = (matched: string): string => `(CASE WHEN v.current_value IS NULL THEN NULL
  WHEN a.current_state_ms > v.current_ms THEN ${matched}
  WHEN a.current_state_id = '' AND n.config ->> 'statesType' = 'DISCRETE' THEN NULL
  WHEN a.current_state_id <> '' AND n.config -> 'states' @> jsonb_build_array(jsonb_build_object('_id', a.current_state_id))
    THEN a.current_state_id
  ELSE ${matched} END)`;
