import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { AlarmChanged, AttemptEnded, AttemptKind as AttemptKindMessage } from '@catchment/contracts/alarms';
import { SettledGroup } from '@catchment/contracts/ingest';
import { SeriesRecomputed } from '@catchment/contracts/ratings';
import { followNodes, type NodeWatcher, watchNodes } from '@catchment/node-replica';
import type { AttemptKind } from '../domain/conditions/attempt.ts';
import { applyLog } from '../usecases/apply-log.ts';
import type { RaisedSources } from '../usecases/evaluate-acquisitions.ts';
import { applyNodeChanges } from '../usecases/follow-nodes.ts';
import type { FollowedLog } from '../usecases/followed-log.ts';
import type { AlarmStore, KnownNodes, KnownQualities, NodeAttempt, StoredHistory } from '../usecases/ports.ts';
import { takeAttempts } from '../usecases/take-attempts.ts';
import { type MessageVerdict, takeVerdicts } from '../usecases/take-verdicts.ts';

type Deps = {
  readonly store: AlarmStore;
  readonly known: KnownNodes & NodeWatcher;
  readonly history: StoredHistory;
  readonly quality: KnownQualities;
  readonly raised: RaisedSources;
};

/** Follows the ingest log, what historic says of it, and what becomes of nodes. */
export function readAlarms(bus: Bus, deps: Deps): { stop(): Promise<void> } {
  watchNodes(bus, deps.known);
  const { raised } = deps;
  bus.watch(
    'alarms.alarm.changed.v1',
    (data) => raised.hear(AlarmChanged.decode(data)),
    () => raised.missed(),
  );
  const log = followedLog(bus);
  const readers = [
    bus.readPartitions('alarms', (partition, messages, signal) =>
      applyLog(
        deps,
        messages.map(({ sequence, data, timeMs }) => ({ partition, sequence, data, timeMs })),
        signal,
      ),
    ),
    bus.readPartitions('alarms-applied', (partition, messages, signal) =>
      takeVerdicts(deps, partition, messages.flatMap(messageVerdicts), signal),
    ),
    followNodes(bus, 'alarms-nodes', {
      changed: (changes, signal) => applyNodeChanges({ ...deps, log }, changes, signal),
      deleted: async (deletions) => {
        for (const { ownerId, nodes } of deletions)
          await deps.store.transaction(async (tx) => {
            await tx.forgetNodes(ownerId, nodes);
            await tx.lookSoon(nodes.map(({ sourceId }) => sourceId));
          });
      },
    }),
    // Records that were computed anew changed states silently, and did not change alarms at all.
    bus.readDomain('alarms-recomputed', async (messages) => {
      const series = messages.map((message) => decoded(SeriesRecomputed, message));
      const afterSequence = await log.end();
      const later = { afterSequence, needsStore: false, username: 'System' };
      await deps.store.transaction((tx) =>
        tx.judgeLater(series.map(({ nodeId, timeMs }) => ({ nodeId, timeMs, ...later }))),
      );
    }),
    bus.readDomain('alarms-attempts', (messages, signal) => takeAttempts(deps, messages.flatMap(endedAttempt), signal)),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

export const followedLog = (bus: Pick<Bus, 'partitions' | 'lastSequence' | 'hasRead'>): FollowedLog => ({
  partitions: bus.partitions,
  end: () => bus.lastSequence('INGEST'),
  isFollowed: (partition, sequence) => bus.hasRead('alarms', partition, sequence),
});

const messageVerdicts = (message: Pick<BusMessage, 'subject' | 'data'>): MessageVerdict[] =>
  decoded(SettledGroup, message).batches.map(({ logSequence, settledSequence, columnsSettled }) => ({
    sequence: logSequence,
    settled: settledSequence ?? logSequence,
    columns: columnsSettled,
  }));

const KINDS: Partial<Record<AttemptKindMessage, AttemptKind>> = {
  [AttemptKindMessage.ATTEMPT_KIND_SESSION]: 'session',
  [AttemptKindMessage.ATTEMPT_KIND_CONFIGURATION]: 'configuration',
  [AttemptKindMessage.ATTEMPT_KIND_CONTROL]: 'control',
  [AttemptKindMessage.ATTEMPT_KIND_RUN]: 'run',
  [AttemptKindMessage.ATTEMPT_KIND_FILES]: 'files',
};

/** Returns nothing for a kind that this release does not know. */
function endedAttempt(message: BusMessage): NodeAttempt[] {
  const { timeMs, failure, kind, ...node } = decoded(AttemptEnded, message);
  const known = KINDS[kind];
  return known ? [{ ...node, sequence: message.sequence, attempt: { kind: known, failure, timeMs } }] : [];
}
