// `npm run score -w deploy` shows what kube-score and kubeconform, which others judge charts by, have against the renders. Each finding of
// kube-score is explained in deploy/README.md, or it is a problem.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { closedSchemas } from './kubernetes-schemas.ts';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const README = path.resolve(import.meta.dirname, '../README.md');
const TOOLS = {
  'kube-score': {
    program: process.env.KUBE_SCORE ?? 'kube-score',
    module: 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
  },
  kubeconform: {
    program: process.env.KUBECONFORM ?? 'kubeconform',
    module: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  },
} as const;
/** Rows of the README have the name of a check, the kinds that it may be about, and why that is right. */
const ROW = /^\| `([a-z-]+)` \| ([A-Za-z, ]+) \| .+ \|$/gm;
/** A check of kube-score below this grade is passed, or has nothing to say. */
const GRADE_OK = 10;

type Scored = {
  readonly object_name: string;
  readonly type_meta: { readonly kind: string };
  readonly checks: readonly {
    readonly check: { readonly id: string };
    readonly grade: number;
    readonly skipped: boolean;
    readonly comments: readonly { readonly summary: string }[] | null;
  }[];
};

let failures = 0;
function report(what: string, problems: readonly string[]): void {
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${what}\n`);
  for (const problem of problems) process.stdout.write(`       ${problem}\n`);
  failures += problems.length;
}

/** @returns what it prints; a tool says by its exit code too that it has found something */
async function run(tool: keyof typeof TOOLS, args: readonly string[], input: string): Promise<string> {
  const { program, module } = TOOLS[tool];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error(`${tool} is not there: go install ${module}`)));
  });
  child.stdin.end(input);
  const [out, error] = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed]);
  return out || error;
}

/** Returns `check kind` of each finding in a render; `used` gets those that the README explains. */
async function score(name: string, rendered: string, explained: ReadonlyMap<string, string>, used: Set<string>) {
  const objects = JSON.parse(await run('kube-score', ['score', '--output-format', 'json', '-'], rendered)) as Scored[];
  const findings = objects.flatMap(({ object_name, type_meta, checks }) =>
    checks
      .filter(({ grade, skipped }) => !skipped && grade < GRADE_OK)
      .map(({ check, comments }) => ({ id: check.id, kind: type_meta.kind, object_name, why: comments?.[0]?.summary })),
  );
  const unexplained = findings.filter(({ id, kind }) => {
    const isExplained = explained.get(id)?.split(', ').includes(kind) ?? false;
    if (isExplained) used.add(id);
    return !isExplained;
  });
  report(
    `${name}: kube-score, ${findings.length} findings that are explained`,
    unexplained.map(({ id, kind, object_name, why }) => `${id}: ${kind} ${object_name}: ${why}`),
  );
}

/** Writes a file for each kind, as kubeconform looks for them. */
async function writeSchemas(folder: string): Promise<void> {
  const { kinds, schemas } = await closedSchemas('#/components/schemas');
  for (const [kind, name] of Object.entries(kinds)) {
    const parts = kind.split('/');
    const resource = parts.pop() as string;
    const [group, version] = parts.length > 1 ? parts : [undefined, parts[0]];
    const suffix = [group?.split('.')[0], version].filter(Boolean).join('-');
    const schema = { $ref: `#/components/schemas/${name}`, components: { schemas } };
    await writeFile(path.join(folder, `${resource}-${suffix}.json`.toLowerCase()), JSON.stringify(schema));
  }
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'schemas-'));
try {
  const readme = await readFile(README, 'utf8');
  const explained = new Map([...readme.matchAll(ROW)].map(([, id, kinds]) => [id as string, kinds as string]));
  const used = new Set<string>();
  await mkdir(folder, { recursive: true });
  await writeSchemas(folder);
  for (const file of (await readdir(GOLDEN)).sort()) {
    const rendered = await readFile(path.join(GOLDEN, file), 'utf8');
    const name = path.basename(file, '.yaml');
    await score(name, rendered, explained, used);
    const args = [
      '-strict',
      '-schema-location',
      `${folder}/{{.ResourceKind}}{{.KindSuffix}}.json`,
      '-output',
      'json',
      '-',
    ];
    const { resources } = JSON.parse(await run('kubeconform', args, rendered)) as {
      resources: { msg: string }[] | null;
    };
    report(
      `${name}: kubeconform`,
      (resources ?? []).map((resource) => JSON.stringify(resource)),
    );
  }
  report(
    'every explanation in deploy/README.md is needed',
    [...explained.keys()].filter((id) => !used.has(id)),
  );
} catch (error) {
  report('both tools run', [(error as Error).message]);
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = failures === 0 ? 0 : 1;
