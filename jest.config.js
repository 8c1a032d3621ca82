// One runner for unit, integration and e2e tests; `npm test -- --testPathPatterns tenancy` narrows it down.
export default {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/\\.catchment/'],
  modulePathIgnorePatterns: ['/\\.catchment/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'esnext', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  // Ends what hangs: no promise of how long a test takes, on a machine that does other things too.
  testTimeout: 600_000,
  // Both cores; the servers under test need a share of them too.
  maxWorkers: 2,
  // Opens a broker that starts PostgreSQL, NATS or InfluxDB when the first test asks for it.
  globalSetup: './packages/testkit/src/jest-global-setup.ts',
  globalTeardown: './packages/testkit/src/jest-global-teardown.ts',
};
