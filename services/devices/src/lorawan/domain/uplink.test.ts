import { joinedDevice, readUplink, type Uplink } from './uplink.ts';
import { flatten, uplinkDocument } from './uplink-document.ts';

const NOW = Date.UTC(2024, 0, 1);

/**
 * This is the example of https://www.thethingsindustries.com/docs/integrations/data-formats/#uplink-messages, without
 * the ids of its processing.
 */
const TTS = {
  end_device_ids: {
    device_id: 'dev1',
    application_ids: { application_id: 'app1' },
    dev_eui: '0004A30B001C0530',
    join_eui: '800000000000000C',
    dev_addr: '00BCB929',
  },
  received_at: '2020-02-12T15:15:46.014773143Z',
  uplink_message: {
    session_key_id: 'AXA50tHUGUucuzS/bCGMNw==',
    f_cnt: 1,
    frm_payload: 'gkHe',
    decoded_payload: { temperature: 1.0, luminosity: 0.64 },
    rx_metadata: [
      { gateway_ids: { gateway_id: 'gtw1' }, time: '2020-02-12T15:15:45.787Z', rssi: -35, channel_rssi: -35, snr: 5 },
    ],
    settings: { data_rate: { lora: { bandwidth: 125000, spreading_factor: 7 } }, time: '2020-02-12T15:15:45.787Z' },
    received_at: '2020-02-12T15:15:45.789585559Z',
  },
};

/** https://www.chirpstack.io/docs/chirpstack/integrations/events.html#up---uplink-event shows this document. */
const CHIRPSTACK_4 = {
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: '2022-07-18T09:34:15.775023242+00:00',
  deviceInfo: { deviceName: 'Test device', devEui: '0101010101010101', tags: { key: 'value' } },
  devAddr: '00189440',
  dr: 1,
  fPort: 1,
  data: 'qg==',
  rxInfo: [{ gatewayId: '0016c001f153a14c', uplinkId: 4217106255, rssi: -36, snr: 10.5 }],
};
/** https://www.chirpstack.io/application-server/integrations/events/#up shows this document, as JSON. */
const CHIRPSTACK_3 = {
  applicationID: '123',
  deviceName: 'garden-sensor',
  devEUI: 'AgICAgICAgI=',
  rxInfo: [
    { gatewayID: 'AwMDAwMDAwM=', time: '2019-11-08T13:59:25.048445Z', rssi: -48, loRaSNR: 9 },
    { gatewayID: 'AwMDAwMDAwQ=', time: null, rssi: -57, loRaSNR: 10 },
  ],
  adr: true,
  dr: 1,
  fCnt: 10,
  fPort: 5,
  data: 'AQI=',
  objectJSON: '{"temperatureSensor":25,"humiditySensor":32}',
};
/** Version 3 has the same document in a second format. */
const CHIRPSTACK_3_OLD = {
  ...CHIRPSTACK_3,
  devEUI: '0202020202020202',
  objectJSON: undefined,
  object: { temperatureSensor: { 1: 25 } },
};

test.each<[what: string, network: 'TTS' | 'CHIRPSTACK', document: object, expected: Uplink]>([
  [
    'The Things Stack v3',
    'TTS',
    TTS,
    {
      deviceEui: '0004A30B001C0530',
      timeMs: Date.UTC(2020, 1, 12, 15, 15, 45, 789),
      fPort: 0,
      payload: Buffer.from([0x82, 0x41, 0xde]),
      decoded: { temperature: 1, luminosity: 0.64 },
      radio: { rssi: -35, snr: 5, gateways: 1, port: 0, counter: 1 },
    },
  ],
  [
    'ChirpStack v4',
    'CHIRPSTACK',
    CHIRPSTACK_4,
    {
      deviceEui: '0101010101010101',
      timeMs: Date.UTC(2022, 6, 18, 9, 34, 15, 775),
      fPort: 1,
      payload: Buffer.from([0xaa]),
      radio: { rssi: -36, snr: 10.5, gateways: 1, port: 1, counter: 0 },
    },
  ],
  [
    'ChirpStack v3',
    'CHIRPSTACK',
    CHIRPSTACK_3,
    {
      deviceEui: '0202020202020202',
      timeMs: Date.UTC(2019, 10, 8, 13, 59, 25, 48),
      fPort: 5,
      payload: Buffer.from([1, 2]),
      decoded: { temperatureSensor: 25, humiditySensor: 32 },
      radio: { rssi: -48, snr: 9, gateways: 2, port: 5, counter: 10 },
    },
  ],
  [
    'the old format of ChirpStack v3',
    'CHIRPSTACK',
    CHIRPSTACK_3_OLD,
    {
      deviceEui: '0202020202020202',
      timeMs: Date.UTC(2019, 10, 8, 13, 59, 25, 48),
      fPort: 5,
      payload: Buffer.from([1, 2]),
      decoded: { temperatureSensor: { 1: 25 } },
      radio: { rssi: -48, snr: 9, gateways: 2, port: 5, counter: 10 },
    },
  ],
])('an uplink of %s', (_what, network, document, expected) => {
  for (const event of [undefined, 'up']) {
    const { frame, ...uplink } = readUplink(network, document, event, NOW) ?? {};
    expect(uplink).toEqual(expected);
    expect(frame).toMatchObject({
      device: expected.deviceEui,
      counter: expected.radio.counter,
      timeMs: expected.timeMs,
    });
  }
});

