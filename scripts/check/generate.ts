import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installedTools } from '../tools/installed.ts';
import { API_SCHEMAS, apiSchemasText } from './api-schemas.ts';
import { CHART_LISTENERS, chartListenersText } from './chart-listeners.ts';
import { COMMANDS_PAGE, commandsPageText } from './commands-page.ts';
import { METRICS_PAGE, metricsPageText } from './metrics-page.ts';
import { REASONS_PAGE, reasonsPageText } from './reasons-page.ts';
import { runTool } from './run-tool.ts';
import { GENERATED_SDK, generateSdk } from './sdk.ts';

export const GENERATED = 'packages/contracts/src/generated';

/** Generated code imports under these names what the package has of its own. */
const VIEW = 'bufferOf';
const NO_BYTES = 'NO_BYTES';
/** The generator copies bytes where a view of them does; for a body of 56 kB that is 4 copies from the gateway to historic. */
const COPIES = /Buffer\.from\((reader\.bytes\(\)|\w+\.encode\(value\)\.finish\(\))\)/g;
/** Each message makes one for each of its fields before it is read. */
const EMPTY = /Buffer\.alloc\(0\)/g;
/** A text between both is half of the cost of reading a number. */
const BY_TEXT = 'globalThis.Number(int64.toString())';
const FIRST_IMPORT = /^import /m;

/**
 * Generates code from the proto files of `root`, the schemas of the API from the tables of the services, the pages of reasons, metrics and commands,
 * the listeners of the chart, the description of the API, and what clients are made of it.
 * @returns what went wrong
 */
export async function generate(root: string): Promise<string | undefined> {
  const { status, printed } = await runTool('buf', ['generate', 'proto'], root, await installedTools('proto'));
  if (status !== 0) return printed;
  const folder = path.join(root, GENERATED);
  for await (const file of glob('**/*.ts', { cwd: folder })) {
    const text = await readFile(path.join(folder, file), 'utf8');
    const changed = withoutWaste(text, path.relative(path.dirname(file), '..'));
    if (changed !== text) await writeFile(path.join(folder, file), changed);
  }
  const schemas = path.join(folder, API_SCHEMAS);
  await mkdir(path.dirname(schemas), { recursive: true });
  await writeFile(schemas, apiSchemasText());
  for (const [page, text] of [
    [REASONS_PAGE, reasonsPageText()],
    [METRICS_PAGE, await metricsPageText()],
    [COMMANDS_PAGE, await commandsPageText()],
    [CHART_LISTENERS, chartListenersText()],
  ] as const) {
    await mkdir(path.dirname(path.join(root, page)), { recursive: true });
    await writeFile(path.join(root, page), text);
  }
  return generateSdk(root);
}

/** These single files are generated, below the root. */
export const GENERATED_FILES = [REASONS_PAGE, METRICS_PAGE, COMMANDS_PAGE, CHART_LISTENERS, ...GENERATED_SDK] as const;

/** @param source the folder of bytes.ts, from that of the file */
export function withoutWaste(text: string, source: string): string {
  const changed = text
    .replace(COPIES, `${VIEW}($1)`)
    .replace(EMPTY, NO_BYTES)
    .replace(BY_TEXT, 'globalThis.Number(int64)');
  const names = [NO_BYTES, VIEW].filter((name) => changed.includes(name));
  return names.length === 0
    ? changed
    : changed.replace(FIRST_IMPORT, `import { ${names.join(', ')} } from "${source}/bytes.ts";\nimport `);
}
