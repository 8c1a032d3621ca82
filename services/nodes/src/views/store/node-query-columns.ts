import { type ColumnDef, type Columns, jsonbVariable } from '@catchment/query';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { Rule } from '../../domain/body/rule.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { NO_TRANSPORT } from '../../domain/classes/transport.ts';
import { EDGES, type Edge } from '../../shown/index.ts';
import { locationStates } from '../domain/series-view.ts';
import { alarmColumns, chartColumn, classesOf, literal, ownOrDefault } from './node-default-columns.ts';
import { shownQuality } from './shown-quality.ts';

/** A table attribute has the node's own value or the default of its class. */
function tableColumns(names: ClassNames): Record<string, ColumnDef> {
  const columns: Record<string, ColumnDef> = {};
  for (const name of new Set(ALL_CLASSES.flatMap(({ attributes }) => Object.keys(attributes)))) {
    if (name === 'series' || name === 'metadata') continue;
    const having = ALL_CLASSES.filter(({ attributes }) => name in attributes);
    const rule = columnRule(having.flatMap((cls) => cls.attributes[name]?.rule ?? []));
    if (!rule) continue;
    const sql = ownOrDefault(name, having, names);
    columns[name] = isJson(rule) ? { type: 'jsonb', sql } : columnOf(rule, `(${sql} #>> '{}')`);
    if (!isJson(rule)) continue;
    const pathsTo = (isMeant: (rule: Rule) => boolean) =>
      having.flatMap((cls) => pathsIn(cls.attributes[name]?.rule, isMeant));
    for (const path of pathsTo(({ kind }) => kind === 'nodeRef'))
      columns[[name, ...path].join('.')] = linkColumn(sql, path);
    for (const path of pathsTo(({ kind }) => kind === 'secret' || kind === 'code'))
      columns[[name, ...path].join('.')] = { type: 'hidden' };
  }
  return columns;
}

