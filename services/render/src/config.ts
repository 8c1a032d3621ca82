import { requestMaxSeconds, responseMaxBytes, responseMaxFields } from '@catchment/config';
import { allowedRanges } from '@catchment/egress';
import { serviceConfig } from '@catchment/service';

/** Reads what render uses, and its settings; see README. */
export const config = serviceConfig({
  name: 'render',
  uses: { peers: ['nodes', 'historic', 'events'] },
  settings: (read) => ({
    /** The program in PATH is taken where it is empty. */
    chromiumPath: read.text('CHROMIUM_PATH', { fallback: '' }),
    searchPath: read.text('PATH', { fallback: '' }),
    chromiumSandbox: read.oneOf('CHROMIUM_SANDBOX', ['auto', 'on', 'off'], { fallback: 'auto' }),
    reportPages: read.int('REPORT_PAGES', { min: 1, max: 16, fallback: 2 }),
    reportQueue: read.int('REPORT_QUEUE', { min: 0, max: 10_000, fallback: 50 }),
    reportIdleSeconds: read.int('REPORT_IDLE_SECONDS', { min: 1, max: 86_400, fallback: 300 }),
    egressAllowedRanges: allowedRanges(read, 'EGRESS_ALLOWED_RANGES'),
    drawThreads: read.int('DRAW_THREADS', { min: 1, max: 64, fallback: 2 }),
    drawMemoryMegabytes: read.int('DRAW_MEMORY_MB', { min: 600, max: 1_048_576, fallback: 1_000 }),
    drawQueue: read.int('DRAW_QUEUE', { min: 0, max: 10_000, fallback: 250 }),
    drawHeapMegabytes: read.int('DRAW_HEAP_MB', { min: 128, max: 65_536, fallback: 512 }),
    maxRecords: responseMaxFields(read),
    maxBytes: responseMaxBytes(read),
    maxMs: requestMaxSeconds(read) * 1_000,
  }),
});
