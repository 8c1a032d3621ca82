import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { takeUplink, type UplinkDeps } from './take-uplink.ts';

const NODE = { nodeId: 's', ownerId: 'o', workspaceId: 'w', class: 'source.data.Jts', source: { writeMode: 'X' } };
const UPLINK = {
  end_device_ids: { dev_eui: '0004A30B001C0530' },
  uplink_message: { f_port: 2, f_cnt: 5, frm_payload: 'gkHe', received_at: '2020-02-12T15:15:45.789Z' },
};
const TIME = '2020-02-12T15:15:45.789Z';

function depsWith(settings: object = {}, decode: UplinkDeps['decode'] = async () => ({})) {
  const reported: string[] = [];
  const faults: string[] = [];
  const writes: { series: Record<string, unknown>; ts: string; continues: boolean; writeMode: string }[] = [];
  const deps: UplinkDeps = {
    uploadAdmission: {
      admit: async () => ({
        source: NODE as unknown as NodeConfig,
        settings: { key: 'k', network: 'TTS', authentication: 'NONE', ipWhitelist: [], ...settings },
      }),
      report: async (_source, message) => void reported.push(message),
    },
    historic: {
      writeFile: async ({ body, continues, writeMode }) => {
        const { header, data } = JSON.parse(Buffer.from(body).toString());
        const entries = Object.entries(data[0].f as Record<string, { v: unknown }>);
        const series = Object.fromEntries(entries.map(([n, { v }]) => [header.columns[n].series, v]));
        writes.push({ series, ts: data[0].ts, continues, writeMode });
        return data.length;
      },
      reportFault: async ({ fault }) => void faults.push(fault),
    },
    store: {
      noteUplink: async (_sourceId, { timeMs }) => ({ timeMs, isStored: false }),
      uplinkStored: async () => {},
      forgetUplinks: async () => {},
    },
    decode,
    now: () => 0,
  };
  const take = (document: unknown = UPLINK, event?: string) => {
    const body = Buffer.isBuffer(document) ? document : Buffer.from(JSON.stringify(document));
    return takeUplink(deps, { key: 'k', address: '192.0.2.1', body, event }, new AbortController().signal);
  };
  return { take, reported, faults, writes };
}
const RADIO = { 'Radio - Port': 2, 'Radio - Counter': 5 };

test('a payload goes through the decoder of the source', async () => {
  const decode: UplinkDeps['decode'] = async ({ decoder, payload, fPort, timeMs, ownerId }) => ({
    decoder,
    bytes: payload.toString('hex'),
    fPort,
    timeMs,
    ownerId,
  });
  const { take, writes } = depsWith({ decoder: 'code' }, decode);
  await take();
  const series = { decoder: 'code', bytes: '8241de', fPort: 2, timeMs: Date.parse(TIME), ownerId: 'o', ...RADIO };
  expect(writes).toEqual([{ series, ts: TIME, continues: false, writeMode: 'X' }]);
});

test('what the network server has decoded is taken as it is', async () => {
  const { take, writes } = depsWith({ decoder: 'code' }, async () => Promise.reject(new Error('not asked')));
  await take({ ...UPLINK, uplink_message: { ...UPLINK.uplink_message, decoded_payload: { a: { b: 1 } } } });
  expect(writes[0]?.series).toEqual({ 'a.b': 1, ...RADIO });
});

test('without a decoder the payload is kept as a text', async () => {
  const { take, writes } = depsWith();
  await take();
  expect(writes[0]?.series).toEqual({ Payload: '8241de', ...RADIO });
});

test('a decoder that refuses is reported and raises the dataAlarm; the radio is kept', async () => {
  const refusal = new DomainError('failed_precondition', 'DECODER_FAILED', 'decoder: unknown port');
  const { take, writes, reported, faults } = depsWith({ decoder: 'code' }, async () => Promise.reject(refusal));
  await take();
  expect(writes).toEqual([{ series: RADIO, ts: TIME, continues: true, writeMode: 'X' }]);
  expect(reported).toEqual(['Uplink could not be decoded: decoder: unknown port']);
  expect(faults).toEqual(reported);
});

test('runners that are away keep the network server waiting', async () => {
  const away = new DomainError('unavailable', 'RUNNER_AWAY', 'Service temporarily unavailable');
  const { take, writes, reported } = depsWith({ decoder: 'code' }, async () => Promise.reject(away));
  await expect(take()).rejects.toBe(away);
  expect([writes, reported]).toEqual([[], []]);
});

test('uplinks of other devices are refused', async () => {
  const { take, reported, writes } = depsWith({ deviceEui: '0004a30b001c0531' });
  await expect(take()).rejects.toMatchObject({ kind: 'permission_denied' });
  expect(reported).toEqual(["Refused uplink: it is of device 0004A30B001C0530, not of the source's deviceEui"]);
  expect(writes).toEqual([]);
  await depsWith({ deviceEui: '0004a30b001c0530' }).take();
});

test('what is no message is refused with a reason', async () => {
  const { take, reported } = depsWith();
  await expect(take(Buffer.from('{'))).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(take({})).rejects.toMatchObject({ kind: 'invalid_argument' });
  expect(reported[1]).toMatch(/^Refused uplink: body: end_device_ids is missing/);
});

test('other events are taken and ignored', async () => {
  const { take, writes } = depsWith();
  await take({ end_device_ids: {}, join_accept: {} });
  expect(writes).toEqual([]);
});
