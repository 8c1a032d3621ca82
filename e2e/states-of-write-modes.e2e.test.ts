// States follow what is stored, in every write mode (docs/reference/writing.md#write-modes, docs/reference/writing.md#notifyon,
// docs/reference/states.md#evaluation): random writes of people beside a plain reckoning of what they leave.
import { until } from '@catchment/testkit';
import {
  type ModeName,
  NOTIFY_NAMES,
  type NotifyName,
  randomFrom,
  randomWrite,
  SEED,
  StateModel,
  type Updates,
} from '@catchment/testkit/write-model';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

const THRESHOLD = 500;
const SERIES = 12;
const WRITES = 10;
const T0 = Date.UTC(2024, 0, 1);
const STEP_MS = 60_000;
const values = (...rows: [number, number][]): Updates => new Map(rows.map(([n, v]) => [T0 + n * STEP_MS, { v }]));

async function series(occurrences: number) {
  const { sourceId } = await api.createSite();
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: THRESHOLD, occurrences }];
  const { _id: id } = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: sourceId,
    states,
  });
  const model = new StateModel({ threshold: THRESHOLD, occurrences });
  const steps: string[] = [];
  return {
    model,
    steps,
    async write(mode: ModeName, updates: Updates, notify: NotifyName) {
      steps.push(
        `${mode} ${notify} ${JSON.stringify([...updates].map(([time, field]) => [(time - T0) / STEP_MS, field]))}`,
      );
      model.write(mode, updates, notify);
      const rows = [...updates].sort(([a], [b]) => a - b);
      const data = rows.map(([time, field]) => ({ ts: new Date(time).toISOString(), f: { 0: field } }));
      const answer = await api.put(`/nodes/${id}/historic?writeMode=${mode}&notifyOn=${notify}`, {
        docType: 'jts',
        data,
      });
      expect(answer.status).toBe(202);
    },
    async reported(): Promise<string[]> {
      const { json } = await api.get(`/nodes/${id}/events?filter=eventType($eq:STATE)&limit=500`);
      return (json as { eventTime: string; message: string }[]).map(
        ({ eventTime, message }) => `${Date.parse(eventTime)} ${message.replace('State changed from ', '')}`,
      );
    },
  };
}

test(`STATE events are those of the records that were stored (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 4);
  const all = await Promise.all(Array.from({ length: SERIES }, (_, n) => series(1 + (n % 3))));
  for (const parameter of all) {
    await parameter.write('MERGE_OVERWRITE_EXISTING', values([-9, 900], [-8, 900], [-7, 900], [-6, 0]), 'ALL_NEWER');
    await until(async () => (await parameter.reported()).length === 2, { what: 'the first states are reported' });
  }
  for (let n = 0; n < WRITES; n += 1) {
    const writes = all.map((parameter) => {
      const { mode, updates } = randomWrite(random, STEP_MS);
      const notify = NOTIFY_NAMES[Math.floor(random() * NOTIFY_NAMES.length)] ?? 'NONE';
      return { parameter, mode, notify, updates: new Map([...updates].map(([time, field]) => [T0 + time, field])) };
    });
    await Promise.all(writes.map(({ parameter, mode, updates, notify }) => parameter.write(mode, updates, notify)));
  }
  for (const parameter of all) {
    // The last write makes the last event.
    await parameter.write('MERGE_OVERWRITE_EXISTING', values([20, 900], [21, 900], [22, 900], [23, 0]), 'ALL_NEWER');
    const last = `${T0 + 23 * STEP_MS} HIGH to NORMAL`;
    const reported = await until(
      async () => {
        const now = await parameter.reported();
        return now.includes(last) && now;
      },
      { what: `${last} is reported` },
    );
    expect({ steps: parameter.steps, reported: reported.sort() }).toEqual({
      steps: parameter.steps,
      reported: parameter.model.reported.toSorted(),
    });
  }
});
