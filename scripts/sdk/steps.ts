import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Ended, inTurn, run } from '../tools/run.ts';
import { environmentOf, PYTHON_SDK, type Python } from './pythons.ts';
import { rSteps } from './r-steps.ts';
import type { Place, Step } from './step.ts';
import { typescriptSteps } from './typescript-steps.ts';

/** Lists what is tried, in order. */
export function steps({
  place,
  pythons,
  withR,
  withTypescript,
}: {
  readonly place: Place;
  readonly pythons: readonly Python[];
  readonly withR: boolean;
  readonly withTypescript: boolean;
}): Step[] {
  const newest = pythons.at(-1);
  return [
    ...pythons.flatMap((python) => pythonSteps(python, place)),
    ...(newest ? onceSteps(newest, place) : []),
    ...(withR ? rSteps(place) : []),
    ...(withTypescript ? typescriptSteps(place) : []),
  ];
}

const environmentVariables = ({ url, key, readerKey, examples }: Place): NodeJS.ProcessEnv => ({
  CATCHMENT_URL: url,
  CATCHMENT_KEY: key,
  CATCHMENT_READER_KEY: readerKey,
  CATCHMENT_EXAMPLES: examples,
  CATCHMENT_DATA: path.resolve(PYTHON_SDK, '../../e2e/data'),
});

const inSdk = async (python: Python, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  run(await environmentOf(python), args, { cwd: PYTHON_SDK, env: { PYTHONDONTWRITEBYTECODE: '1', ...env } });

const pythonSteps = (python: Python, place: Place): Step[] => [
  {
    what: `tests on Python ${python.version}, with a server`,
    run: () => inSdk(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], environmentVariables(place)),
  },
  {
    what: `the wheel in an empty environment of Python ${python.version}`,
    run: () => wheelWorks(python, place),
  },
];

/** These steps do not depend on the version of Python. */
const onceSteps = (python: Python, place: Place): Step[] => [
  { what: 'models of the Python client are up to date', run: () => inSdk(python, ['scripts/generate.py', '--check']) },
  { what: 'types of the Python client (mypy --strict)', run: () => inSdk(python, ['-m', 'mypy']) },
  {
    what: 'the tutorial, the README and the examples of docs/ run',
    run: () => inSdk(python, ['scripts/run_docs.py'], environmentVariables(place)),
  },
];

/** The wheel is built, and installed where nothing else is: with no extra, then with pandas. */
async function wheelWorks(python: Python, place: Place): Promise<Ended> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-wheel-'));
  const emptyPython = path.join(folder, 'empty/bin/python');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const env = environmentVariables(place);
  const script = (text: string) => () => run(emptyPython, ['-c', text], { cwd: folder, env });
  const wheel = async () => path.join(folder, (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? 'none');
  try {
    return await inTurn(
      () => inSdk(python, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', folder]),
      () => run(python.command, ['-m', 'venv', path.join(folder, 'empty')], { cwd: folder }),
      async () => run(emptyPython, [...pip, await wheel()], { cwd: folder }),
      script(WITHOUT_EXTRAS),
      async () => run(emptyPython, [...pip, `${await wheel()}[pandas]`], { cwd: folder }),
      script(WITH_PANDAS),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const WITHOUT_EXTRAS = `
import importlib.metadata, pathlib, catchment
assert (pathlib.Path(catchment.__file__).parent / "py.typed").is_file()
assert importlib.metadata.version("catchment-client") == catchment.__version__
with catchment.Client() as c:
    c.tree()
    try:
        c.read("@nowhere", limit=1)
    except (catchment.NotFoundError, catchment.MissingExtraError) as error:
        print(error)
`;
const WITH_PANDAS = `
import catchment
with catchment.Client() as c:
    print(c.tree().to_frame().shape)
`;
