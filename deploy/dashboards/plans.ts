// Plans what each dashboard shows: the overview, and a dashboard for each service.
import { OVERVIEW } from './overview.ts';
import { type DashboardPlan, HERE, highest, orZero, percentiles, type Row, rate, slowest, total } from './panels.ts';
import { answeredCalls, database, madeCalls, processes, readers } from './rows.ts';

const query = (expr: string, legend: string) => ({ expr, legend });
const HTTP = 'http_server_request_duration_seconds';
const OURS = ', http_response_status_code=~"5.."';

const GATEWAY: readonly Row[] = [
  {
    title: 'Requests over HTTP',
    panels: [
      {
        title: 'Requests, by route',
        about: 'All requests of people, programs and devices over HTTP.',
        unit: 'reqps',
        queries: [rate(`${HTTP}_count`, 'http_request_method, http_route')],
      },
      {
        title: 'Errors of ours',
        about: 'Answers 5xx, by route. Normal: none.',
        unit: 'reqps',
        queries: [rate(`${HTTP}_count`, 'http_route, http_response_status_code', OURS)],
      },
      {
        title: 'Refused requests',
        about: 'Answers 4xx: what callers did wrong, or too often (429).',
        unit: 'reqps',
        queries: [rate(`${HTTP}_count`, 'http_response_status_code', ', http_response_status_code=~"4.."')],
      },
      {
        title: 'Requests, 99th percentile',
        unit: 's',
        about: 'By route; streams and exports take as long as they are large.',
        queries: [slowest(HTTP, 'http_route')],
      },
      {
        title: 'Writes and reads of records',
        unit: 's',
        about: 'Objective: 99 % of the reads within a second.',
        queries: percentiles(HTTP, 'http_request_method', ', http_route=~".*/historic"'),
      },
      {
        title: 'Clients of streams',
        about: 'Open streams of events, nodes and pages.',
        unit: 'short',
        queries: [query(orZero(`sum(catchment_push_clients{${HERE}})`), 'clients')],
      },
    ],
  },
  madeCalls('gateway'),
  processes('gateway'),
];

const INFLUX = ', db_system_name="influxdb"';
const HISTORIC: readonly Row[] = [
  {
    title: 'Records',
    panels: [
      {
        title: 'Records accepted, durable, written',
        about: 'The three follow each other; written by shard.',
        unit: 'cps',
        queries: [
          query(orZero(`sum(rate(catchment_records_accepted_total{${HERE}}[$__rate_interval]))`), 'accepted'),
          query(orZero(`sum(rate(catchment_records_durable_total{${HERE}}[$__rate_interval]))`), 'durable'),
          { ...rate('catchment_records_written_total', 'shard'), legend: 'written, {{shard}}' },
        ],
      },
      {
        title: 'From accepted to visible',
        unit: 's',
        about: 'Median and 99th percentile. Objective: 99 % within 2 s.',
        queries: percentiles('catchment_visible_lag_seconds'),
      },
      {
        title: 'Log: bytes of its limit',
        about: 'What waits for readers, and the room that there is.',
        unit: 'bytes',
        queries: [
          highest('catchment_stream_bytes', 'stream', ', stream=~"INGEST|APPLIED"'),
          {
            ...highest('catchment_stream_limit_bytes', 'stream', ', stream=~"INGEST|APPLIED"'),
            legend: 'limit of {{stream}}',
          },
        ],
      },
    ],
  },
  {
    title: 'InfluxDB',
    panels: [
      {
        title: 'Operations on InfluxDB',
        about: 'Writes and queries, by shard.',
        unit: 'ops',
        queries: [rate('db_client_operation_duration_seconds_count', 'shard, db_operation_name', INFLUX)],
      },
      {
        title: 'Operations on InfluxDB that failed',
        about: 'Each is tried again. Normal: none.',
        unit: 'ops',
        queries: [rate('db_client_operation_duration_seconds_count', 'shard, error_type', `${INFLUX}, error_type!=""`)],
      },
      {
        title: 'Operations on InfluxDB, 99th percentile',
        about: 'By shard and kind.',
        unit: 's',
        queries: [slowest('db_client_operation_duration_seconds', 'shard, db_operation_name', INFLUX)],
      },
      {
        title: 'Shards that answer',
        about: '1: it answers, 0: it does not.',
        unit: 'short',
        max: 1,
        queries: [highest('catchment_shard_up', 'shard')],
      },
      {
        title: 'Log: room of shards, of what they may have',
        about: 'From 1 on writes to the workspaces of a shard are refused.',
        unit: 'percentunit',
        queries: [highest('catchment_shard_log_used', 'shard')],
      },
      {
        title: 'Workspaces of shards',
        about: 'Those whose new series go to a shard; none without further InfluxDBs.',
        unit: 'short',
        queries: [highest('catchment_shard_workspaces', 'shard')],
      },
      {
        title: 'Moves between shards',
        about: 'Of the last month, by their state.',
        unit: 'short',
        queries: [highest('catchment_shard_moves', 'state')],
      },
    ],
  },
  answeredCalls('historic'),
  readers('historic'),
  database('historic', { hasOutbox: false }),
  madeCalls('historic'),
  processes('historic'),
];

