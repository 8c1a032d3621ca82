import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { FilesServiceService } from '@catchment/contracts/files';
import { RenderServiceService } from '@catchment/contracts/render';
import { notFound } from '@catchment/errors';
import {
  CallerSigner,
  CallerVerifier,
  createGrpcClient,
  type GrpcClient,
  GrpcServerBuilder,
  type Handlers,
} from '@catchment/grpc';
import { createLogger } from '@catchment/telemetry';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { PDFDocument } from '@napi-rs/canvas';
import { encode } from 'bmp-ts';
import sharp from 'sharp';
import { createDrawPool, type DrawPool } from '../src/clients/drawing/draw-pool.ts';
import { filesClient } from '../src/clients/files-client.ts';
import { renderHandlers } from '../src/transport/render-handlers.ts';
import { drawingMemory } from '../src/usecases/drawing-memory.ts';
import type { RenderDeps } from '../src/usecases/render-chart.ts';
import { noReports } from './builders.ts';

const SECRET = randomBytes(32).toString('hex');
const log = createLogger('render-test', { level: 'silent' });
const SEGMENT_BYTES = 1000;
/** The key is the id; the nodes service gives the nodes out in this form. */
const stored = new Map<string, Uint8Array>();
const closing: (() => unknown)[] = [];
let pool: DrawPool;
let client: GrpcClient<RenderServiceService>;
let service: { token: string };

