// `npm run served -w packages/contracts` takes the present contracts as those that are served, against which later ones are checked.
import path from 'node:path';
import { runTool } from '../../check/run-tool.ts';
import { installedTools } from '../installed.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const { status, printed } = await runTool(
  'buf',
  ['build', 'proto', '--exclude-source-info', '-o', 'proto/served.binpb.gz'],
  root,
  await installedTools('proto'),
);
if (printed) console.error(printed);
process.exitCode = status;
