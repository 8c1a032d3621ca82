/** Says that tests repeat what they do as often as they can (`npm run test:long`). */
export const LONG_ENV = 'CATCHMENT_TEST_LONG';

/** True in `npm run test:long`, which has minutes for a test of kills, moves or floods. */
export const isLong = process.env[LONG_ENV] === 'true';

/**
 * Returns how often a test repeats what it does: enough for a fault that is always there, and many more times in `npm
 * run test:long`.
 */
export const amount = (usual: number, long: number): number => (isLong ? long : usual);

/**
 * Returns the seed of random cases: the same in every `npm test`, so that no run is red by chance, and another one each time in `npm run
 * test:long`.
 * @param variable of the environment that names another one, such as FUZZ_SEED
 */
export const seedOf = (variable: string): number =>
  Number(process.env[variable] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1));
