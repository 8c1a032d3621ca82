// Rows that several dashboards have.
import { HERE, highest, percentiles, type Row, rate, slowest } from './panels.ts';

/** What Prometheus knows of the processes of a service. */
export const processes = (service: string): Row => {
  const where = `, service="${service}"`;
  const each = '{{instance}}';
  return {
    title: 'Processes',
    panels: [
      {
        title: 'Scraped and ready',
        unit: 'short',
        queries: [
          { expr: `sum(up{${HERE}${where}})`, legend: 'scraped' },
          { expr: `sum(catchment_ready{${HERE}${where}})`, legend: 'ready' },
          { ...highest('catchment_dependency_up', 'dependency', where), legend: 'reaches {{dependency}}' },
        ],
      },
      {
        title: 'CPU',
        unit: 'short',
        about: 'Cores that are used.',
        queries: [{ expr: `rate(process_cpu_seconds_total{${HERE}${where}}[$__rate_interval])`, legend: each }],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        about: 'Of the process and its children: browsers, runners of programs.',
        queries: [
          { expr: `catchment_memory_used_bytes{${HERE}${where}}`, legend: each },
          { expr: `min(catchment_memory_limit_bytes{${HERE}${where}} > 0)`, legend: 'limit' },
        ],
      },
      {
        title: 'Event loop, longest delays',
        unit: 's',
        about: 'Of the last minute. Meanwhile the process answers nobody. Normal: below 0.1 s.',
        queries: [{ expr: `catchment_event_loop_longest_delay_seconds{${HERE}${where}}`, legend: each }],
      },
      {
        title: 'Starts',
        unit: 'short',
        queries: [{ expr: `changes(process_start_time_seconds{${HERE}${where}}[1h])`, legend: each }],
      },
    ],
  };
};

/** gRPC calls that a service answers. */
export const answeredCalls = (service: string): Row => {
  const where = `, service="${service}"`;
  return {
    title: 'Calls that it answers',
    panels: [
      { title: 'Calls', unit: 'reqps', queries: [rate('rpc_server_call_duration_seconds_count', 'rpc_method', where)] },
      {
        title: 'Calls that failed',
        unit: 'reqps',
        about: 'Code 14: unavailable, 4: too slow, 13: a mistake of ours, 8: too much at once.',
        queries: [
          rate(
            'rpc_server_call_duration_seconds_count',
            'rpc_method, rpc_grpc_status_code',
            `${where}, rpc_grpc_status_code!="0"`,
          ),
        ],
      },
      {
        title: 'Duration, 99th percentile',
        unit: 's',
        queries: [slowest('rpc_server_call_duration_seconds', 'rpc_method', where)],
      },
    ],
  };
};

/** gRPC calls that a service makes. */
export const madeCalls = (service: string): Row => {
  const where = `, service="${service}"`;
  return {
    title: 'Calls to other services',
    panels: [
      {
        title: 'Calls',
        unit: 'reqps',
        queries: [rate('rpc_client_call_duration_seconds_count', 'rpc_service', where)],
      },
      {
        title: 'Calls that failed',
        unit: 'reqps',
        queries: [
          rate(
            'rpc_client_call_duration_seconds_count',
            'rpc_service, rpc_grpc_status_code',
            `${where}, rpc_grpc_status_code=~"2|4|13|14|15"`,
          ),
        ],
      },
      {
        title: 'Duration, 99th percentile',
        unit: 's',
        queries: [slowest('rpc_client_call_duration_seconds', 'rpc_service', where)],
      },
    ],
  };
};

/** Readers of a service. */
export const readers = (service: string): Row => {
  const where = `, service="${service}"`;
  return {
    title: 'Readers',
    panels: [
      {
        title: 'Messages handled',
        unit: 'ops',
        queries: [rate('messaging_process_duration_seconds_count', 'messaging_consumer_group_name', where)],
      },
      {
        title: 'Attempts that failed',
        unit: 'ops',
        queries: [
          rate(
            'messaging_process_duration_seconds_count',
            'messaging_consumer_group_name, error_type',
            `${where}, error_type!=""`,
          ),
        ],
      },
      {
        title: 'Handling, 99th percentile',
        unit: 's',
        queries: [slowest('messaging_process_duration_seconds', 'messaging_consumer_group_name', where)],
      },
      {
        title: 'Messages that wait',
        unit: 'short',
        queries: [highest('catchment_reader_pending', 'stream, reader', where)],
      },
      {
        title: 'Age of the oldest one',
        unit: 's',
        queries: [highest('catchment_reader_oldest_seconds', 'stream, reader', where)],
      },
      { title: 'Dead letters', unit: 'ops', queries: [rate('catchment_dead_letters_total', 'reader', where)] },
    ],
  };
};

const outbox = (service: string): Row['panels'][number] => ({
  title: 'Outbox: age of the oldest change',
  unit: 's',
  about: 'Changes that other services have not been told of. Normal: below a second.',
  queries: [{ expr: `max(catchment_outbox_oldest_seconds{${HERE}, service="${service}"})`, legend: 'oldest' }],
});

/** Statements on PostgreSQL, the clock against it, and the outbox, which every service has that changes what others know. */
export const database = (service: string, { hasOutbox = true } = {}): Row => {
  const own = `, service="${service}"`;
  const where = `${own}, db_system_name="postgresql"`;
  return {
    title: 'PostgreSQL',
    panels: [
      {
        title: 'Operations',
        unit: 'ops',
        queries: [
          rate('db_client_operation_duration_seconds_count', 'db_operation_name', where),
          {
            ...rate('db_client_operation_duration_seconds_count', 'error_type', `${where}, error_type!=""`),
            legend: 'failed: {{error_type}}',
          },
        ],
      },
      { title: 'Duration', unit: 's', queries: percentiles('db_client_operation_duration_seconds', '', where) },
      {
        title: 'Clock, against PostgreSQL and NATS',
        unit: 's',
        queries: [
          { expr: `max by (against) (abs(catchment_clock_skew_seconds{${HERE}${own}}))`, legend: '{{against}}' },
        ],
      },
      ...(hasOutbox ? [outbox(service)] : []),
    ],
  };
};