test.each<[what: string, network: 'TTS' | 'CHIRPSTACK', document: object, frame: object | undefined]>([
  ['the key of the session, where the network sends it', 'TTS', TTS, { session: 'AXA50tHUGUucuzS/bCGMNw==' }],
  [
    'the address that the device has got',
    'TTS',
    { ...TTS, uplink_message: { ...TTS.uplink_message, session_key_id: undefined } },
    { session: '00BCB929', counter: 1 },
  ],
  ['the address in ChirpStack', 'CHIRPSTACK', CHIRPSTACK_4, { session: '00189440', counter: 0 }],
  ['the counter alone', 'CHIRPSTACK', CHIRPSTACK_3, { session: '', counter: 10 }],
  ['nothing, where there is neither', 'CHIRPSTACK', { ...CHIRPSTACK_4, devAddr: undefined }, undefined],
  ['nothing: it was simulated', 'TTS', { ...TTS, simulated: true }, undefined],
])('a frame is identified by %s', (_what, network, document, frame) => {
  const read = readUplink(network, document, 'up', NOW)?.frame;
  if (frame) expect(read).toMatchObject(frame);
  else expect(read).toBeUndefined();
});

test('a join is reported by both networks', () => {
  const { uplink_message: _, ...ids } = TTS;
  expect(joinedDevice('TTS', { ...ids, join_accept: { session_key_id: 'x' } }, undefined)).toBe('0004A30B001C0530');
  expect(joinedDevice('TTS', TTS, undefined)).toBeUndefined();
  const { deviceInfo, devAddr } = CHIRPSTACK_4;
  expect(joinedDevice('CHIRPSTACK', { deviceInfo, devAddr }, 'join')).toBe('0101010101010101');
  expect(joinedDevice('CHIRPSTACK', CHIRPSTACK_4, 'up')).toBeUndefined();
});

test('battery of a device: in an uplink of The Things Stack, in a status of ChirpStack', () => {
  const message = { ...TTS.uplink_message, last_battery_percentage: { f_cnt: 1, value: 78.7 } };
  expect(readUplink('TTS', { ...TTS, uplink_message: message }, undefined, NOW)?.radio.battery).toBe(78.7);
  const status = { ...CHIRPSTACK_4, rxInfo: undefined, data: undefined, margin: 10, batteryLevel: 88.3 };
  const { time, deviceInfo } = CHIRPSTACK_4;
  const expected = { timeMs: Date.parse(time), radio: { margin: 10, battery: 88.3 } };
  expect(readUplink('CHIRPSTACK', status, 'status', NOW)).toMatchObject(expected);
  expect(readUplink('CHIRPSTACK', { time, deviceInfo, margin: 10, batteryLevel: 88.3 }, undefined, NOW)).toMatchObject(
    expected,
  );
});

test('other events have no data', () => {
  const { uplink_message: _, ...join } = TTS;
  expect(readUplink('TTS', { ...join, join_accept: {} }, undefined, NOW)).toBeUndefined();
  for (const event of ['join', 'ack', 'txack', 'log', 'location', 'integration', 'x'])
    expect(readUplink('CHIRPSTACK', CHIRPSTACK_4, event, NOW)).toBeUndefined();
});

test('without a time the arrival counts; a payload may be missing', () => {
  const { time: _, data: __, ...rest } = CHIRPSTACK_4;
  const uplink = readUplink('CHIRPSTACK', { ...rest, time: 'yesterday' }, 'up', NOW);
  expect(uplink).toMatchObject({ timeMs: NOW });
  expect(uplink?.payload).toBeUndefined();
});

