export {
  type ArgumentsOf,
  type ArgumentTable,
  argumentReader,
  readArguments,
} from './argument.ts';
export { type AttrSelector, parseAttr, selectAttributes, selects } from './attr.ts';
export {
  type ColumnDef,
  type Columns,
  jsonbVariable,
  type ScalarColumn,
  type TimeColumn,
} from './columns.ts';
export { compileFilter } from './compile-filter.ts';
export { compileSort } from './compile-sort.ts';
export { customIdsOf } from './custom-ids.ts';
export {
  type Filter,
  parseFilter,
} from './filter.ts';
export { parseColumnParams, parseNodeParams } from './node-params.ts';
export { parseSort, type Sort } from './sort.ts';
export {
  ALARM_CHOICE,
  ALARM_LIST,
  ALARM_TYPES,
  ALARMS_MAX,
  type AlarmType,
  alarmTypesOf,
  hasAlarm,
  isOnByDefault,
  RAISED_STATES,
} from './tables/alarms.ts';
export {
  CONTACT_WAYS,
  type ContactWay,
  DIAGNOSIS_ADVICE,
  DIAGNOSIS_STATES,
  type DiagnosisAdvice,
  type DiagnosisState,
  SHARED_WAYS,
  type SharedWay,
} from './tables/diagnosis.ts';
export {
  EVENT_ALARM_STATES,
  EVENT_LEVELS,
  EVENT_LIST,
  EVENT_MESSAGE_MAX,
  EVENT_TYPES,
  EVENTS_MAX,
} from './tables/events.ts';
export {
  AGGREGATE_SYNONYMS,
  AGGREGATES,
  AGGREGATES_OF_ANYTHING,
  AGGREGATES_OF_RECORDS,
  ANNOTATION_MAX,
  CHART,
  CHART_MANY,
  COLUMN,
  EXPORT_ARGUMENTS,
  IMAGE_FORMATS,
  IMPORT_FORMATS,
  type ImportFormat,
  INTERVAL_AGGREGATES,
  NOTIFY_ON,
  PERCENTILE_RANGE,
  PLACEMENTS,
  percentileText,
  READ_FORMATS,
  READING,
  READING_MANY,
  readZone,
  WRITE_MODES,
  WRITE_STATE,
  WRITING,
  WRITING_MANY,
} from './tables/historic.ts';
export {
  ACCESS_LIST,
  ATTR,
  FILE_HAND_OVER,
  FILE_LINK,
  LIST_MAX,
  NODE_CHILDREN,
  NODE_CLONE,
  NODE_LIST,
  NODE_READ,
  NODE_SEARCH,
  OWNER_NOTIFY,
  OWNER_UPDATE,
  PAGED_LIST,
  RATING_READ,
  RATING_WRITE,
  SEARCH_MAX,
  SECURITY_NOTIFY,
  STREAM,
  SUBSCRIBERS,
  UPLINK,
} from './tables/lists.ts';
export { ALL_ACCOUNTS, DEAD_LETTERS } from './tables/operator.ts';
export {
  CHART_PREVIEW,
  PAGE,
  PAGE_PREVIEW,
  PUBLIC_CHART_FORMAT,
  PUBLIC_HISTORIC_FORMAT,
  TILE,
  TILE_IMAGE,
} from './tables/pages.ts';
export { REPORT, REPORT_PREVIEW, REPORT_WAIT_MS } from './tables/reports.ts';
export { DELIVERIES, DELIVERY_KINDS, DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK } from './tables/webhooks.ts';
