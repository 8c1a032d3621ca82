import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { DataTimesServiceService } from '@catchment/contracts/data-times';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { newObjectId } from '@catchment/ids';
import { AccountQualities, resolveNode, seenNodes } from '@catchment/node-replica';
import { openService, repeat } from '@catchment/service';
import { followedLog, readAlarms } from './bus/alarm-readers.ts';
import { changeMessages } from './bus/messages.ts';
import { isStoreBehind } from './bus/store-lag.ts';
import { grpcDataTimes } from './clients/data-times.ts';
import { grpcHistory } from './clients/stored-history.ts';
import { config } from './config.ts';
import { PgAlarmStore } from './store/pg-alarm-store.ts';
import { PgKnownNodes } from './store/pg-known-nodes.ts';
import { StoredRaisedSources } from './store/raised-sources.ts';
import { alarmsHandlers } from './transport/alarms-handlers.ts';
import { judgeSeries } from './usecases/judge-series.ts';
import { lookForOutdated } from './usecases/look-for-outdated.ts';
import { resumeReady } from './usecases/resume-series.ts';
import { sweep } from './usecases/sweep.ts';

/** A replica that has missed messages knows after this time what the others have raised. */
const LOOK_EVERY_MS = 5_000;
/** See docs/reference/alarms.md#outdated-data. */
const OUTDATED_EVERY_MS = 5_000;
const OUTDATED_LIMIT_MS = 60_000;
/** Series that waited for a store that is back go on after this time. */
const RESUME_EVERY_MS = 500;
const RESUME_LIMIT_MS = 15_000;
/** See docs/reference/guarantees.md#when-changes-take-effect. */
const JUDGE_EVERY_MS = 250;
const JUDGE_LIMIT_MS = 60_000;
const SWEEP_EVERY_MS = 3_600_000;

export const service = openService(config, async (scope) => {
  const { config, log, defer, database, bus, signer, peers } = scope;
  const store = new PgAlarmStore(database, changeMessages(newObjectId));
  const nodes = peers.nodes.client(NodesServiceService);
  const owners = peers.nodes.client(OwnersServiceService);
  const dataTimes = peers.nodes.client(DataTimesServiceService);
  const historic = peers.historic.client(HistoricServiceService);
  await scope.serve((server) =>
    server.add(
      AlarmsServiceService,
      alarmsHandlers({
        store,
        nodes: {
          resolve: (ref, call) => resolveNode(nodes, ref, call),
          seen: (refs, call) => seenNodes(nodes, refs, call),
        },
        now: Date.now,
      }),
    ),
  );

  const known = new PgKnownNodes({ database, nodes, signer, max: config.cachedNodes });
  const raised = new StoredRaisedSources(database);
  const again = (failed: string, everyMs: number, task: () => Promise<unknown>) => {
    const repeated = repeat(task, { everyMs, failed, log });
    defer(() => repeated.stop());
  };
  const quality = new AccountQualities(owners, signer, 'alarms');
  again('raised alarms could not be looked up', LOOK_EVERY_MS, () => raised.look());
  const deps = {
    store,
    known,
    raised,
    quality,
    history: grpcHistory(historic, signer, Date.now),
  };
  const readers = readAlarms(bus, deps);
  defer(() => readers.stop());
  await raised.look();
  again('series that wait could not go on', RESUME_EVERY_MS, () =>
    resumeReady(deps, AbortSignal.timeout(RESUME_LIMIT_MS)),
  );
  again('series could not be judged', JUDGE_EVERY_MS, () =>
    judgeSeries({ ...deps, log: followedLog(bus), now: Date.now }, AbortSignal.timeout(JUDGE_LIMIT_MS)),
  );
  const outdated = {
    store,
    dataTimes: grpcDataTimes(dataTimes, signer),
    isStoreBehind: () => isStoreBehind(bus),
    now: Date.now,
  };
  again('sources could not be looked at', OUTDATED_EVERY_MS, () =>
    lookForOutdated(outdated, AbortSignal.timeout(OUTDATED_LIMIT_MS)),
  );
  again('sweep failed, trying again later', SWEEP_EVERY_MS, () => sweep(store, Date.now()));
});