test.each<[what: string, network: 'TTS' | 'CHIRPSTACK', document: unknown, message: RegExp]>([
  ['a list', 'TTS', [], /JSON object/],
  ['a document of another network server', 'TTS', CHIRPSTACK_4, /Things Stack/],
  ['a document of another network server', 'CHIRPSTACK', TTS, /ChirpStack/],
  ['no Base64', 'CHIRPSTACK', { ...CHIRPSTACK_4, data: '?' }, /data: must be Base64/],
  ['a payload that is too large', 'CHIRPSTACK', { ...CHIRPSTACK_4, data: 'A'.repeat(9_000) }, /4096 bytes/],
  ['values that are no JSON', 'CHIRPSTACK', { ...CHIRPSTACK_3, objectJSON: '{' }, /objectJSON/],
])('refused: %s for %s', (_what, network, document, message) => {
  expect(() => readUplink(network, document, 'up', NOW)).toThrow(message);
});

test('values have dotted names', () => {
  const decoded = {
    air: { temperature: 21.5, ok: true },
    probes: [1, { v: 2 }],
    text: 'x',
    none: null,
    nan: Number.NaN,
  };
  const { values, isCut } = flatten(decoded);
  expect([...values]).toEqual([
    ['air.temperature', 21.5],
    ['air.ok', true],
    ['probes.0', 1],
    ['probes.1.v', 2],
    ['text', 'x'],
  ]);
  expect(isCut).toBe(false);
});

test('what is too deep, too much or too long is left out, and said', () => {
  expect(flatten({ a: { b: { c: { d: 1 } } } })).toMatchObject({ isCut: false });
  expect(flatten({ a: { b: { c: { d: { e: 1 } } } } })).toEqual({ values: new Map(), isCut: true });
  const many = flatten(Object.fromEntries(Array.from({ length: 91 }, (_, n) => [`v${n}`, n])));
  expect([many.values.size, many.isCut]).toEqual([90, true]);
  expect(flatten({ ['x'.repeat(201)]: 1 }).isCut).toBe(true);
});

test('the document of an uplink', () => {
  expect(uplinkDocument(NOW, new Map([['t', 1.5]]), { rssi: -35 })).toEqual({
    docType: 'jts',
    version: '1.0',
    header: {
      columns: {
        0: { name: 't', series: 't', dataType: 'NUMBER' },
        1: { name: 'Radio - RSSI', series: 'Radio - RSSI', dataType: 'NUMBER', units: 'dBm' },
      },
    },
    data: [{ ts: '2024-01-01T00:00:00.000Z', f: { 0: { v: 1.5 }, 1: { v: -35 } } }],
  });
  expect(
    uplinkDocument(
      NOW,
      new Map<string, boolean | string>([
        ['door', true],
        ['state', 'dry'],
      ]),
      {},
    ),
  ).toMatchObject({
    header: { columns: { 0: { dataType: 'BOOLEAN' }, 1: { dataType: 'TEXT' } } },
    data: [{ f: { 0: { v: true } } }],
  });
  expect(uplinkDocument(NOW, new Map(), {})).toBeUndefined();
});

test.each(['a\0b', '\ud83d', 'x'.repeat(10_001)])('a text that cannot be kept is left out, and named: %j', (evil) => {
  expect(flatten({ temperature: 1, status: { text: evil } })).toEqual({
    values: new Map([['temperature', 1]]),
    isCut: false,
    badText: 'status.text',
  });
});

test('whatever comes is read or refused', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const values = [null, 0, -1, 1e308, '', 'x', '\u0000', 'gkHe', true, [], {}, [{}], { value: {} }];
  const change = (value: unknown, depth: number): unknown => {
    if (random(6) === 0 || depth > 5) return values[random(values.length)];
    if (Array.isArray(value)) return value.map((item) => change(item, depth + 1));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner, depth + 1)]));
  };
  for (let n = 0; n < 5_000; n += 1) {
    const base = [TTS, CHIRPSTACK_4, CHIRPSTACK_3][n % 3];
    try {
      const uplink = readUplink(n % 3 === 0 ? 'TTS' : 'CHIRPSTACK', change(base, 0), undefined, NOW);
      if (!uplink) continue;
      expect(Number.isFinite(uplink.timeMs)).toBe(true);
      const values = uplink.decoded ? flatten(uplink.decoded).values : new Map<string, number>();
      JSON.stringify(uplinkDocument(uplink.timeMs, values, uplink.radio));
    } catch (error) {
      expect((error as { reason?: string }).reason).toBe('INVALID_UPLINK');
    }
  }
});
