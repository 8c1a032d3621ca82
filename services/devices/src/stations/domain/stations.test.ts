import { effectiveZone, UTC_ZONE } from '@catchment/time';
import { readSensorLog } from './sensorlog.ts';
import { stationDocuments } from './station-document.ts';
import { type StationMessage, type StationReader, StationRefusal, type StationValue } from './station-message.ts';
import { WaspmoteReader } from './waspmote-frame.ts';
import { WaterlogReader } from './waterlog-lines.ts';

const NOW = Date.UTC(2024, 4, 15, 12, 0, 30);
const all = (reader: StationReader, ...chunks: (Buffer | string)[]): StationMessage[] => [
  ...chunks.flatMap((chunk) => [...reader.read(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk)]),
  ...reader.end(),
];
const valuesOf = (message: StationMessage | undefined): Record<string, StationValue> =>
  Object.fromEntries(message?.records[0]?.values ?? []);

describe('Waspmote', () => {
  const ascii = (type: number, fields: readonly string[], id = 'node_01', serial = '35690284') =>
    Buffer.concat([
      Buffer.from('<=>'),
      Buffer.from([type, fields.length]),
      Buffer.from(`#${serial}#${id}#253#${fields.map((field) => `${field}#`).join('')}`),
    ]);
  /** WaspFrame::createFrame and addSensor write frames like this. */
  const binary = (type: number, serial: readonly number[], id: string, fields: Buffer) => {
    const rest = Buffer.concat([Buffer.from(serial), Buffer.from(`${id}#`), Buffer.from([7]), fields]);
    return Buffer.concat([Buffer.from('<=>'), Buffer.from([type, rest.length]), rest]);
  };
  const float = (id: number, ...values: number[]) => {
    const bytes = Buffer.alloc(1 + 4 * values.length, id);
    for (const [n, value] of values.entries()) bytes.writeFloatLE(value, 1 + 4 * n);
    return bytes;
  };

  test('an ASCII frame', () => {
    const [message] = all(
      new WaspmoteReader(),
      ascii(134, ['TC:21.50', 'HUM:45.3', 'GPS:41.680616;-0.886233', 'ACC:1;-2;990', 'STR:a b', 'BAT:93']),
    );
    expect(message?.sites).toEqual(['node_01', '35690284']);
    expect(valuesOf(message)).toEqual({
      TC: 21.5,
      HUM: 45.3,
      'GPS.latitude': 41.680616,
      'GPS.longitude': -0.886233,
      'ACC.x': 1,
      'ACC.y': -2,
      'ACC.z': 990,
      STR: 'a b',
      BAT: 93,
    });
    expect(message?.records[0]?.time).toBeUndefined();
  });

  test('times of a frame', () => {
    const timeOf = (...fields: string[]) => all(new WaspmoteReader(), ascii(134, fields))[0]?.records[0]?.time;
    expect(timeOf('TST:1715774400')).toEqual({ instantMs: Date.UTC(2024, 4, 15, 12) });
    const localMs = Date.UTC(2024, 4, 15, 16, 32, 15);
    expect(timeOf('DATE:24-5-15', 'TIME:16-32-15')).toEqual({ localMs });
    expect(timeOf('DATE:24-05-15', 'TIME:16-32-15+2')).toEqual({ instantMs: localMs - 2 * 3_600_000 });
    expect(timeOf('DATE:24-05-15', 'TIME:16-32-15-3')).toEqual({ instantMs: localMs + 3 * 3_600_000 });
    expect(timeOf('DATE:24-13-15', 'TIME:16-32-15')).toBeUndefined();
    expect(timeOf('TIME:16-32-15')).toBeUndefined();
  });

  test('binary frames of v15 and v12', () => {
    const fields = Buffer.concat([
      float(74, 21.5),
      float(53, 41.5, -0.25),
      Buffer.from([52, 93]),
      Buffer.from([63, 1, 0, 0xfe, 0xff, 0xde, 3]),
      Buffer.from([65, 3, 0x61, 0x62, 0x63]),
      Buffer.from([123, 0xc0, 0xa5, 0x44, 0x66]),
    ]);
    const [v15] = all(new WaspmoteReader(), binary(6, [1, 2, 3, 4, 5, 6, 7, 8], 'node_01', fields));
    expect(v15?.sites).toEqual(['node_01', '0102030405060708']);
    expect(valuesOf(v15)).toEqual({
      TC: 21.5,
      'GPS.latitude': 41.5,
      'GPS.longitude': -0.25,
      BAT: 93,
      'ACC.x': 1,
      'ACC.y': -2,
      'ACC.z': 990,
      STR: 'abc',
    });
    expect(v15?.records[0]?.time).toEqual({ instantMs: Date.UTC(2024, 4, 15, 12, 8, 32) });
    const [v12] = all(
      new WaspmoteReader(),
      binary(0, [0x55, 0x65, 0x67, 0x05], 'N', Buffer.concat([float(12, 18.25), Buffer.from([19, 1])])),
    );
    expect(v12?.sites).toEqual(['N', String(0x55656705)]);
    expect(valuesOf(v12)).toEqual({ TCA: 18.25, HALL: 1 });
  });

  test('frames in any pieces, one after another, with line ends between them', () => {
    const bytes = Buffer.concat([
      ascii(134, ['TC:1']),
      Buffer.from('\r\n'),
      binary(6, [1, 2, 3, 4, 5, 6, 7, 35], 'a', float(74, 2)),
      ascii(134, ['TC:3']),
      ascii(134, []),
    ]);
    for (const size of [1, 2, 7, 1_000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(all(new WaspmoteReader(), ...chunks).map(valuesOf)).toEqual([{ TC: 1 }, { TC: 2 }, { TC: 3 }, {}]);
    }
  });

  test.each<[what: string, bytes: Buffer, reason: RegExp]>([
    ['another protocol', Buffer.from(`GET / HTTP/1.1\r\n${'x'.repeat(60)}`), /no frames of Waspmote/],
    ['an encrypted frame', binary(96, [1, 2, 3, 4, 5, 6, 7, 8], 'a', Buffer.alloc(16)), /encrypted/],
    ['a frame that does not say its version', binary(2, [1, 2, 3, 4], 'a', float(74, 1)), /type 2/],
    ['an unknown sensor', binary(6, [1, 2, 3, 4, 5, 6, 7, 8], 'a', Buffer.from([255, 1])), /sensor 255/],
    ['a field that is cut off', binary(6, [1, 2, 3, 4, 5, 6, 7, 8], 'a', Buffer.from([74, 1])), /cut off/],
    ['a text longer than its frame', binary(6, [1, 2, 3, 4, 5, 6, 7, 8], 'a', Buffer.from([65, 9, 1])), /cut off/],
    ['a header without its end', binary(6, [1, 2, 3, 4, 5, 6, 7, 8], '', Buffer.alloc(0)).fill(1, 13), /damaged/],
    ['a field without a value', ascii(134, ['TC']), /damaged: TC/],
    [
      'a frame without end',
      Buffer.concat([Buffer.from('<=>'), Buffer.from([134, 9]), Buffer.alloc(2_000, 0x41)]),
      /1024/,
    ],
    ['a frame that is cut off', ascii(134, ['TC:1']).subarray(0, 20), /not complete/],
  ])('refused: %s', (_what, bytes, reason) => {
    expect(() => all(new WaspmoteReader(), bytes)).toThrow(reason);
    expect(() => all(new WaspmoteReader(), bytes)).toThrow(StationRefusal);
  });
});

describe('WaterLOG', () => {
  const read = (text: string) => all(new WaterlogReader(() => NOW), text);
  const shown = (messages: StationMessage[]) =>
    messages.flatMap(({ records }) =>
      records.map(({ time, values }) => {
        const ms = time && ('instantMs' in time ? time.instantMs : time.localMs);
        return [new Date(ms ?? 0).toISOString().slice(5, 16), Object.fromEntries(values)];
      }),
    );

  test('SHEF groups: the newest value first, times counted from the arrival', () => {
    const messages = read('STN1\r\n:HG 3 #15 10.20 10.15 M 10.05 :VB 3 #60 12.6\r\n');
    expect(messages[0]?.sites).toEqual(['STN1']);
    expect(shown(messages)).toEqual([
      ['05-15T11:57', { HG: 10.2 }],
      ['05-15T11:42', { HG: 10.15 }],
      ['05-15T11:12', { HG: 10.05 }],
      ['05-15T11:57', { VB: 12.6 }],
    ]);
  });

  test('lines with date, time, labels and values', () => {
    const messages = read(
      'STN1\n01/19/2010,09:30:00,Stage,1.25,feet\n01/19/2010,09:45,Stage,1.27,feet,G,Rain,0.2,mm,G\n01/19/2010,09:50:27,Setup Change\n01/19/2010,10:00:00,Stage,1.3,Rain,0.4',
    );
    expect(shown(messages)).toEqual([
      ['01-19T09:30', { Stage: 1.25 }],
      ['01-19T09:45', { Stage: 1.27, Rain: 0.2 }],
      ['01-19T10:00', { Stage: 1.3, Rain: 0.4 }],
    ]);
    expect([...(messages[0]?.units ?? [])]).toEqual([
      ['Stage', 'feet'],
      ['Rain', 'mm'],
    ]);
    expect(messages[0]?.records[0]?.time).toEqual({ localMs: Date.UTC(2010, 0, 19, 9, 30) });
  });

  test('in any pieces', () => {
    const text = 'STN1\r\n:HG 3 #15 10.20 10.15\r\n01/19/2010,09:30:00,Stage,1.25\r\n';
    expect(all(new WaterlogReader(() => NOW), ...text).flatMap(({ records }) => records)).toHaveLength(3);
  });

  test.each<[what: string, text: string, reason: RegExp]>([
    ['no site', ':HG 3 #15 10.2\n', /first line/],
    ['a site that is none', '\u0001\u0002\n', /first line/],
    ['a line that is none', 'S\nhello\n', /neither/],
    ['a group that is none', 'S\n:HG 10.2 10.3\n', /:LABEL minutes #interval/],
    ['a line without end', `S\n${'1'.repeat(5_000)}`, /4096/],
    ['a day that is none', 'S\n13/40/2010,09:30:00,Stage,1\n', /neither/],
  ])('refused: %s', (_what, text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });
});

describe('SensorLog', () => {
  const sample = {
    deviceID: 'my_iOS_device',
    identifierForVendor: '044AD7D6-AEEB-4159-B132-022BD5A6F8E8',
    loggingTime: '2021-10-21 20:43:47.013 -0400',
    locationTimestamp_since1970: '1634863425.999642',
    altimeterPressure: '100.398735',
    activity: 'stationary',
    locationFloor: '-9999',
    pedometerEndDate: 'null',
    batteryLevel: 0.33,
  };
  const json = (document: unknown) => readSensorLog(Buffer.from(JSON.stringify(document)), 'application/json');

  test('a JSON object, as the app posts it', () => {
    const message = json(sample);
    expect(message.sites).toEqual(['my_iOS_device', '044AD7D6-AEEB-4159-B132-022BD5A6F8E8']);
    expect(valuesOf(message)).toEqual({ altimeterPressure: 100.398735, activity: 'stationary', batteryLevel: 0.33 });
    expect(message.records[0]?.time).toEqual({ instantMs: Date.UTC(2021, 9, 22, 0, 43, 47, 13) });
  });

  test('several samples; times without a zone, or of a sensor alone', () => {
    const { records } = json([
      { deviceID: 'd', loggingTime: '2021-10-21 20:43:47', x: 1 },
      { deviceID: 'd', locationTimestamp_since1970: '1634863425.5', batteryTimeStamp_since1970: 5, x: 2 },
      { deviceID: 'd', x: 3 },
    ]);
    expect(records.map(({ time }) => time)).toEqual([
      { localMs: Date.UTC(2021, 9, 21, 20, 43, 47) },
      { instantMs: 1_634_863_425_500 },
      undefined,
    ]);
  });

  test('its CSV, with units in the header', () => {
    const text =
      'loggingTime(txt),deviceID(txt),locationSpeed(m/s),activity(txt)\n2021-10-21 20:43:47.013 -0400,d,1.5,walking\n2021-10-21 20:43:48.013 -0400,d,,null\n';
    const message = readSensorLog(Buffer.from(text), 'text/csv; charset=utf-8');
    expect(message.records.map(({ values }) => Object.fromEntries(values))).toEqual([
      { locationSpeed: 1.5, activity: 'walking' },
      {},
    ]);
    expect([...(message.units ?? [])]).toEqual([['locationSpeed', 'm/s']]);
  });

  test.each<[what: string, body: unknown, type: string, reason: RegExp]>([
    ['no device', { x: 1 }, 'application/json', /deviceID/],
    ['no object', [1], 'application/json', /JSON object/],
    ['too many samples', Array.from({ length: 5_001 }, () => ({ deviceID: 'd' })), 'application/json', /5000/],
    ['a name with U+0000', 'loggingTime,deviceID,bat\u0000tery(R)\n2021-10-21 20:43:47,d,1\n', 'text/csv', /U\+0000/],
    ['another CSV', 'a,b\n1,2\n', 'text/csv', /header of SensorLog/],
  ])('refused: %s', (_what, body, type, reason) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect(() => readSensorLog(Buffer.from(text), type)).toThrow(reason);
  });
});

describe('documents', () => {
  const record = (time: StationMessage['records'][0]['time'], values: Record<string, StationValue>) => ({
    time,
    values: new Map(Object.entries(values)),
  });

  test('in the repeated hour of autumn the order of the records decides the pass', () => {
    const zone = effectiveZone('Europe/Vienna', true, NOW);
    const records = ['02:00', '02:30', '02:30', '02:15'].map((time, n) =>
      record({ localMs: Date.parse(`2024-10-27T${time}Z`) }, n === 2 ? { b: n } : { a: n }),
    );
    const documents = [...stationDocuments({ records }, zone, NOW)].map(({ document }) => document);
    expect(documents).toMatchObject([
      { data: ['00:00', '00:30', '01:15'].map((time) => ({ ts: `2024-10-27T${time}:00.000Z` })) },
    ]);
  });

  test('series of one time are one row, in order, by the zone of the source', () => {
    const zone = effectiveZone('Europe/Vienna', true, NOW);
    const localMs = Date.UTC(2024, 4, 15, 12);
    const records = [
      record({ localMs }, { a: 1 }),
      record(undefined, { t: 'x' }),
      record({ instantMs: localMs - 7_200_000 }, { b: 2 }),
    ];
    expect([...stationDocuments({ records, units: new Map([['a', 'm']]) }, zone, NOW)]).toEqual([
      {
        rows: 2,
        document: {
          docType: 'jts',
          version: '1.0',
          header: {
            columns: {
              0: { name: 'a', series: 'a', dataType: 'NUMBER', units: 'm' },
              1: { name: 't', series: 't', dataType: 'TEXT' },
              2: { name: 'b', series: 'b', dataType: 'NUMBER' },
            },
          },
          data: [
            { ts: '2024-05-15T10:00:00.000Z', f: { 0: { v: 1 }, 2: { v: 2 } } },
            { ts: '2024-05-15T12:00:30.000Z', f: { 1: { v: 'x' } } },
          ],
        },
      },
    ]);
  });

  test('large messages are several documents; nothing is none', () => {
    const records = Array.from({ length: 2_500 }, (_, n) => record({ instantMs: n }, { a: n }));
    expect([...stationDocuments({ records }, UTC_ZONE, NOW)].map(({ rows }) => rows)).toEqual([1_000, 1_000, 500]);
    expect([...stationDocuments({ records: [record(undefined, {})] }, UTC_ZONE, NOW)]).toEqual([]);
  });
});

test('whatever comes is read or refused, and little is held', () => {
  let seed = 3;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const starts = [
    Buffer.from('<=>'),
    Buffer.from([60, 61, 62, 6, 30]),
    Buffer.from([60, 61, 62, 134, 2, 35]),
    Buffer.from('S\n:HG 3 #15 '),
    Buffer.from('S\n01/19/2010,09:30:00,'),
  ];
  for (let n = 0; n < 1_000; n += 1) {
    const noise = Buffer.from(Array.from({ length: random(80) }, () => (n % 2 === 0 ? random(256) : 32 + random(95))));
    const bytes = Buffer.concat([starts[random(starts.length)] ?? noise, noise]);
    for (const reader of [new WaspmoteReader(), new WaterlogReader(() => NOW)]) {
      try {
        for (const message of all(reader, bytes)) [...stationDocuments(message, UTC_ZONE, NOW)];
      } catch (error) {
        expect(error).toBeInstanceOf(StationRefusal);
      }
      expect(reader.pendingBytes).toBeLessThan(8_192);
    }
  }
});
