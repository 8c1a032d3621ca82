// The steps of the run: each takes servers away from a running installation.
import { setTimeout as delay } from 'node:timers/promises';
import { type Backends, leaderOfLog, untilCurrent } from './backends.ts';

/** A step needs this of the run around it. */
type Scene = {
  readonly backends: Backends;
  readonly copies: number;
  /** Something is away now: looks what `catchment doctor` says of it. */
  readonly broken: () => Promise<void>;
};

export type Step = {
  readonly name: string;
  readonly what: string;
  /** Longest time without an answered write and read, ms. */
  readonly limits: { readonly writesMs: number; readonly readsMs: number };
  /** `catchment doctor` says this meanwhile: the beginning of what a problem is about. */
  readonly problem?: string;
  /** Breaks something, has it looked at, and repairs it. */
  readonly run: (scene: Scene) => Promise<void>;
};

/** In the usual case one of three is away. */
const FEW = { writesMs: 15_000, readsMs: 15_000 };
/** Two servers are away so long, without any answer. */
const AWAY_MS = 15_000;
const FAIL_OVER = { writesMs: 20_000, readsMs: 20_000 };
const CALM_MS = 5_000;
/** A server that was ended by its supervisor is away for a moment. */
const UPGRADE_MS = 1_000;

async function loseOne({ backends: { nats }, copies, broken }: Scene, name: string): Promise<void> {
  const server = nats.servers.get(name);
  await server?.kill();
  await broken();
  await server?.restart();
  await untilCurrent(nats, copies);
}

/** Returns the names of the servers that do not lead the ingest log now. */
async function followers({ backends: { nats } }: Scene): Promise<string[]> {
  const leader = await leaderOfLog(nats);
  return [...nats.servers.keys()].filter((name) => name !== leader);
}

async function failOver({ backends: { postgres }, broken }: Scene): Promise<void> {
  await postgres.failOver();
  await broken();
  await postgres.rejoin();
}

export const STEPS: readonly Step[] = [
  {
    name: 'leader',
    what: 'the NATS server that leads the ingest log is killed',
    limits: FEW,
    problem: 'stream',
    run: async (scene) => loseOne(scene, await leaderOfLog(scene.backends.nats)),
  },
  ...[0, 1].map((index) => ({
    name: `follower-${index + 1}`,
    what: 'another NATS server is killed',
    limits: FEW,
    problem: 'stream',
    run: async (scene: Scene) => loseOne(scene, (await followers(scene))[index] ?? ''),
  })),
  {
    name: 'quorum',
    what: `two of three NATS servers are away for ${AWAY_MS / 1_000} s`,
    limits: { writesMs: AWAY_MS + 25_000, readsMs: FEW.readsMs },
    problem: 'nats',
    run: async (scene) => {
      const { nats } = scene.backends;
      const away = [...nats.servers.values()].slice(0, 2);
      await Promise.all(away.map((server) => server.kill()));
      await Promise.all([scene.broken(), delay(AWAY_MS)]);
      await Promise.all(away.map((server) => server.restart()));
      await untilCurrent(nats, scene.copies);
    },
  },
  {
    name: 'roll',
    what: 'all three NATS servers are restarted, one after the other',
    limits: FEW,
    run: async ({ backends: { nats }, copies }) => {
      for (const server of nats.servers.values()) {
        await server.stop();
        await delay(UPGRADE_MS);
        await server.restart();
        await untilCurrent(nats, copies);
      }
    },
  },
  {
    name: 'standby',
    what: 'the synchronous standby of PostgreSQL is killed: no commit is answered',
    limits: FEW,
    problem: 'postgresql',
    run: async ({ backends: { postgres }, broken }) => {
      const { standby } = postgres;
      await standby?.kill();
      await broken();
      await standby?.restart();
    },
  },
  {
    name: 'primary',
    what: 'the primary of PostgreSQL is killed, its standby takes over',
    limits: FAIL_OVER,
    run: failOver,
  },
  {
    name: 'back',
    what: 'the same back to the first server',
    limits: FAIL_OVER,
    run: failOver,
  },
];

export { CALM_MS };
