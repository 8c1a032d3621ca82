import { type ColumnDef, type Columns, jsonbVariable } from '@catchment/query';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { Rule } from '../../domain/body/rule.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import { isSource, type NodeClass } from '../../domain/classes/node-class.ts';
import { locationStates } from '../domain/series-view.ts';
import { alarmConfigColumns, chartColumn, literal, withDefault } from './node-default-columns.ts';
import { EDGES, type Edge, shownQuality } from './shown-quality.ts';
import { currentStateId, matchedStateId, shownNumber } from './shown-state.ts';
import { REFERENCE_MS } from './source-data.ts';

const classesOf = (classes: readonly NodeClass[]): string =>
  `n.class IN (${classes.map(({ name }) => literal(name)).join(', ')})`;

/** SQL of a table attribute: the node's own value or its default, NULL on classes that lack it. */
function tableColumns(names: ClassNames): Record<string, ColumnDef> {
  const columns: Record<string, ColumnDef> = {};
  for (const name of new Set(ALL_CLASSES.flatMap(({ attributes }) => Object.keys(attributes)))) {
    if (name === 'series' || name === 'metadata') continue;
    const having = ALL_CLASSES.filter(({ attributes }) => name in attributes);
    const rule = columnRule(having.flatMap((cls) => cls.attributes[name]?.rule ?? []));
    if (!rule) continue;
    if (isJson(rule)) {
      const sql = documentSql(having, name, names);
      columns[name] = { type: 'jsonb', sql };
      for (const path of having.flatMap((cls) => pathsToNodes(cls.attributes[name]?.rule)))
        columns[[name, ...path].join('.')] = linkColumn(sql, path);
      continue;
    }
    const own = `n.config ->> ${literal(name)}`;
    const cases = having
      .map((cls) => ({ cls, fallback: cls.attributes[name]?.default }))
      .map(({ cls, fallback }) => `WHEN ${literal(cls.name)} THEN ${defaulted(own, fallback)}`);
    columns[name] = columnOf(rule, `(CASE n.class ${cases.join(' ')} END)`);
  }
  return columns;
}

/** Where a document holds ids of nodes; lists on the way are passed through. */
function pathsToNodes(rule: Rule | undefined): string[][] {
  switch (rule?.kind) {
    case 'nodeRef':
      return [[]];
    case 'checked':
      return pathsToNodes(rule.rule);
    case 'list':
      return pathsToNodes(rule.item);
    case 'object':
      return Object.entries(rule.fields).flatMap(([name, field]) =>
        pathsToNodes(field.rule).map((path) => [name, ...path]),
      );
    default:
      return [];
  }
}

const linkColumn = (document: string, path: readonly string[]): ColumnDef => ({
  type: 'objectId',
  isNodeId: true,
  sql: `(link #>> '{}')`,
  // Lax: lists are passed through.
  each: `jsonb_path_query(${document}, ${literal(`$${path.map((name) => `.${JSON.stringify(name)}`).join('')}[*]`)}) AS link`,
});

/** A JSON attribute as it is shown of each class that has it. */
function documentSql(having: readonly NodeClass[], name: string, names: ClassNames): string {
  const own = `(n.config -> ${literal(name)})`;
  const cases = having.map((cls) => {
    const { default: fallback, view } = cls.attributes[name] ?? { default: null };
    const shown = view && fallback !== null ? view(fallback as never, names) : fallback;
    return `WHEN ${literal(cls.name)} THEN ${withDefault(own, shown)}`;
  });
  return `(CASE n.class ${cases.join(' ')} END)`;
}

const defaulted = (own: string, fallback: unknown): string =>
  typeof fallback === 'object' || fallback === undefined ? own : `coalesce(${own}, ${literal(String(fallback))})`;

/** An attribute may be a word on one class and an object on another (`process`): JSON holds both. */
function columnRule(rules: readonly Rule[]): Rule | undefined {
  const plain = rules.map(bare);
  return plain.find(isJson) ?? plain[0];
}

const isJson = ({ kind }: Rule): boolean => kind === 'object' || kind === 'list' || kind === 'raw';

const bare = (rule: Rule): Rule => (rule.kind === 'checked' ? bare(rule.rule) : rule);

function columnOf(rule: Rule, sql: string): ColumnDef {
  switch (rule.kind) {
    case 'boolean':
      return { type: 'boolean', sql: `${sql}::boolean` };
    case 'number':
    case 'integer':
    case 'choiceOfIntegers':
      return { type: 'number', sql: `${sql}::double precision` };
    case 'secret':
      return { type: 'hidden' };
    case 'nodeRef':
      return { type: 'objectId', sql, isNodeId: true };
    default:
      return { type: 'string', sql };
  }
}

