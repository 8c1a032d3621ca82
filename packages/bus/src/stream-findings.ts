import { countOf } from '@catchment/number-format';
import { type Finding, ofKind, ok, problem, warning } from './finding.ts';
import { FINDING_BOUNDS } from './finding-bounds.ts';
import type { BrokerReport, ReaderReport, StreamReport } from './inspect.ts';
import { partitionConsumerOf } from './readers.ts';

const { stream: BOUNDS } = FINDING_BOUNDS;
const SLOW_MS = 60_000;
const STANDING_MS = 10 * 60_000;
/** Readers and dead letters that are named one by one. */
const MAX_NAMED = 20;

/** @param untold settings of streams that are not known here */
export function streamFindings(streams: readonly StreamReport[], unlisted: readonly string[]): Finding[] {
  return streams.flatMap((stream) => streamFinding(stream, unlisted));
}

function streamFinding({ name, found, isLeaderless }: StreamReport, unlisted: readonly string[]): Finding[] {
  const about = `stream ${name}`;
  if (isLeaderless)
    return [
      ofKind(
        'STREAM_LEADERLESS',
        { name },
        problem(
          about,
          'has no leader: nothing is accepted or read',
          'Another server takes over within seconds. Where it stays so, more than half of the copies are away: look at the servers of the NATS cluster.',
        ),
      ),
    ];
  if (!found)
    return [
      ofKind(
        'STREAM_MISSING',
        { name },
        problem(about, 'is not there', 'Start the services: each makes what is missing.'),
      ),
    ];
  const differs = found.differs.filter((key) => !unlisted.includes(key));
  const share = found.limitBytes > 0 ? found.bytes / found.limitBytes : 0;
  const filled = `${Math.round(share * 100)} % of its room is taken`;
  const full =
    'Look for a reader that stands still (below): it keeps messages until it has them. New data is refused when it is full.';
  const room =
    found.whenFull === 'drops' || share < BOUNDS.warning
      ? ok(about, filled)
      : share < BOUNDS.problem
        ? warning(about, filled, full)
        : problem(about, filled, full);
  return [
    ofKind('STREAM_FILLED', { name, percent: Math.round(share * 100) }, room),
    ...(found.currentReplicas < found.replicas
      ? [
          ofKind(
            'STREAM_COPIES_BEHIND',
            { name, behind: found.replicas - found.currentReplicas, copies: found.replicas },
            problem(
              about,
              `${found.replicas - found.currentReplicas} of ${found.replicas} copies are behind or away`,
              'Look at the servers of the NATS cluster: with fewer than half of the copies nothing is accepted.',
            ),
          ),
        ]
      : []),
    ...(differs.length > 0
      ? [
          ofKind(
            'STREAM_DIFFERS',
            { name, settings: differs.join(', ') },
            warning(
              about,
              `is set otherwise than this version does: ${differs.join(', ')}`,
              'The next start of a service sets it; whoever changes it by hand loses the change.',
            ),
          ),
        ]
      : []),
  ];
}

export function readerFindings(readers: readonly ReaderReport[]): Finding[] {
  const findings: Finding[] = [];
  for (const reader of readers) {
    const about = `reader ${reader.name}`;
    if (!reader.found) {
      findings.push(
        ofKind(
          'READER_MISSING',
          { name: reader.name, stream: reader.stream },
          problem(about, `is not there on ${reader.stream}`, 'Start the services: each makes what is missing.'),
        ),
      );
      continue;
    }
    const { pending, oldestMs } = reader.found;
    if (oldestMs < SLOW_MS) continue;
    const says = `has ${countOf(pending, 'message')} to do, the oldest for ${Math.round(oldestMs / 1_000)} s`;
    const advice = `Look at the service that reads it (${serviceOf(reader.name)}): it is not running, waits for its store, or is too slow for what comes.`;
    const values = {
      name: reader.name,
      messages: pending,
      seconds: Math.round(oldestMs / 1_000),
      service: serviceOf(reader.name),
    };
    const level = oldestMs < STANDING_MS ? warning : problem;
    findings.push(ofKind('READER_BEHIND', values, level(about, says, advice)));
  }
  if (findings.length > MAX_NAMED) {
    const rest = findings.length - MAX_NAMED;
    return [
      ...findings.slice(0, MAX_NAMED),
      ofKind(
        'MORE_READERS_BEHIND',
        { count: rest },
        problem(
          'readers',
          `${rest} more are not there or stand still`,
          'Repair the first ones: they mostly have one cause.',
        ),
      ),
    ];
  }
  return findings.length > 0
    ? findings
    : [
        ofKind(
          'READERS_IN_ORDER',
          { count: readers.length },
          ok('readers', `${countOf(readers.length, 'reader is', 'readers are')} there and up to date`),
        ),
      ];
}

/** A reader is named after its service, but for the writer, which there is for each InfluxDB. */
function serviceOf(reader: string): string {
  const consumer = partitionConsumerOf(reader);
  if (consumer?.reader !== 'writer') return reader.split('-')[0] ?? reader;
  return `historic, and its InfluxDB ${consumer.part ?? 'default'}`;
}

export function deadLetterFindings(deadLetters: BrokerReport['deadLetters']): Finding[] {
  const count = Object.values(deadLetters).reduce((sum, lettersOfReader) => sum + lettersOfReader, 0);
  if (count === 0) return [ofKind('NO_DEAD_LETTERS', {}, ok('dead letters', 'there are none'))];
  const named = Object.entries(deadLetters).slice(0, MAX_NAMED);
  return [
    ofKind(
      'DEAD_LETTERS',
      { count, readers: named.map(([reader, n]) => `${n} × ${reader}`).join(', ') },
      warning(
        'dead letters',
        `${countOf(count, 'message was', 'messages were')} put aside: ${named.map(([reader, n]) => `${n} of ${reader}`).join(', ')}`,
        'Run "catchment deadletters list", repair the cause, then "catchment deadletters retry".',
      ),
    ),
  ];
}
