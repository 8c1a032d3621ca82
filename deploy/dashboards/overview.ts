// The overview shows whether it is fine, in a second; below, what goes in and out.
import { HERE, highest, orZero, percentiles, RECORDED, type Row, rate, slowest, total } from './panels.ts';

const query = (expr: string, legend: string) => ({ expr, legend });
const HTTP = 'http_server_request_duration_seconds';
const NEVER = 1e9;
/** Services are gateway, nodes, historic, alarms, events, devices, render, processing. */
const SERVICES = 8;

const firing = (severity: string) =>
  orZero(`count(ALERTS{alertname=~"Catchment.*", alertstate="firing", severity="${severity}", ${RECORDED}})`);

/** A person's question names each. Each leads to the page that says what to do. */
export const STATES: Row = {
  title: 'Is it fine?',
  panels: [
    {
      title: 'Alerts that wake somebody',
      unit: 'short',
      about: 'Alerts of severity critical that fire. Normal: 0. The list of the runbook says with which to begin.',
      queries: [query(firing('critical'), 'critical')],
      red: 1,
      runbook: 'README',
    },
    {
      title: 'Alerts that wait for the morning',
      unit: 'short',
      about: 'Alerts of severity warning that fire. Normal: 0.',
      queries: [query(firing('warning'), 'warning')],
      orange: 1,
      runbook: 'README',
    },
    {
      title: 'Services without a ready process',
      unit: 'short',
      about: `Of the ${SERVICES} services of an installation. Normal: 0. One whose old pods serve beside new ones that crash is not among them: see «Processes started anew».`,
      queries: [
        query(
          `${SERVICES} * count(count by (namespace) (catchment_ready{${HERE}})) - (count(max by (namespace, service) (catchment_ready{${HERE}}) == 1) or on() vector(0)) or on() vector(${SERVICES})`,
          'not ready',
        ),
      ],
      red: 1,
      runbook: 'CatchmentServiceNotReady',
    },
    {
      title: 'Processes started anew',
      unit: 'short',
      about:
        'Starts of processes within the last quarter of an hour, after their first. Normal: 0, and one for each process of an upgrade.',
      queries: [
        query(
          orZero(`sum(changes(process_start_time_seconds{${HERE}}[15m]) / catchment_process_services{${HERE}})`),
          'starts',
        ),
      ],
      orange: 1,
      red: 3,
      runbook: 'CatchmentRestartLoop',
    },
    {
      title: 'Servers that are away',
      unit: 'short',
      about: 'PostgreSQL, NATS, and each InfluxDB, that no process reaches. Normal: 0.',
      queries: [
        query(
          `(count(max by (namespace, dependency) (catchment_dependency_up{${HERE}}) == 0) or on() vector(0)) + (count(max by (namespace, shard) (catchment_shard_up{${HERE}}) == 0) or on() vector(0))`,
          'away',
        ),
      ],
      red: 1,
      runbook: 'CatchmentDependencyDown',
    },
    {
      title: 'Writes that a store refused',
      unit: 'short',
      about:
        'Within five minutes, by PostgreSQL, a stream of NATS or an InfluxDB: full, silent, or another reason. Normal: 0.',
      queries: [query(orZero(`sum(increase(catchment_writes_refused_total{${HERE}}[5m]))`), 'refused')],
      red: 1,
      runbook: 'CatchmentWritesRefused',
    },
    {
      title: 'Fullest volume or stream',
      unit: 'percentunit',
      about:
        'The fullest of the volumes that Kubernetes reports, the storage of NATS, and its streams that refuse when they are full. Normal: below 70 %.',
      queries: [
        query(
          orZero(
            `max(label_replace(max(1 - kubelet_volume_stats_available_bytes{${RECORDED}} / (kubelet_volume_stats_capacity_bytes{${RECORDED}} > 0)), "of", "volumes", "", "") or label_replace(max(catchment_store_bytes{${HERE}} / (catchment_store_limit_bytes{${HERE}} > 0)), "of", "nats", "", "") or label_replace(max(catchment_stream_bytes{${HERE}, stream=~"INGEST|APPLIED|NOTIFICATIONS"} / (catchment_stream_limit_bytes{${HERE}} > 0)), "of", "streams", "", ""))`,
          ),
          'full',
        ),
      ],
      orange: 0.8,
      red: 0.95,
      runbook: 'CatchmentVolumeFull',
    },
    {
      title: 'Requests that failed by our fault',
      unit: 'percentunit',
      about: 'Share of the answers 5xx within five minutes. Normal: 0; from 5 % on somebody is woken.',
      queries: [
        query(
          orZero(
            `(sum(rate(${HTTP}_count{${HERE}, http_response_status_code=~"5.."}[5m])) or on() vector(0)) / (sum(rate(${HTTP}_count{${HERE}}[5m])) > 0)`,
          ),
          '5xx',
        ),
      ],
      orange: 0.01,
      red: 0.05,
      runbook: 'CatchmentHttpErrors',
    },
    {
      title: 'Oldest message that waits',
      unit: 's',
      about: 'Of all readers of the streams: how late records, alarms, events and mails are. Normal: below a second.',
      queries: [query(orZero(`max(catchment_reader_oldest_seconds{${HERE}})`), 'oldest')],
      orange: 60,
      red: 300,
      runbook: 'CatchmentReaderStuck',
    },
    {
      title: 'Dead letters of a day',
      unit: 'short',
      about: 'Messages that a reader could not handle and has put aside. Normal: 0.',
      queries: [query(orZero(`sum(increase(catchment_dead_letters_total{${HERE}}[1d]))`), 'letters')],
      orange: 1,
      runbook: 'CatchmentDeadLetters',
    },
    {
      title: 'Age of the last good backup',
      unit: 's',
      about: 'Normal: below 26 hours. «never»: nobody has made one.',
      queries: [
        query(
          `(time() - max(catchment_backup_last_success_timestamp_seconds{${HERE}})) or on() vector(${NEVER})`,
          'last',
        ),
      ],
      red: 26 * 3_600,
      runbook: 'CatchmentBackupMissing',
      text: { from: NEVER, shown: 'never', color: 'red' as const },
    },
    {
      title: 'First certificate to end',
      unit: 's',
      about:
        'Of the files that settings name: listeners, authorities, client certificates. «none»: no setting names one.',
      queries: [query(`min(catchment_certificate_remaining_seconds{${HERE}}) or on() vector(${NEVER})`, 'left')],
      isBetterHigh: true,
      orange: 21 * 86_400,
      red: 3 * 86_400,
      runbook: 'CatchmentCertificateEnds',
      text: { from: NEVER, shown: 'none', color: 'green' as const },
    },
  ],
};

