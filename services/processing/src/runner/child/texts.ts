import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FunctionKind } from '../../usecases/sandbox.ts';

const require = createRequire(import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const installed = (path: string): string => readFileSync(require.resolve(path), 'utf8');

/** Makes the kernel of a realm, of its parts. */
export const KERNEL = textOf('kernel/kernel.js');
const PARTS = ['words', 'random', 'libraries', 'values', 'failures', 'runs', 'nodes', 'console'];
/** A text whose value is an object of the kernel's parts, each a function that makes it. */
export const KERNEL_PARTS = `({${PARTS.map((name) => `${name}: ${textOf(`kernel/${name}.js`).trim().replace(/;$/, '')}`).join(',')}})`;
/** Seals a realm before the program comes. */
export const HARDEN = textOf('harden.js');
/** These call the functions of decoders and converters: evaluated after them, in the same engine. */
export const CALLERS: Readonly<Record<FunctionKind, string>> = {
  decoder: textOf('call-decoder.js'),
  converter: textOf('call-converter.js'),
};

/** This makes `Buffer` and its like of the libraries below. */
export const BYTES = textOf('bytes.js');

const EVERPOLATE = ['everpolate', 'help', 'linear', 'linearRegression', 'polynomial', 'step'];

/** Libraries as a text whose value is an object of functions (module, exports, require). */
const libraries = (modules: readonly (readonly [name: string, path: string])[]): string =>
  `({${modules.map(([name, path]) => `${JSON.stringify(name)}: function (module, exports, require) {${installed(path)}\n}`).join(',')}})`;

const everpolate = EVERPOLATE.map((name) => [`everpolate/${name}`, `everpolate/lib/${name}.js`] as const);
export const LIBRARIES = libraries(everpolate);
export const MOMENT_LIBRARIES = libraries([
  ...everpolate,
  ['moment', 'moment/min/moment.min.js'],
  ['moment-timezone', 'moment-timezone/builds/moment-timezone.min.js'],
]);

export const BYTES_LIBRARIES = libraries([
  ['base64-js', 'base64-js/index.js'],
  ['ieee754', 'ieee754/index.js'],
  ['buffer', 'buffer/index.js'],
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
  const data = JSON.parse(installed('moment-timezone/data/packed/latest.json')) as { zones: string[]; links: string[] };
  const byName = new Map(data.zones.map((packed) => [(packed.split('|')[0] ?? '').toLowerCase(), packed]));
  for (const link of data.links) {
    const [target = '', alias = ''] = link.toLowerCase().split('|');
    const packed = byName.get(target);
    if (packed !== undefined) byName.set(alias, packed);
  }
  return byName;
}
