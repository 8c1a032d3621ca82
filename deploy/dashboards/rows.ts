// Rows that several dashboards have.
import { HERE, highest, orZero, percentiles, type Row, rate, slowest } from './panels.ts';

/** Shows what Prometheus knows of the processes of a service. */
export const processes = (service: string): Row => {
  const where = `, service="${service}"`;
  const each = '{{instance}}';
  return {
    title: 'Processes',
    panels: [
      {
        title: 'Processes, scraped and ready',
        about: 'Processes that Prometheus reaches, those that take work, and whether one of them reaches each server.',
        unit: 'short',
        queries: [
          { expr: orZero(`sum(up{${HERE}${where}})`), legend: 'scraped' },
          { expr: orZero(`sum(catchment_ready{${HERE}${where}})`), legend: 'ready' },
          { ...highest('catchment_dependency_up', 'dependency', where), legend: 'reaches {{dependency}}' },
        ],
      },
      {
        title: 'Processor',
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
        title: 'Starts within an hour',
        about: 'Changes of the time at which a process was started. Normal: 0.',
        unit: 'short',
        queries: [{ expr: `changes(process_start_time_seconds{${HERE}${where}}[1h])`, legend: each }],
      },
    ],
  };
};

/** Shows gRPC calls that a service answers. */
export const answeredCalls = (service: string): Row => {
  const where = `, service="${service}"`;
  return {
    title: 'Calls that it answers',
    panels: [
      {
        title: 'Answered calls',
        about: 'By method.',
        unit: 'reqps',
        queries: [rate('rpc_server_call_duration_seconds_count', 'rpc_method', where)],
      },
      {
        title: 'Answered calls that failed',
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
        title: 'Answered calls, 99th percentile',
        about: 'By method; streams until their end.',
        unit: 's',
        queries: [slowest('rpc_server_call_duration_seconds', 'rpc_method', where)],
      },
    ],
  };
};

/** Shows gRPC calls that a service makes. */
export const madeCalls = (service: string): Row => {
  const where = `, service="${service}"`;
  return {
    title: 'Calls to other services',
    panels: [
      {
        title: 'Calls that it makes',
        about: 'By the service that is called.',
        unit: 'reqps',
        queries: [rate('rpc_client_call_duration_seconds_count', 'rpc_service', where)],
      },
      {
        title: 'Calls that it makes and that failed',
        about: 'By our fault: codes 2, 4, 13, 14 and 15.',
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
        title: 'Calls that it makes, 99th percentile',
        about: 'By the service that is called.',
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
        title: 'Batches of messages handled',
        about: 'By reader.',
        unit: 'ops',
        queries: [rate('messaging_process_duration_seconds_count', 'messaging_consumer_group_name', where)],
      },
      {
        title: 'Batches that failed',
        about: 'By reader and kind of failure; each is tried again.',
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
        title: 'Work on a batch, 99th percentile',
        about: 'By reader.',
        unit: 's',
        queries: [slowest('messaging_process_duration_seconds', 'messaging_consumer_group_name', where)],
      },
      {
        title: 'Messages that wait',
        about: 'Not finished by a reader, over all partitions.',
        unit: 'short',
        queries: [highest('catchment_reader_pending', 'stream, reader', where)],
      },
      {
        title: 'Age of the oldest message',
        about: 'Normal: below a second; an alert reports five minutes.',
        unit: 's',
        queries: [highest('catchment_reader_oldest_seconds', 'stream, reader', where)],
      },
      {
        title: 'Dead letters',
        about: 'Messages that were put aside. Normal: none.',
        unit: 'ops',
        queries: [rate('catchment_dead_letters_total', 'reader', where)],
      },
    ],
  };
};

const outbox = (service: string): Row['panels'][number] => ({
  title: 'Outbox: age of the oldest change',
  unit: 's',
  about: 'Changes that were not announced to other services yet. Normal: below a second.',
  queries: [{ expr: orZero(`max(catchment_outbox_oldest_seconds{${HERE}, service="${service}"})`), legend: 'oldest' }],
});

/** Shows statements on PostgreSQL, the clock against it, and the outbox, which every service has that changes what others know. */
export const database = (service: string, { hasOutbox = true } = {}): Row => {
  const ofService = `, service="${service}"`;
  const where = `${ofService}, db_system_name="postgresql"`;
  return {
    title: 'PostgreSQL',
    panels: [
      {
        title: 'Statements',
        about: 'By their kind, and those that failed.',
        unit: 'ops',
        queries: [
          rate('db_client_operation_duration_seconds_count', 'db_operation_name', where),
          {
            ...rate('db_client_operation_duration_seconds_count', 'error_type', `${where}, error_type!=""`),
            legend: 'failed: {{error_type}}',
          },
        ],
      },
      {
        title: 'Statements, duration',
        unit: 's',
        about: 'Median and 99th percentile.',
        queries: percentiles('db_client_operation_duration_seconds', '', where),
      },
      {
        title: 'Clock, beside those of PostgreSQL and NATS',
        about: 'The largest difference. Normal: some milliseconds; an alert reports two seconds.',
        unit: 's',
        queries: [
          {
            expr: orZero(`max by (against) (abs(catchment_clock_skew_seconds{${HERE}${ofService}}))`),
            legend: '{{against}}',
          },
        ],
      },
      ...(hasOutbox ? [outbox(service)] : []),
    ],
  };
};
