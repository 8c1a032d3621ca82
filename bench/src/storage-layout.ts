import os from 'node:os';
import { CONNECTIONS } from './load.ts';
import { measureFields } from './storage-layout/fields.ts';
import { LayoutServer } from './storage-layout/layout-server.ts';
import { BATCH } from './storage-layout/measure.ts';
import { measureModified } from './storage-layout/modified.ts';
import { measureOverwrite } from './storage-layout/overwrite.ts';
import { thousands } from './storage-layout/print.ts';
import { measureShards } from './storage-layout/shards.ts';
import { measureTags } from './storage-layout/tags.ts';
import { measureTimeRange } from './storage-layout/time-range.ts';

/**
 * The measurements behind docs/adr/0002-storage-layout.md, on an InfluxDB of their own. Arguments name sections (`a d`);
 * none = all.
 */
const SECTIONS: Readonly<Record<string, (server: LayoutServer) => Promise<void>>> = {
  a: measureFields,
  b: measureTags,
  c: measureOverwrite,
  d: measureModified,
  e: () => measureShards(),
  f: measureTimeRange,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in SECTIONS));
if (unknown !== undefined) {
  console.error(`unknown section ${unknown}: ${Object.keys(SECTIONS).join(', ')} (g is part of b)`);
  process.exit(2);
}

// The server inherits it.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
const began = performance.now();
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await using server = await LayoutServer.start();
  if (name === 'a' || wanted.length > 0) {
    console.log(
      `InfluxDB ${server.version}, ${os.availableParallelism()} cores, ${CONNECTIONS} connections, batches of ${thousands(BATCH)}`,
    );
  }
  const sectionBegan = performance.now();
  await measure(server);
  console.log(`\n(${name}: ${Math.round((performance.now() - sectionBegan) / 1000)} s)`);
}
console.log(`\n${Math.round((performance.now() - began) / 1000)} s in all`);
