import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultyLine, type SimulatedLogger } from '@catchment/pakbus/simulator';
import { Faults } from '../station/faults.ts';
import { type LoggerOptions, loggerMaker } from './logger-options.ts';

export type SimulateLoggersOptions = LoggerOptions & {
  readonly host: string;
  /** The first logger listens here, the next ones on the ports after it (0: any), or all of them call this port. */
  readonly port: number;
  /** Loggers call in by these ids, one each; undefined: loggers listen. */
  readonly callIds?: readonly string[];
  readonly count: number;
  /** Stops the loggers; the promise then resolves. */
  readonly signal: AbortSignal;
  /** One line per event. */
  readonly log: (line: string) => void;
  readonly now?: () => number;
};

const CALL_AGAIN_MS = 10_000;

type Served = { readonly logger: SimulatedLogger; readonly connected: () => void };

/** Runs loggers until `signal` aborts. @throws Error when a port or a file cannot be used */
export async function simulateLoggers(options: SimulateLoggersOptions): Promise<void> {
  const { callIds, count, now = Date.now } = options;
  const make = loggerMaker(options, now);
  const loggers = Array.from({ length: callIds?.length ?? count }, make);
  const clocks = new Faults(options.faults, options.seed);
  const connected = (logger: SimulatedLogger): void => {
    const errorMs = clocks.clockError();
    if (errorMs === 0) return;
    logger.moveClock(errorMs);
    options.log(`the clock jumps by ${Math.round(errorMs / 1_000)} s`);
  };
  await Promise.all(
    loggers.map((logger, n) => {
      const served = { logger, connected: () => connected(logger) };
      return callIds ? callIn(served, callIds[n]!, options) : listen(served, n, options);
    }),
  );
}

async function listen(served: Served, n: number, options: SimulateLoggersOptions): Promise<void> {
  const { host, port, signal, log } = options;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    served.connected();
    serve(served, socket, options);
  });
  server.listen(port === 0 ? 0 : port + n, host);
  await once(server, 'listening', { signal });
  const { port: open } = server.address() as { port: number };
  log(`listens on ${host}:${open}`);
  if (!signal.aborted) await once(signal, 'abort');
  for (const socket of sockets) socket.destroy();
  server.close();
}

async function callIn(served: Served, id: string, options: SimulateLoggersOptions): Promise<void> {
  const { host, port, signal, log } = options;
  while (!signal.aborted) {
    const socket = connect({ host, port });
    const stop = () => socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => {
      log(`${id} has called ${host}:${port}`);
      served.connected();
      socket.write(`${id}\r\n`);
    });
    serve(served, socket, options);
    await new Promise((resolve) => socket.once('close', resolve));
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) log(`${id} is not connected; calls again in ${CALL_AGAIN_MS / 1_000} s`);
    await sleep(CALL_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

function serve({ logger }: Served, socket: Socket, { faults, seed, log }: SimulateLoggersOptions): void {
  const answer = logger.line();
  const damage = faultyLine(faults, seed);
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => {
    for (const frame of damage(answer(bytes))) socket.write(frame);
  });
  socket.on('error', (error) => log(`connection: ${error.message}`));
}
