import { setTimeout as delay } from 'node:timers/promises';
import { testMailServer } from '@catchment/testkit';
import pg from 'pg';
import { type Installation, startInstallation } from '../installation.ts';
import { CONNECTIONS, type LoadRequest, runLoad } from '../loads/load.ts';
import { EVALUATION, type SeededAccount, seedEvaluation, sourceOf } from '../loads/node-data.ts';
import { atLeast, atLeastOfFloor, atMost, figure, processorTime, type Row } from '../report.ts';
import { openBus, untilRead } from '../watch/log-readers.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';

const FIRST_MS = Date.parse('2026-02-01T00:00:00Z');
const STEP_MS = 60_000;
const ROWS = 100;
const LAG_BAR_SECONDS = 10;
const LEAST_OF_PLAIN = 0.8;
const TRANSITIONS = EVALUATION.sources * EVALUATION.parametersEach;
/** One person gets this many e-mails in an hour, with the one that says that there are more (docs/reference/notifications.md). */
const MAILS = 101;
const SETTLE_LIMIT_MS = 120_000;

/**
 * Measures how evaluation keeps up: 10 000 parameters with five states each (docs/reference/states.md#evaluation), beside as many without.
 */
export async function measureEvaluation(): Promise<Row[]> {
  const mailServer = await testMailServer();
  const env = { SMTP_URL: mailServer.url, SMTP_TLS: 'off', SMTP_FROM: 'Catchment <catchment@example.org>' };
  const installation = await startInstallation({ env });
  const client = new pg.Client({ connectionString: installation.servers.postgres.url });
  await client.connect();
  try {
    const { stateful, plain } = await seedEvaluation(installation);
    const changes = await transitionRows(installation, stateful, client, mailServer.mails);
    // Each account writes once before the clock starts.
    await write(installation, plain, 2);
    await write(installation, stateful, 2);
    const without = await write(installation, plain, 3);
    const withStates = await write(installation, stateful, 3);
    const name = '1 000 000 records over 10 000 parameters with 5 states each';
    return [
      ...changes,
      atMost(`${name}: from the last answer until no reader is behind`, withStates.lagSeconds, 's', LAG_BAR_SECONDS),
      atLeastOfFloor(
        `${name}: rate until then, beside parameters without states (${Math.round(without.rate)} points/s)`,
        withStates.rate,
        'points/s',
        without.rate,
        LEAST_OF_PLAIN,
      ),
      processorTime(`${name}, a document of 100 records × 100 columns`, withStates.cpuMs),
      processorTime('the same without states', without.cpuMs),
    ];
  } finally {
    await client.end();
    await installation.stop();
    await mailServer.close();
  }
}

type Written = {
  /** The rate is points a second until no reader is behind. */
  readonly rate: number;
  readonly lagSeconds: number;
  readonly cpuMs: Readonly<Record<string, number>>;
};

/** Writes 100 records of each parameter, a state entered or left in every fiftieth. @param nth of the writes, later ones lie behind */
async function write(installation: Installation, account: SeededAccount, nth: number): Promise<Written> {
  const bus = await openBus(installation);
  const firstMs = FIRST_MS + nth * ROWS * STEP_MS;
  const requests = documents(account, ROWS, (row, column) => ({
    ms: firstMs + row * STEP_MS,
    value: ((row + column) % 100 < 50 ? 1 : 15) + ((row * 7 + column) % 10) / 10,
  }));
  const pids = await installation.pids();
  const before = await cpuByProcess(pids);
  const began = performance.now();
  await send(installation, account, requests);
  const sent = performance.now();
  await untilRead(bus);
  const read = performance.now();
  const cpuMs = cpuOfEach(before, await cpuByProcess(pids), requests.length);
  await bus.close();
  return {
    rate: (TRANSITIONS * ROWS) / ((read - began) / 1_000),
    lagSeconds: (read - sent) / 1_000,
    cpuMs,
  };
}

/** All parameters leave NORMAL at once. */
async function transitionRows(
  installation: Installation,
  account: SeededAccount,
  client: pg.Client,
  mails: readonly unknown[],
): Promise<Row[]> {
  await send(
    installation,
    account,
    documents(account, 1, () => ({ ms: FIRST_MS, value: 1 })),
  );
  const bus = await openBus(installation);
  await untilRead(bus);
  await bus.close();
  const began = performance.now();
  await send(
    installation,
    account,
    documents(account, 1, () => ({ ms: FIRST_MS + STEP_MS, value: 15 })),
  );
  const seconds = (performance.now() - began) / 1_000;
  const count = async () => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM events.events WHERE owner_id = $1 AND event_type = 'STATE' AND message = $2`,
      [account.ownerId, 'State changed from NORMAL to High 1'],
    );
    return Number(rows[0]?.count);
  };
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  while ((await count()) < TRANSITIONS && performance.now() < deadline) await delay(100);
  const recorded = (performance.now() - began) / 1_000;
  while (mails.length < MAILS && performance.now() < deadline) await delay(100);
  const mailed = (performance.now() - began) / 1_000;
  return [
    figure('10 000 transitions: time until their records are accepted', seconds, 's'),
    atLeast('10 000 transitions: events recorded', await count(), 'events', TRANSITIONS),
    figure('10 000 transitions: time until the last event is recorded', recorded, 's'),
    atLeast('10 000 transitions: e-mails to the one person who is subscribed to all', mails.length, 'mails', MAILS),
    figure('10 000 transitions: time until the last e-mail', mailed, 's'),
  ];
}

/** A document for each source. */
function documents(
  account: SeededAccount,
  rows: number,
  recordOf: (row: number, column: number) => { readonly ms: number; readonly value: number },
): LoadRequest[] {
  return Array.from({ length: EVALUATION.sources }, (_, nth) => {
    const { source, parameters } = sourceOf(account, nth);
    const columns = Object.fromEntries(parameters.map((id, c) => [c, { id }]));
    const data = Array.from({ length: rows }, (_row, row) => ({
      ts: new Date(recordOf(row, 0).ms).toISOString(),
      f: Object.fromEntries(parameters.map((_id, c) => [c, { v: recordOf(row, c).value }])),
    }));
    const body = JSON.stringify({ docType: 'jts', version: '1.0', header: { columns }, data });
    return { method: 'PUT', path: `/api/v1/nodes/${source}/historic`, body };
  });
}

async function send(installation: Installation, { key }: SeededAccount, requests: LoadRequest[]): Promise<void> {
  const lists = Array.from({ length: CONNECTIONS }, (_, c) => requests.filter((_request, n) => n % CONNECTIONS === c));
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  await runLoad(installation.url, lists, { headers, expect: 202 });
}