const ordinary = (service: string, serviceRows: readonly Row[]): readonly Row[] => [
  ...serviceRows,
  answeredCalls(service),
  readers(service),
  database(service, { hasOutbox: service !== 'events' }),
  madeCalls(service),
  processes(service),
];

const NODES: readonly Row[] = [
  {
    title: 'Notifications and backups',
    panels: [
      {
        title: 'Tries to notify',
        about: 'By channel and outcome.',
        unit: 'ops',
        queries: [rate('catchment_notifications_total', 'channel, outcome')],
      },
      {
        title: 'Age of the last backup',
        about: 'Normal: below 26 hours.',
        unit: 's',
        queries: [
          query(orZero(`time() - max(catchment_backup_last_success_timestamp_seconds{${HERE}})`), 'last good backup'),
        ],
      },
      {
        title: 'Size of the last backup',
        about: 'With what it needs of earlier ones.',
        unit: 'bytes',
        queries: [query(orZero(`max(catchment_backup_last_size_bytes{${HERE}})`), 'size')],
      },
    ],
  },
];

const ALARMS: readonly Row[] = [
  {
    title: 'Alarms',
    panels: [
      {
        title: 'Changes of alarms',
        about: 'By what they have become.',
        unit: 'ops',
        queries: [rate('catchment_alarm_transitions_total', 'alarm_type, to')],
      },
    ],
  },
];

const EVENTS: readonly Row[] = [
  {
    title: 'Webhooks',
    panels: [
      {
        title: 'Deliveries to webhooks',
        about: 'By outcome; those that failed are tried again.',
        unit: 'ops',
        queries: [rate('catchment_webhook_deliveries_total', 'outcome')],
      },
    ],
  },
];

const DEVICES: readonly Row[] = [
  {
    title: 'Devices and sources',
    panels: [
      {
        title: 'Connections of devices',
        about: 'By what they speak.',
        unit: 'short',
        queries: [total('catchment_connections', 'protocol')],
      },
      {
        title: 'Acquisitions',
        about: 'Sessions, files and mails, by how they ended.',
        unit: 'ops',
        queries: [rate('catchment_acquisitions_total', 'transport, outcome')],
      },
    ],
  },
];

const RENDER: readonly Row[] = [
  {
    title: 'Pictures and documents',
    panels: [
      {
        title: 'Pictures and documents made',
        about: 'By kind and outcome.',
        unit: 'ops',
        queries: [rate('catchment_renders_total', 'kind, outcome')],
      },
    ],
  },
  answeredCalls('render'),
  madeCalls('render'),
  processes('render'),
];

const PROCESSING: readonly Row[] = [
  {
    title: 'Programs',
    panels: [
      {
        title: 'Runs of programs',
        about: 'By outcome.',
        unit: 'ops',
        queries: [rate('catchment_processing_runs_total', 'outcome')],
      },
      {
        title: 'Age of the oldest unread batch',
        about: 'How long the program that waits longest has had records to read. Normal: some seconds.',
        unit: 's',
        queries: [query(orZero(`max(catchment_oldest_unprocessed_seconds{${HERE}})`), 'oldest')],
      },
    ],
  },
];

export const DASHBOARDS: readonly DashboardPlan[] = [
  { name: 'overview', title: 'overview', rows: OVERVIEW },
  { name: 'gateway', title: 'gateway', rows: GATEWAY },
  { name: 'nodes', title: 'nodes', rows: ordinary('nodes', NODES) },
  { name: 'historic', title: 'historic', rows: HISTORIC },
  { name: 'alarms', title: 'alarms', rows: ordinary('alarms', ALARMS) },
  { name: 'events', title: 'events', rows: ordinary('events', EVENTS) },
  { name: 'devices', title: 'devices', rows: ordinary('devices', DEVICES) },
  { name: 'render', title: 'render', rows: RENDER },
  { name: 'processing', title: 'processing', rows: ordinary('processing', PROCESSING) },
];
