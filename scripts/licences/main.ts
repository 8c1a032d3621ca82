// `npm run licences -w deploy` shows what the packages and fonts in the image are under, and whether each may be there.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EXCEPTIONS } from './allowed.ts';
import { FONT_PACKAGES } from './font-packages.ts';
import { imagePackages, type Lock } from './image-packages.ts';
import { licenceOf, refused } from './refused.ts';

const lock = JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')) as Lock;
const packages = [...imagePackages(lock), ...FONT_PACKAGES];
const byLicence = Map.groupBy(packages, licenceOf);
for (const [licence, those] of [...byLicence].sort(([, a], [, b]) => b.length - a.length))
  console.log(`${String(those.length).padStart(4)}  ${licence}`);
for (const { packages: those, licence, why } of EXCEPTIONS) {
  const names = packages.filter(({ name }) => those.test(name)).map(({ name }) => name);
  console.log(`\n${licence}: ${names.join(', ')}\n      ${why}`);
}
const wrong = refused(packages);
console.log(
  wrong.length === 0 ? `\nAll ${packages.length} may be in the image.` : `\nNot allowed (scripts/licences/allowed.ts):`,
);
for (const line of wrong) console.log(`  ${line}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
