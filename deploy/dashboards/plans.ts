// What each dashboard shows: an overview, and one for each service.
import { type DashboardPlan, HERE, highest, percentiles, type Row, rate, slowest, total } from './panels.ts';
import { answeredCalls, database, madeCalls, processes, readers } from './rows.ts';

const one = (expr: string, legend: string) => ({ expr, legend });
const HTTP = 'http_server_request_duration_seconds';
const OURS = ', http_response_status_code=~"5.."';

const OVERVIEW: readonly Row[] = [
  {
    title: 'What is wrong',
    panels: [
      {
        title: 'Alerts that fire',
        unit: 'short',
        queries: [one('sum by (alertname) (ALERTS{alertname=~"Catchment.*", alertstate="firing"})', '{{alertname}}')],
      },
      {
        title: 'Objectives: failures of the last hour',
        unit: 'percentunit',
        about: 'What may fail in 30 days: 0.1 % of the writes, 1 % of the reads and of the records.',
        queries: [
          one('max(catchment:write_availability_failures:ratio_rate1h{namespace=~"$namespace"})', 'writes that failed'),
          one('max(catchment:read_latency_failures:ratio_rate1h{namespace=~"$namespace"})', 'reads above 1 s'),
          one('max(catchment:visible_lag_failures:ratio_rate1h{namespace=~"$namespace"})', 'records later than 2 s'),
        ],
      },
      {
        title: 'Processes that are ready',
        unit: 'short',
        queries: [total('catchment_ready', 'service')],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      { title: 'Requests', unit: 'reqps', queries: [rate(`${HTTP}_count`, 'http_response_status_code')] },
      { title: 'Errors of ours, by route', unit: 'reqps', queries: [rate(`${HTTP}_count`, 'http_route', OURS)] },
      { title: 'Duration', unit: 's', queries: percentiles(HTTP) },
    ],
  },
  {
    title: 'Records',
    panels: [
      {
        title: 'Records',
        unit: 'cps',
        about:
          'Accepted: validated. Durable: the log has them. Written: InfluxDB has them. The three follow each other.',
        queries: [
          one(`sum(rate(catchment_records_accepted_total{${HERE}}[$__rate_interval]))`, 'accepted'),
          one(`sum(rate(catchment_records_durable_total{${HERE}}[$__rate_interval]))`, 'durable'),
          one(`sum(rate(catchment_records_written_total{${HERE}}[$__rate_interval]))`, 'written'),
        ],
      },
      {
        title: 'From accepted to visible',
        unit: 's',
        about: 'Objective: 99 % within 2 s.',
        queries: percentiles('catchment_visible_lag_seconds'),
      },
      {
        title: 'Readers: age of the oldest message',
        unit: 's',
        queries: [highest('catchment_reader_oldest_seconds', 'reader')],
      },
    ],
  },
  {
    title: 'What it stands on',
    panels: [
      {
        title: 'Streams, share of their limit',
        unit: 'percentunit',
        max: 1,
        about: 'DOMAIN drops its oldest messages by design and may be full.',
        queries: [
          one(
            `max by (stream) (catchment_stream_bytes{${HERE}}) / max by (stream) (catchment_stream_limit_bytes{${HERE}} > 0)`,
            '{{stream}}',
          ),
        ],
      },
      {
        title: 'Reached',
        unit: 'short',
        max: 1,
        queries: [highest('catchment_dependency_up', 'dependency'), highest('catchment_shard_up', 'shard')],
      },
      {
        title: 'Databases, 99th percentile',
        unit: 's',
        queries: [slowest('db_client_operation_duration_seconds', 'db_system_name, shard')],
      },
    ],
  },
  {
    title: 'In and out',
    panels: [
      { title: 'Connected devices', unit: 'short', queries: [total('catchment_connections', 'protocol')] },
      {
        title: 'Acquisitions',
        unit: 'ops',
        queries: [rate('catchment_acquisitions_total', 'transport, outcome')],
      },
      {
        title: 'Alarms and notifications',
        unit: 'ops',
        queries: [
          { ...rate('catchment_alarm_transitions_total', 'to'), legend: 'alarm {{to}}' },
          rate('catchment_notifications_total', 'channel, outcome'),
        ],
      },
      { title: 'Dead letters', unit: 'ops', queries: [rate('catchment_dead_letters_total', 'reader')] },
      {
        title: 'Programs: age of the oldest unread batch',
        unit: 's',
        queries: [one(`max(catchment_oldest_unprocessed_seconds{${HERE}})`, 'oldest')],
      },
      {
        title: 'Age of the last backup',
        unit: 's',
        queries: [one(`time() - max(catchment_backup_last_success_timestamp_seconds{${HERE}})`, 'last good backup')],
      },
    ],
  },
];

const GATEWAY: readonly Row[] = [
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests, by route',
        unit: 'reqps',
        queries: [rate(`${HTTP}_count`, 'http_request_method, http_route')],
      },
      {
        title: 'Errors of ours',
        unit: 'reqps',
        queries: [rate(`${HTTP}_count`, 'http_route, http_response_status_code', OURS)],
      },
      {
        title: 'Refused',
        unit: 'reqps',
        queries: [rate(`${HTTP}_count`, 'http_response_status_code', ', http_response_status_code=~"4.."')],
      },
      { title: 'Duration, 99th percentile', unit: 's', queries: [slowest(HTTP, 'http_route')] },
      {
        title: 'Records: writes and reads',
        unit: 's',
        about: 'Objective: 99 % of the reads within a second.',
        queries: percentiles(HTTP, 'http_request_method', ', http_route=~".*/historic"'),
      },
      {
        title: 'Clients of streams',
        unit: 'short',
        queries: [one(`sum(catchment_push_clients{${HERE}})`, 'clients')],
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
        title: 'Records',
        unit: 'cps',
        queries: [
          one(`sum(rate(catchment_records_accepted_total{${HERE}}[$__rate_interval]))`, 'accepted'),
          one(`sum(rate(catchment_records_durable_total{${HERE}}[$__rate_interval]))`, 'durable'),
          { ...rate('catchment_records_written_total', 'shard'), legend: 'written, {{shard}}' },
        ],
      },
      { title: 'From accepted to visible', unit: 's', queries: percentiles('catchment_visible_lag_seconds') },
      {
        title: 'Log: bytes of its limit',
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
        title: 'Operations',
        unit: 'ops',
        queries: [rate('db_client_operation_duration_seconds_count', 'shard, db_operation_name', INFLUX)],
      },
      {
        title: 'Operations that failed',
        unit: 'ops',
        queries: [rate('db_client_operation_duration_seconds_count', 'shard, error_type', `${INFLUX}, error_type!=""`)],
      },
      {
        title: 'Duration, 99th percentile',
        unit: 's',
        queries: [slowest('db_client_operation_duration_seconds', 'shard, db_operation_name', INFLUX)],
      },
      { title: 'Shards that answer', unit: 'short', max: 1, queries: [highest('catchment_shard_up', 'shard')] },
      {
        title: 'Log: room of shards, of what they may have',
        unit: 'percentunit',
        queries: [highest('catchment_shard_log_used', 'shard')],
      },
      { title: 'Workspaces of shards', unit: 'short', queries: [highest('catchment_shard_workspaces', 'shard')] },
      { title: 'Moves between shards', unit: 'short', queries: [highest('catchment_shard_moves', 'state')] },
    ],
  },
  answeredCalls('historic'),
  readers('historic'),
  database('historic'),
  madeCalls('historic'),
  processes('historic'),
];