/** A value of a series: its type follows the class; coordinates have none that a filter can name. */
function valueColumn(value: string, only: string): ColumnDef {
  const ofType = (type: string, sql: string) => `(CASE WHEN jsonb_typeof(${value}) = '${type}' THEN ${sql} END)`;
  return {
    type: 'variable',
    number: ofType('number', shownNumber(value)),
    string: ofType('string', `${value} #>> '{}'`),
    time: { sql: ofType('object', `(${value} ->> '$millis')::bigint`), store: 'ms' },
    any: `nullif(${value}, '""'::jsonb)`,
    only,
  };
}

function alarmColumns(names: ClassNames): Record<string, ColumnDef> {
  const columns: Record<string, ColumnDef> = {};
  for (const type of new Set(ALL_CLASSES.flatMap(({ alarms }) => alarms))) {
    const has = classesOf(ALL_CLASSES.filter(({ alarms }) => alarms.includes(type)));
    const status = `a.alarms -> ${literal(type)}`;
    const at = `alarms.${type}`;
    columns[`${at}.status.alarmState`] = {
      type: 'string',
      sql: `(CASE WHEN ${has} THEN coalesce(${status} ->> 'alarmState', 'CLEARED') END)`,
    };
    for (const name of ['message', 'categoryId', 'acknowledgeUsername', 'acknowledgeComment'])
      columns[`${at}.status.${name}`] = { type: 'string', sql: `(${status} ->> ${literal(name)})` };
    for (const name of ['activeTime', 'acknowledgeTime'])
      columns[`${at}.status.${name}`] = { type: 'time', store: 'ms', sql: `(${status} ->> ${literal(name)})::bigint` };
    Object.assign(columns, alarmConfigColumns(type, has, names));
  }
  return columns;
}

const PARAMETERS = classesOf(ALL_CLASSES.filter(({ kind }) => kind === 'parameter'));

/** Ids of states. @param byRegex SQL of an id where regular expressions decide */
export function stateIdColumns(byRegex: (edge: Edge) => string): Record<`${Edge}StateId`, ColumnDef> {
  const matched = (edge: Edge) => matchedStateId(`v.${edge}_value`, byRegex(edge));
  const column = (sql: string): ColumnDef => ({ type: 'objectId', sql, only: PARAMETERS });
  return {
    currentStateId: column(currentStateId(matched('current'))),
    previousStateId: column(matched('previous')),
    oldestStateId: column(matched('oldest')),
  };
}

/**
 * What `filter` and `sort` of GET /nodes know of the attributes (docs/reference/query-arguments.md#filter,
 * docs/reference/query-arguments.md#sort-limit-and-skip).
 */