const verifier = new CallerVerifier(SECRET);
beforeAll(async () => {
  service = { token: await new CallerSigner(SECRET).sign({ kind: 'service', service: 'gateway' }) };
  pool = await createDrawPool({ threads: 1, heapMegabytes: 512 });
  const handlers = {
    async readSegment({ fileId, index }) {
      const bytes = stored.get(fileId);
      if (!bytes) throw notFound();
      return { data: Buffer.from(bytes.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES)) };
    },
  } satisfies Partial<Handlers<FilesServiceService>>;
  const nodes = await new GrpcServerBuilder({ verifier, log })
    .add(FilesServiceService, handlers as unknown as Handlers<FilesServiceService>)
    .listen({ host: '127.0.0.1', port: 0 });
  const files = createGrpcClient(FilesServiceService, `127.0.0.1:${nodes.port}`);
  const unused = undefined as unknown as RenderDeps;
  const server = await new GrpcServerBuilder({ verifier, log })
    .add(
      RenderServiceService,
      renderHandlers(
        {
          ...unused,
          files: filesClient(files),
          previewing: pool,
          maxMs: 30_000,
          memory: drawingMemory({ mib: 1_000, waiting: 10 }),
          now: Date.now,
        },
        noReports,
      ),
    )
    .listen({ host: '127.0.0.1', port: 0 });
  client = createGrpcClient(RenderServiceService, `127.0.0.1:${server.port}`);
  closing.push(
    () => client.close(),
    () => server.close(),
    () => files.close(),
    () => nodes.close(),
    () => pool.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

async function previewOf(bytes: Uint8Array): Promise<Buffer> {
  const fileId = randomBytes(12).toString('hex');
  stored.set(fileId, bytes);
  const request = { fileId, size: bytes.length, segmentBytes: SEGMENT_BYTES };
  return (await client.renderPreview(request, { ...service, timeoutMs: HANGS_AFTER_MS })).jpeg;
}

const WIDTH = 960;
const HEIGHT = 640;
/** Draws the left half red, the right half blue. */
const picture = (width = WIDTH, height = HEIGHT) =>
  sharp({ create: { width, height, channels: 3, background: '#d01010' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#1010d0' } },
      left: width / 2,
      top: 0,
    },
  ]);
const bitmap = async () => {
  const data = await picture().ensureAlpha(0).raw().toBuffer();
  // The encoder takes ABGR.
  for (let i = 0; i < data.length; i += 4) data.subarray(i, i + 4).reverse();
  return encode({ data, width: WIDTH, height: HEIGHT, bitPP: 24 }).data;
};

/** Puts the picture on the first page of two. */
const pdf = (width = WIDTH, height = HEIGHT) => {
  const document = new PDFDocument();
  const page = document.beginPage(width, height);
  page.fillStyle = '#d01010';
  page.fillRect(0, 0, width / 2, height);
  page.fillStyle = '#1010d0';
  page.fillRect(width / 2, 0, width / 2, height);
  document.endPage();
  document.beginPage(width, height);
  document.endPage();
  return document.close();
};
/** Makes a PDF of one page with what it draws compressed. */
function pdfDrawing(content: Buffer): Buffer {
  const stream = deflateSync(content);
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>'),
    Buffer.concat([
      Buffer.from(`<</Filter/FlateDecode/Length ${stream.length}>>stream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
  ];
  const head = Buffer.from('%PDF-1.4\n');
  const parts = objects.map((object, i) =>
    Buffer.concat([Buffer.from(`${i + 1} 0 obj`), object, Buffer.from('endobj\n')]),
  );
  const offsets = parts.map((_, i) => head.length + Buffer.concat(parts.slice(0, i)).length);
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  const end = Buffer.from(
    `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${head.length + Buffer.concat(parts).length}\n%%EOF`,
  );
  return Buffer.concat([head, ...parts, end]);
}

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ['PDF', pdf],
  ['JPEG', () => picture().jpeg().toBuffer()],
  ['PNG', () => picture().png().toBuffer()],
  ['GIF', () => picture().gif().toBuffer()],
  ['WebP', () => picture().webp().toBuffer()],
  ['TIFF', () => picture().tiff().toBuffer()],
  ['BMP', bitmap],
])('%s has a preview of 480 px that shows the picture', async (_format, make) => {
  const jpeg = await previewOf(await make());
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 480, height: 320, channels: 3 });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  const [left, right] = [at(100, 160), at(400, 160)];
  expect(left[0]! - left[2]!).toBeGreaterThan(120);
  expect(right[2]! - right[0]!).toBeGreaterThan(120);
  expect((await sharp(jpeg).metadata()).format).toBe('jpeg');
});

test('small pictures stay as small as they are, and transparent ones are white', async () => {
  const png = await sharp({ create: { width: 30, height: 20, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer();
  const { data, info } = await sharp(await previewOf(png))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 30, height: 20 });
  expect(data[0]).toBeGreaterThan(250);
});

test('a PDF is shown by its first page, and a small page is not enlarged', async () => {
  expect(await sharp(await previewOf(pdf(200, 300))).metadata()).toMatchObject({ width: 200, height: 300 });
  const drawn = await sharp(await previewOf(pdfDrawing(Buffer.from('1 0 0 rg 0 0 200 200 re f'))))
    .raw()
    .toBuffer();
  expect(drawn[0]! - drawn[2]!).toBeGreaterThan(200);
});

test('a photo is shown as the camera was held', async () => {
  const jpeg = await previewOf(await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer());
  expect(await sharp(jpeg).metadata()).toMatchObject({ width: 320, height: 480 });
});

const header = (width: number, height: number) => {
  const bytes = Buffer.alloc(200);
  bytes.write('BM');
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(24, 28);
  return bytes;
};

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ['text', () => Buffer.from('no picture')],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['half a PNG', async () => (await picture().png().toBuffer()).subarray(0, 900)],
  [
    'a PNG with noise inside',
    async () => Buffer.concat([(await picture().png().toBuffer()).subarray(0, 60), randomBytes(3000)]),
  ],
  ['a BMP without pixels', () => header(10, 10).subarray(0, 40)],
  ['a BMP that says it is enormous', () => header(100_000, 100_000)],
  ['a PDF with noise inside', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5000)])],
  ['half a PDF', () => pdf().subarray(0, 300)],
  ['a PDF that unpacks to more than its memory', () => pdfDrawing(Buffer.alloc(500_000_000, ' '))],
  ['one byte', () => Buffer.from([0xff])],
])('%s has none', async (_what, make) => {
  expect(await previewOf(await make())).toHaveLength(0);
});

test('bytes that are gone are not found; strangers are refused', async () => {
  const request = { fileId: 'f'.repeat(24), size: 10, segmentBytes: 10 };
  await expect(client.renderPreview(request, service)).rejects.toMatchObject({ kind: 'not_found' });
  const token = await new CallerSigner(SECRET).sign({
    kind: 'api',
    ownerId: 'a'.repeat(24),
    userId: 'b'.repeat(24),
    username: 'u@example.org',
    permission: 'MODIFY',
    accessLevel: 'ACCOUNT',
  });
  await expect(client.renderPreview(request, { token })).rejects.toMatchObject({ kind: 'permission_denied' });
});
