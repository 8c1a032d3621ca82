// Packets of public documents and of real loggers:
// [doc] BMP5 Transparent Commands, Revision 9/08, Campbell Scientific
// [log] what a CR1000 sent, as the tests of PyCampbellCR1000 have it (github.com/LionelDarras/PyCampbellCR1000, test_1_pakbus.py)
// [issue] what a CR1000 sent on its own, in issue 1 of the same project
import { Deframer, frame } from './framing.ts';
import { CLOCK, COLLECT, HELLO, PROGRAM, READ_FILE } from './messages.ts';
import { BROADCAST, decodePacket, EXPECT, encodePacket, LINK_STATE, PROTOCOL } from './packet.ts';
import { RecordLayout } from './records.ts';
import { signatureOf } from './signature.ts';
import { decodeTableDefinitions, encodeTableDefinitions } from './table-definitions.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const hexOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .toUpperCase()
    .replace(/..(?=.)/g, '$& ');
const address = (node: number) => ({ neighbour: node, node });
/** PyCampbellCR1000 asks like this: from 2050 to 1. */
const asked = { to: address(1), from: address(0x802), hops: 0 } as const;
const command = (kind: { protocol: number; type: number }, transaction: number, body: Uint8Array) =>
  encodePacket({
    ...asked,
    linkState: LINK_STATE.ready,
    expect: EXPECT.neutral,
    protocol: kind.protocol,
    message: { type: kind.type, transaction, body },
  });
const received = (hex: string) => {
  const signed = bytes(hex);
  expect(signatureOf(signed)).toBe(0);
  return decodePacket(signed.subarray(0, -2));
};
const bodyOf = (hex: string) => received(hex).message!.body;

test('asks for the state of a link [doc]', () => {
  const ring = { linkState: LINK_STATE.ring, expect: EXPECT.last, protocol: PROTOCOL.control, hops: 0 };
  const packet = encodePacket({ ...ring, to: address(1), from: address(4094) });
  expect(hexOf(frame(packet))).toBe('BD 90 01 0F FE 71 D2 BD');
});

test('reads that the link is ready [doc]', () => {
  const [packet] = new Deframer().push(bytes('BD AF FE 00 01 5A 89 BD'));
  expect(decodePacket(packet!)).toMatchObject({ linkState: LINK_STATE.ready, to: { node: 4094 }, from: { node: 1 } });
});

test('reads the clock [doc]', () => {
  const [asking] = new Deframer().push(
    bytes('BD A0 01 4F FE 10 01 0F FE 17 17 00 00 00 00 00 00 00 00 00 00 B2 B3 BD'),
  );
  const { message, protocol } = decodePacket(asking!);
  expect(protocol).toBe(PROTOCOL.bmp5);
  expect(CLOCK.decodeCommand(message!.body)).toEqual({
    securityCode: 0,
    adjustment: { seconds: 0, nanoseconds: 0 },
  });
  const [answer] = new Deframer().push(bytes('BD AF FE 00 01 1F FE 00 01 97 17 00 1B FA 2A 61 C8 00 00 00 04 FA BD'));
  const { time } = CLOCK.decodeResponse(decodePacket(answer!).message!.body);
  expect(new Date(time!.timeMs).toISOString()).toBe('2004-11-15T15:14:41.000Z');
});

test('asks for a file and for records as the document does [doc]', () => {
  const [file] = new Deframer().push(
    bytes('BD A0 01 70 04 10 01 00 04 1D 1D 00 00 43 50 55 3A 44 65 66 2E 74 64 66 00 00 00 00 00 00 00 80 27 EA BD'),
  );
  expect(READ_FILE.decodeCommand(decodePacket(file!).message!.body)).toEqual({
    securityCode: 0,
    name: 'CPU:Def.tdf',
    isLast: false,
    offset: 0,
    bytes: 128,
  });
  const [records] = new Deframer().push(
    bytes('BD A0 01 70 04 10 01 00 04 09 09 00 00 05 00 03 43 15 00 00 00 3C 00 00 C7 DF BD'),
  );
  expect(COLLECT.decodeCommand(decodePacket(records!).message!.body)).toEqual({
    securityCode: 0,
    table: 3,
    signature: 0x4315,
    selection: { mode: 'newest', count: 60 },
  });
});

test('says hello, and bye [log]', () => {
  const body = HELLO.encodeCommand({ isRouter: false, hopMetric: 2, verifySeconds: 1_800 });
  const link = { ...asked, linkState: LINK_STATE.ring, expect: EXPECT.more, protocol: PROTOCOL.control };
  expect(hexOf(encodePacket({ ...link, message: { type: HELLO.type, transaction: 1, body } }))).toBe(
    '90 01 58 02 00 01 08 02 09 01 00 02 07 08',
  );
  expect(HELLO.decodeResponse(bodyOf('A8 02 10 01 08 02 00 01 89 02 00 01 FF FF 24 57'))).toEqual({
    isRouter: false,
    hopMetric: 1,
    verifySeconds: 65_535,
  });
});

