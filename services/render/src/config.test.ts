import { config } from './config.ts';

const NEEDED = {
  GRPC_PORT: '1',
  HEALTH_PORT: '2',
  SERVICE_TOKEN_SECRET: 'x'.repeat(32),
  NODES_ADDRESS: 'nodes:1',
  HISTORIC_ADDRESS: 'historic:1',
  EVENTS_ADDRESS: 'events:1',
};

test('what is not set has a default', () => {
  expect(config.read(NEEDED)).toMatchObject({
    grpcHost: '127.0.0.1',
    drawThreads: 2,
    maxRecords: 1_000_000,
    maxMs: 60_000,
  });
});

test.each([
  ['SERVICE_TOKEN_SECRET', { SERVICE_TOKEN_SECRET: 'short' }],
  ['NODES_ADDRESS', { NODES_ADDRESS: '' }],
  ['HISTORIC_ADDRESS', { HISTORIC_ADDRESS: '' }],
  ['GRPC_PORT', { GRPC_PORT: '70000' }],
  ['HEALTH_PORT', { HEALTH_PORT: '' }],
  ['EVENTS_ADDRESS', { EVENTS_ADDRESS: '' }],
  ['CHROMIUM_SANDBOX', { CHROMIUM_SANDBOX: 'perhaps' }],
  ['REPORT_PAGES', { REPORT_PAGES: '0' }],
  ['REPORT_IDLE_SECONDS', { REPORT_IDLE_SECONDS: '0' }],
  ['DRAW_THREADS', { DRAW_THREADS: '0' }],
  ['DRAW_HEAP_MB', { DRAW_HEAP_MB: '1' }],
  ['RESPONSE_MAX_FIELDS', { RESPONSE_MAX_FIELDS: 'many' }],
  ['REQUEST_MAX_SECONDS', { REQUEST_MAX_SECONDS: '-1' }],
])('refuses to start with a wrong %s', (name, wrong) => {
  expect(() => config.read({ ...NEEDED, ...wrong })).toThrow(name);
});