const ordinary = (service: string, own: readonly Row[]): readonly Row[] => [
  ...own,
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
      { title: 'Notifications', unit: 'ops', queries: [rate('catchment_notifications_total', 'channel, outcome')] },
      {
        title: 'Backups: age of the last one',
        unit: 's',
        queries: [one(`time() - max(catchment_backup_last_success_timestamp_seconds{${HERE}})`, 'last good backup')],
      },
      {
        title: 'Backups: size of the last one',
        unit: 'bytes',
        queries: [one(`max(catchment_backup_last_size_bytes{${HERE}})`, 'size')],
      },
    ],
  },
];

const ALARMS: readonly Row[] = [
  {
    title: 'Alarms',
    panels: [
      {
        title: 'Transitions',
        unit: 'ops',
        queries: [rate('catchment_alarm_transitions_total', 'alarm_type, to')],
      },
    ],
  },
];

const EVENTS: readonly Row[] = [
  {
    title: 'Webhooks',
    panels: [{ title: 'Deliveries', unit: 'ops', queries: [rate('catchment_webhook_deliveries_total', 'outcome')] }],
  },
];

const DEVICES: readonly Row[] = [
  {
    title: 'Devices and sources',
    panels: [
      { title: 'Connections', unit: 'short', queries: [total('catchment_connections', 'protocol')] },
      { title: 'Acquisitions', unit: 'ops', queries: [rate('catchment_acquisitions_total', 'transport, outcome')] },
    ],
  },
];

const RENDER: readonly Row[] = [
  {
    title: 'Pictures and documents',
    panels: [{ title: 'Renders', unit: 'ops', queries: [rate('catchment_renders_total', 'kind, outcome')] }],
  },
  answeredCalls('render'),
  madeCalls('render'),
  processes('render'),
];

const PROCESSING: readonly Row[] = [
  {
    title: 'Programs',
    panels: [
      { title: 'Runs', unit: 'ops', queries: [rate('catchment_processing_runs_total', 'outcome')] },
      {
        title: 'Age of the oldest unread batch',
        unit: 's',
        queries: [one(`max(catchment_oldest_unprocessed_seconds{${HERE}})`, 'oldest')],
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