export function nodeQueryColumns(names: ClassNames): Columns {
  const sources = classesOf(ALL_CLASSES.filter(isSource));
  const publishable = classesOf(ALL_CLASSES.filter(({ specials }) => specials.includes('isPublic')));
  const series = classesOf(ALL_CLASSES.filter(({ family }) => family !== undefined));
  const locations = classesOf(ALL_CLASSES.filter(({ kind }) => kind === 'location'));
  // The id of a Location's state is made of the node's, as `idFrom` does it.
  const locationStateId = `left(encode(sha256(convert_to('24:' || n.node_id || '6:NORMAL', 'UTF8')), 'hex'), 24)`;
  const locationState = `jsonb_set(${literal(JSON.stringify(locationStates('', names)))}::jsonb, '{0,_id}', to_jsonb(${locationStateId}))`;
  const states = `(CASE WHEN ${locations} THEN ${locationState} ELSE n.config -> 'states' END)`;
  const charted = ALL_CLASSES.flatMap(({ name, family, specials }) =>
    family && specials.includes('chart') ? [[name, { family, displayType: '' }] as const] : [],
  );
  const counter = (column: string): ColumnDef => ({
    type: 'number',
    sql: `(CASE WHEN ${sources} THEN v.${column} END)`,
  });
  const time = (column: string): ColumnDef => ({ type: 'time', store: 'ms', sql: `v.${column}` });
  return {
    ...tableColumns(names),
    ...alarmColumns(names),
    _class: { type: 'string', sql: 'n.class', words: new Map(ALL_CLASSES.map(({ name }) => [names.full(name), name])) },
    _id: { type: 'objectId', sql: 'n.node_id', isNodeId: true },
    templateId: {
      type: 'objectId',
      sql: '(CASE WHEN n.instance_id = n.node_id THEN n.template_node_id END)',
      isNodeId: true,
    },
    templateNodeId: { type: 'objectId', sql: 'n.template_node_id', isNodeId: true },
    name: { type: 'string', sql: 'n.name' },
    ownerId: { type: 'objectId', sql: 'n.owner_id' },
    parentId: { type: 'objectId', sql: 'n.parent_id', isNodeId: true },
    workspaceId: {
      type: 'objectId',
      sql: '(CASE WHEN n.parent_id IS NOT NULL THEN n.workspace_id END)',
      isNodeId: true,
    },
    customId: { type: 'string', sql: 'n.custom_id' },
    publicId: { type: 'string', sql: 'n.public_id' },
    series: { type: 'string', sql: 'n.series_key' },
    createdTime: { type: 'time', store: 'ms', sql: 'n.created_ms' },
    isActive: { type: 'boolean', sql: 'n.is_active' },
    isPublic: {
      type: 'boolean',
      sql: `(CASE WHEN ${publishable} THEN coalesce((n.config ->> 'isPublic')::boolean, false) END)`,
    },
    displayType: {
      type: 'string',
      sql: `(CASE WHEN ${series} THEN coalesce(n.config ->> 'displayType', 'VALUE') END)`,
    },
    statesType: { type: 'string', sql: `(CASE WHEN ${locations} THEN 'RANGE' ELSE n.config ->> 'statesType' END)` },
    hysteresis: { type: 'number', sql: `(n.config ->> 'hysteresis')::double precision` },
    states: { type: 'jsonb', sql: states },
    'states._class': {
      type: 'string',
      sql: `(CASE WHEN jsonb_array_length(${states}) > 0 THEN ${literal(names.full('point.PointState'))} END)`,
    },
    'states.threshold': { ...jsonbVariable(`s -> 'threshold'`), each: `jsonb_array_elements(${states}) AS s` },
    metadata: { type: 'jsonb', sql: `(n.config -> 'metadata')` },
    'metadata.value': { ...jsonbVariable(`m -> 'value'`), each: `jsonb_array_elements(n.config -> 'metadata') AS m` },
    chart: chartColumn(charted, names),
    'transport._class': {
      type: 'string',
      sql: `(CASE WHEN ${sources} THEN ${literal(names.full('transport.'))} || coalesce(n.config -> 'transport' ->> 'class', 'None') END)`,
    },
    'transport.deviceId': { type: 'string', sql: `(n.config -> 'transport' ->> 'deviceId')` },
    currentStatus: {
      type: 'string',
      sql: `(CASE WHEN NOT (${sources}) THEN NULL WHEN n.config ->> 'isEnabled' = 'false' THEN 'DISABLED'
        WHEN coalesce(n.config ->> 'scheduleType', 'NONE') = 'NONE' THEN 'IDLE' ELSE 'SCHEDULED' END)`,
    },
    lastCommsAttempt: time('last_attempt_ms'),
    lastCommsSuccess: time('last_success_ms'),
    totalCommsAttempt: counter('total_attempts'),
    totalCommsSuccess: counter('total_successes'),
    lastAcquireRecordCount: counter('last_record_count'),
    updatedTime: time('updated_ms'),
    rawValue: {
      type: 'number',
      sql: `(CASE WHEN jsonb_typeof(v.current_value) = 'number' THEN (v.current_value #>> '{}')::double precision END)`,
    },
    ...stateIdColumns(() => 'NULL'),
    ...Object.fromEntries(
      EDGES.flatMap((edge): [string, ColumnDef][] => [
        [`${edge}Value`, valueColumn(`v.${edge}_value`, series)],
        [`${edge}Time`, time(`${edge}_ms`)],
        [`${edge}Quality`, { type: 'number', sql: shownQuality(edge), only: series }],
      ]),
    ),
    'alarms.outdatedAlarm.status.dataTime': {
      type: 'time',
      store: 'ms',
      sql: `(CASE WHEN ${sources} THEN least(${REFERENCE_MS}, (extract(epoch FROM now()) * 1000)::bigint) END)`,
    },
    currentAttachmentId: { type: 'objectId', sql: 't.attachment_id', isNodeId: true },
    fileName: { type: 'string', sql: `nullif(n.config -> 'file' ->> 'name', '')` },
    fileSize: { type: 'number', sql: `(n.config -> 'file' ->> 'size')::double precision` },
    mimeType: { type: 'string', sql: `(n.config -> 'file' ->> 'mimeType')` },
    fileUrl: { type: 'hidden' },
    filePreviewUrl: { type: 'hidden' },
  };
}
