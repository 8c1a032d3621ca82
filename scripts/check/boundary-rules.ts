/** An import from one file of the repository to another; paths from the root, a workspace's name as its folder. */
export type Import = {
  /** The importing file, e.g. `services/alarms/src/main.ts`. */
  from: string;
  /** What is imported: a file, or the folder of a workspace imported by name, e.g. `packages/errors`. */
  to: string;
};

type Rule = { name: string; because: string; isBroken: (imported: Import) => boolean };

const SHELL = ['cli', 'e2e', 'bench', 'scripts'];
const OUTSIDE_DOMAIN = /^services\/[^/]+\/src\/(store|transport|bus|usecases|routes|clients)(\/|$)/;
/** Not `packages/contracts`: the columns of the ingest log are values of historic's and alarms' domains as they are. */
const IMPURE_PACKAGES = new Set(['packages/pg', 'packages/bus', 'packages/grpc']);

const RULES: Rule[] = [
  {
    name: 'no-service-to-service',
    because: 'services share proto and packages; call by gRPC or listen on the bus',
    isBroken: ({ from, to }) => isService(from) && isService(to) && workspaceOf(from) !== workspaceOf(to),
  },
  {
    name: 'packages-know-no-service',
    because: 'packages are shared code; what uses them is above them',
    isBroken: ({ from, to }) => from.startsWith('packages/') && (isService(to) || SHELL.includes(workspaceOf(to))),
  },
  {
    name: 'services-know-no-tools',
    because: 'a service is deployed without the command line, the benchmarks and the scripts',
    isBroken: ({ from, to }) => isService(from) && SHELL.includes(workspaceOf(to)),
  },
  {
    name: 'e2e-is-black-box',
    because: 'end-to-end tests know the gateway by its URL only; of our code they may use @catchment/testkit',
    isBroken: ({ from, to }) => workspaceOf(from) === 'e2e' && !['e2e', 'packages/testkit'].includes(workspaceOf(to)),
  },
  {
    name: 'domain-is-pure',
    because: 'domain/ decides; what loads, saves and sends imports it, never the other way',
    isBroken: ({ from, to }) =>
      /^services\/[^/]+\/src\/domain\//.test(from) && (OUTSIDE_DOMAIN.test(to) || IMPURE_PACKAGES.has(workspaceOf(to))),
  },
  {
    name: 'workspaces-by-name',
    because: 'import @catchment/<name>, so that package.json tells the dependency',
    isBroken: ({ from, to }) => /^packages\/[^/]+\//.test(to) && workspaceOf(from) !== workspaceOf(to),
  },
];

/** The workspace a path is in: `packages/errors`, `services/alarms`, `e2e`. */
export function workspaceOf(path: string): string {
  const [top = '', name = ''] = path.split('/');
  return top === 'packages' || top === 'services' ? `${top}/${name}` : top;
}

function isService(path: string): boolean {
  return path.startsWith('services/');
}

/** One line for each import that breaks a rule, and for each cycle of packages. */
export function findViolations(imports: readonly Import[]): string[] {
  const broken = imports.flatMap((imported) =>
    RULES.filter((rule) => rule.isBroken(imported)).map(
      ({ name, because }) => `${name}: ${imported.from} imports ${imported.to} (${because})`,
    ),
  );
  return [...new Set(broken), ...findCycles(imports)];
}

/** Tests may use the testkit, which uses packages: only what runs in production counts here. */
function findCycles(imports: readonly Import[]): string[] {
  const needs = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [user, used] = [workspaceOf(from), workspaceOf(to)];
    if (user === used || isTest(from) || !used.startsWith('packages/')) continue;
    needs.set(user, (needs.get(user) ?? new Set()).add(used));
  }
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (workspace: string, path: readonly string[]) => {
    if (path.includes(workspace)) {
      const cycle = [...path.slice(path.indexOf(workspace)), workspace];
      cycles.push(`no-cycles: ${cycle.join(' → ')} (a package that needs itself cannot be understood alone)`);
      return;
    }
    if (finished.has(workspace)) return;
    for (const next of needs.get(workspace) ?? []) visit(next, [...path, workspace]);
    finished.add(workspace);
  };
  for (const workspace of needs.keys()) visit(workspace, []);
  return cycles;
}

function isTest(file: string): boolean {
  return /\.test\.ts$|\/test\//.test(file);
}