export const OVERVIEW: readonly Row[] = [
  STATES,
  {
    title: 'Requests and records',
    panels: [
      {
        title: 'Alerts that fire',
        unit: 'short',
        about: 'By their names. Each has a page in the runbook.',
        queries: [
          query(
            orZero(`sum by (alertname) (ALERTS{alertname=~"Catchment.*", alertstate="firing", ${RECORDED}})`),
            '{{alertname}}',
          ),
        ],
      },
      {
        title: 'Answers, by status',
        unit: 'reqps',
        about: 'All requests of the gateway. 4xx are what callers did wrong, 5xx what we did.',
        queries: [rate(`${HTTP}_count`, 'http_response_status_code')],
      },
      {
        title: 'Duration of requests',
        unit: 's',
        about: 'Median and 99th percentile of all routes, streams too. Normal: a median of some milliseconds.',
        queries: percentiles(HTTP),
      },
      {
        title: 'Records',
        unit: 'cps',
        about:
          'Accepted: validated. Durable: the log has them. Written: InfluxDB has them. The three follow each other.',
        queries: ['accepted', 'durable', 'written'].map((state) =>
          query(orZero(`sum(rate(catchment_records_${state}_total{${HERE}}[$__rate_interval]))`), state),
        ),
      },
      {
        title: 'From accepted to visible',
        unit: 's',
        about: 'Median and 99th percentile. Objective: 99 % within 2 s.',
        queries: percentiles('catchment_visible_lag_seconds'),
      },
      {
        title: 'Failures of the last hour, beside the objectives',
        unit: 'percentunit',
        about: 'What may fail in 30 days: 0.1 % of the writes, 1 % of the reads and of the records.',
        queries: [
          query(orZero(`max(catchment:write_availability_failures:ratio_rate1h{${RECORDED}})`), 'writes that failed'),
          query(orZero(`max(catchment:read_latency_failures:ratio_rate1h{${RECORDED}})`), 'reads above 1 s'),
          query(orZero(`max(catchment:visible_lag_failures:ratio_rate1h{${RECORDED}})`), 'records later than 2 s'),
        ],
      },
    ],
  },
  {
    title: 'Servers',
    panels: [
      {
        title: 'Streams, share of their limit',
        unit: 'percentunit',
        max: 1,
        about:
          'A stream grows while a reader does not come along. DOMAIN and DEADLETTER drop their oldest messages by design.',
        queries: [
          query(
            orZero(
              `max by (stream) (catchment_stream_bytes{${HERE}}) / max by (stream) (catchment_stream_limit_bytes{${HERE}} > 0)`,
            ),
            '{{stream}}',
          ),
        ],
      },
      {
        title: 'What the servers keep',
        unit: 'bytes',
        about: 'The database of PostgreSQL, streams and attachments of NATS, records of each InfluxDB.',
        queries: [highest('catchment_store_bytes', 'store, part')],
      },
      {
        title: 'Operations on servers, 99th percentile',
        unit: 's',
        about: 'Statements and writes. Normal: some ten milliseconds; an alert reports a second.',
        queries: [slowest('db_client_operation_duration_seconds', 'db_system_name, shard')],
      },
    ],
  },
  {
    title: 'Devices and people',
    panels: [
      {
        title: 'Connected devices',
        unit: 'short',
        about: 'By what they speak.',
        queries: [total('catchment_connections', 'protocol')],
      },
      {
        title: 'Acquisitions',
        unit: 'ops',
        about: 'Sessions of devices, files and mails, by how they ended.',
        queries: [rate('catchment_acquisitions_total', 'transport, outcome')],
      },
      {
        title: 'Alarms and notifications',
        unit: 'ops',
        about: 'Changes of alarms, and tries to send mails, SMS, calls and reports.',
        queries: [
          { ...rate('catchment_alarm_transitions_total', 'to'), legend: 'alarm {{to}}' },
          rate('catchment_notifications_total', 'channel, outcome'),
        ],
      },
    ],
  },
];