/** Lists where a document holds values of a kind; lists on the way are passed through. */
function pathsIn(rule: Rule | undefined, isMeant: (rule: Rule) => boolean): string[][] {
  if (!rule) return [];
  if (isMeant(rule)) return [[]];
  switch (rule.kind) {
    case 'checked':
      return pathsIn(rule.rule, isMeant);
    case 'list':
      return pathsIn(rule.item, isMeant);
    case 'object':
      return Object.entries(rule.fields).flatMap(([name, field]) =>
        pathsIn(field.rule, isMeant).map((path) => [name, ...path]),
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
    case 'code':
      return { type: 'hidden' };
    case 'nodeRef':
      return { type: 'objectId', sql, isNodeId: true };
    default:
      return { type: 'string', sql };
  }
}

const ofType = (value: string, type: string, sql: string) =>
  `(CASE WHEN jsonb_typeof(${value}) = '${type}' THEN ${sql} END)`;

/** The value is stored as it is shown. */
const plainValueColumn = (value: string): ColumnDef => ({
  type: 'variable',
  number: ofType(value, 'number', `(${value})::numeric`),
  string: ofType(value, 'string', `${value} #>> '{}'`),
  time: { sql: ofType(value, 'object', `(${value} ->> '$millis')::bigint`), store: 'ms' },
  any: value,
});

/** Returns a value of a series: its type follows the class; coordinates have none that a filter can name. */
function valueColumn(edge: Edge, only: string): ColumnDef {
  const [value, number] = [`v.${edge}_value`, `v.${edge}_number`];
  return {
    type: 'variable',
    number,
    string: ofType(value, 'string', `${value} #>> '{}'`),
    time: { sql: ofType(value, 'object', `(${value} ->> '$millis')::bigint`), store: 'ms' },
    any: `CASE WHEN jsonb_typeof(${value}) = 'number' THEN to_jsonb(${number}) ELSE nullif(${value}, '""'::jsonb) END`,
    only,
  };
}

/** Names from the Workspace down to the node, parted by `/`. */
const PATH = `(WITH RECURSIVE up AS (
  SELECT n.parent_id, n.name AS path
  UNION ALL
  SELECT p.parent_id, p.name || '/' || up.path FROM up JOIN nodes p ON p.node_id = up.parent_id
) SELECT path FROM up WHERE parent_id IS NULL)`;

/**
 * The attributes for `filter` and `sort` of GET /nodes (docs/reference/query-arguments.md#filter,
 * docs/reference/query-arguments.md#sort-limit-and-skip).
 */
export function nodeQueryColumns(names: ClassNames): Columns {
  const sources = classesOf(ALL_CLASSES.filter(isSource));
  const publishable = classesOf(ALL_CLASSES.filter(({ specials }) => specials.includes('isPublic')));
  const series = classesOf(ALL_CLASSES.filter(({ family }) => family !== undefined));
  const locations = classesOf(ALL_CLASSES.filter(({ kind }) => kind === 'location'));
  const attachmentSources = classesOf(ALL_CLASSES.filter(({ kind }) => kind === 'attachmentSource'));
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
    path: { type: 'string', sql: PATH, lastName: 'n.name', sortable: false },
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
    revision: { type: 'number', sql: 'n.revision' },
    isPublic: {
      type: 'boolean',
      sql: `(CASE WHEN ${publishable} THEN coalesce((n.config ->> 'isPublic')::boolean, false) END)`,
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
      sql: `(CASE WHEN ${sources} THEN ${literal(names.full('transport.'))} || coalesce(n.config -> 'transport' ->> 'class', ${literal(NO_TRANSPORT.class)}) END)`,
    },
    'transport.deviceId': { type: 'string', sql: `(n.config -> 'transport' ->> 'deviceId')` },
    currentStatus: { type: 'string', sql: 'v.status', only: sources },
    lastCommsAttempt: time('last_attempt_ms'),
    lastCommsSuccess: time('last_success_ms'),
    totalCommsAttempt: counter('total_attempts'),
    totalCommsSuccess: counter('total_successes'),
    lastAcquireRecordCount: counter('last_record_count'),
    model: { type: 'string', sql: 'v.logger_model' },
    firmwareVersion: { type: 'string', sql: 'v.logger_firmware' },
    progName: { type: 'string', sql: 'v.logger_program' },
    controlValue: plainValueColumn('v.control_value'),
    updatedTime: time('updated_ms'),
    rawValue: {
      type: 'number',
      sql: `(CASE WHEN jsonb_typeof(v.current_value) = 'number' THEN (v.current_value #>> '{}')::double precision END)`,
    },
    ...Object.fromEntries(
      EDGES.flatMap((edge): [string, ColumnDef][] => [
        [`${edge}Value`, valueColumn(edge, series)],
        [`${edge}StateId`, { type: 'objectId', sql: `v.${edge}_state`, only: series }],
        [`${edge}Time`, time(`${edge}_ms`)],
        [`${edge}Quality`, { type: 'number', sql: shownQuality(edge), only: series }],
      ]),
    ),
    'alarms.outdatedAlarm.status.dataTime': {
      type: 'time',
      store: 'ms',
      sql: `(CASE WHEN ${sources} THEN least(d.data_ms, (extract(epoch FROM now()) * 1000)::bigint) END)`,
    },
    currentAttachmentId: {
      type: 'objectId',
      sql: `(CASE WHEN ${attachmentSources} THEN t.attachment_id END)`,
      isNodeId: true,
    },
    imageAttachmentId: {
      type: 'objectId',
      sql: `(CASE WHEN ${locations} THEN coalesce(t.attachment_id, n.config ->> 'imageAttachmentId') END)`,
      isNodeId: true,
    },
    fileName: { type: 'string', sql: `nullif(n.config -> 'file' ->> 'name', '')` },
    fileSize: { type: 'number', sql: `(n.config -> 'file' ->> 'size')::double precision` },
    mimeType: { type: 'string', sql: `(n.config -> 'file' ->> 'mimeType')` },
    fileUrl: { type: 'hidden' },
    filePreviewUrl: { type: 'hidden' },
  };
}
