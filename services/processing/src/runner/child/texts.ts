import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FunctionKind } from '../../usecases/sandbox.ts';

const require = createRequire(import.meta.url);
const textOf = (file: string | URL): string => readFileSync(file, 'utf8');

/** Makes the kernel of a realm, of its parts. */
export const KERNEL = textOf(new URL('./kernel/kernel.js', import.meta.url));
const PARTS = {
  words: new URL('./kernel/words.js', import.meta.url),
  random: new URL('./kernel/random.js', import.meta.url),
  libraries: new URL('./kernel/libraries.js', import.meta.url),
  values: new URL('./kernel/values.js', import.meta.url),
  failures: new URL('./kernel/failures.js', import.meta.url),
  runs: new URL('./kernel/runs.js', import.meta.url),
  nodes: new URL('./kernel/nodes.js', import.meta.url),
  console: new URL('./kernel/console.js', import.meta.url),
};
const partOf = ([name, file]: [string, URL]): string => `${name}: ${textOf(file).trim().replace(/;$/, '')}`;
/** The value of this text is an object of the kernel's parts, each a function that makes it. */
export const KERNEL_PARTS = `({${Object.entries(PARTS).map(partOf).join(',')}})`;
/** Seals a realm before the program comes. */
export const HARDEN = textOf(new URL('./harden.js', import.meta.url));
/** These call the functions of decoders and converters: evaluated after them, in the same engine. */
export const CALLERS: Readonly<Record<FunctionKind, string>> = {
  decoder: textOf(new URL('./call-decoder.js', import.meta.url)),
  converter: textOf(new URL('./call-converter.js', import.meta.url)),
};

/** This makes `Buffer` and its like of the libraries below. */
export const BYTES = textOf(new URL('./bytes.js', import.meta.url));

/** Libraries as a text whose value is an object of functions (module, exports, require). */
const libraries = (modules: readonly (readonly [name: string, file: string])[]): string =>
  `({${modules.map(([name, file]) => `${JSON.stringify(name)}: function (module, exports, require) {${textOf(file)}\n}`).join(',')}})`;

const everpolate = [
  ['everpolate/everpolate', require.resolve('everpolate/lib/everpolate.js')],
  ['everpolate/help', require.resolve('everpolate/lib/help.js')],
  ['everpolate/linear', require.resolve('everpolate/lib/linear.js')],
  ['everpolate/linearRegression', require.resolve('everpolate/lib/linearRegression.js')],
  ['everpolate/polynomial', require.resolve('everpolate/lib/polynomial.js')],
  ['everpolate/step', require.resolve('everpolate/lib/step.js')],
] as const;
export const LIBRARIES = libraries(everpolate);
export const MOMENT_LIBRARIES = libraries([
  ...everpolate,
  ['moment', require.resolve('moment/min/moment.min.js')],
  ['moment-timezone', require.resolve('moment-timezone/builds/moment-timezone.min.js')],
]);

export const BYTES_LIBRARIES = libraries([
  ['base64-js', require.resolve('base64-js/index.js')],
  ['ieee754', require.resolve('ieee754/index.js')],
  ['buffer', require.resolve('buffer/index.js')],
]);

let zones: Map<string, string> | undefined;

/** Rules of a zone as moment-timezone packs them. @returns undefined: UTC all the time */
export function packedZone(name: string): string | undefined {
  zones ??= readZones();
  const packed = zones.get(name.toLowerCase());
  // The name is the one that was asked for.
  return packed === undefined ? undefined : [name, ...packed.split('|').slice(1)].join('|');
}

function readZones(): Map<string, string> {
  const data = JSON.parse(textOf(require.resolve('moment-timezone/data/packed/latest.json'))) as {
    zones: string[];
    links: string[];
  };
  const byName = new Map(data.zones.map((packed) => [(packed.split('|')[0] ?? '').toLowerCase(), packed]));
  for (const link of data.links) {
    const [target = '', alias = ''] = link.toLowerCase().split('|');
    const packed = byName.get(target);
    if (packed !== undefined) byName.set(alias, packed);
  }
  return byName;
}