test.each([
  [
    'the clock',
    command(CLOCK, 4, CLOCK.encodeCommand({ securityCode: 0, adjustment: { seconds: 0, nanoseconds: 0 } })),
    'A0 01 98 02 10 01 08 02 17 04 00 00 00 00 00 00 00 00 00 00',
  ],
  [
    'the program',
    command(PROGRAM, 5, PROGRAM.encodeCommand({ securityCode: 0 })),
    'A0 01 98 02 10 01 08 02 18 05 00 00',
  ],
  [
    'a file',
    command(
      READ_FILE,
      6,
      READ_FILE.encodeCommand({ securityCode: 0, name: 'Filename', isLast: true, offset: 0, bytes: 512 }),
    ),
    'A0 01 98 02 10 01 08 02 1D 06 00 00 46 69 6C 65 6E 61 6D 65 00 01 00 00 00 00 02 00',
  ],
  [
    'records of a span of time',
    command(
      COLLECT,
      3,
      COLLECT.encodeCommand({
        securityCode: 0,
        table: 2,
        signature: 40_615,
        selection: {
          mode: 'times',
          from: { timeMs: Date.UTC(1990, 0, 1) + 712_142_640_000 },
          to: { timeMs: Date.UTC(1990, 0, 1) + 712_142_644_000 },
        },
      }),
    ),
    'A0 01 98 02 10 01 08 02 09 03 00 00 07 00 02 9E A7 2A 72 6F 30 00 00 00 00 2A 72 6F 34 00 00 00 00 00 00',
  ],
])('asks for %s [log]', (_what, packet, expected) => {
  expect(hexOf(packet)).toBe(expected);
});

test('reads the clock of a logger [log]', () => {
  const body = bodyOf('A8 02 10 01 18 02 00 01 97 05 00 2A 72 73 0A 3B 02 33 80 8D 6D');
  expect(CLOCK.decodeResponse(body)).toEqual({ code: 0, time: { timeMs: Date.UTC(1990, 0, 1) + 712_143_626_990 } });
});

test('reads the program of a logger [log]', () => {
  const body = bodyOf(
    'A8 02 10 01 18 02 00 01 98 05 00 43 52 31 30 30 30 2E 53 74 64 2E 32 34 00 30 00 45 34 36 36 38 00 43 50 55 3A 43 ' +
      '52 31 30 30 30 5F 4C 41 42 4F 2E 43 52 31 00 01 43 50 55 3A 43 52 31 30 30 30 5F 4C 41 42 4F 2E 43 52 31 00 0B ' +
      'B1 2A 61 51 8E 00 98 96 80 43 50 55 3A 43 52 31 30 30 30 5F 4C 41 42 4F 2E 43 52 31 20 2D 2D 20 43 6F 6D 70 69 ' +
      '6C 65 64 20 69 6E 20 50 69 70 65 6C 69 6E 65 4D 6F 64 65 2E 0D 0A 00 D3 41',
  );
  expect(PROGRAM.decodeResponse(body).program).toMatchObject({
    osVersion: 'CR1000.Std.24',
    osSignature: 0x3000,
    serialNumber: 'E4668',
    state: 1,
    name: 'CPU:CR1000_LABO.CR1',
    signature: 2_993,
    result: 'CPU:CR1000_LABO.CR1 -- Compiled in PipelineMode.\r\n',
  });
});

test('reads records of a table with an interval [log]', () => {
  const field = { isReadOnly: true, units: '', description: '', processing: 'Avg', type: 7, subDimensions: [] };
  const fields = Array.from({ length: 10 }, (_, n) => ({ ...field, name: `f${n}`, firstIndex: 1, dimension: 1 }));
  const interval = { seconds: 60, nanoseconds: 0 };
  const [, table] = decodeTableDefinitions(
    encodeTableDefinitions([
      { name: 'Status', sizeRecords: 1, timeType: 14, interval: { seconds: 0, nanoseconds: 0 }, fields: [] },
      { name: 'Table1', sizeRecords: 10_000, timeType: 14, interval, fields },
    ]),
  );
  const body = bytes(
    '00 02 00 01 5B DC 00 06 2A 72 AB 30 00 00 00 00 45 51 13 90 09 CA 09 B1 09 CB 09 DE A7 E0 BE AC 47 74 24 BD 45 51 ' +
      '13 90 09 CA 09 B1 09 CB 09 DE A7 DB BE A4 47 50 24 C7 45 51 13 90 09 CA 09 B1 09 CB 09 DE A7 D5 BE B0 47 6F 24 ' +
      'BF 45 51 13 90 09 CB 09 B1 09 CB 09 DE A7 B0 BE B6 47 4A 24 C2 45 51 13 90 09 CA 09 B1 09 CB 09 DE A7 D0 BE AD ' +
      '47 CB 24 BD 45 51 13 90 09 CA 09 B1 09 CB 09 DE A7 C8 BE D4 47 64 24 B3 00',
  );
  const { records, hasMore } = new RecordLayout(table!).collected(body);
  expect(hasMore).toBe(false);
  expect(records.map(({ number }) => number)).toEqual([89_052, 89_053, 89_054, 89_055, 89_056, 89_057]);
  expect(new Date(records[0]!.timeMs).toISOString()).toBe('2012-07-26T13:40:00.000Z');
  expect(new Date(records[5]!.timeMs).toISOString()).toBe('2012-07-26T13:45:00.000Z');
  expect(records[0]!.values.slice(0, 3)).toEqual([13.61, 5_008, 2_506]);
});

test('reads a call to all nodes, with a link state that no document names [issue]', () => {
  expect(received('EF FF 10 01 0F FF 00 01 0E 00 DD F0')).toMatchObject({
    linkState: 14,
    to: { neighbour: BROADCAST, node: BROADCAST },
    from: { node: 1 },
    message: { type: 0x0e, transaction: 0 },
  });
});
