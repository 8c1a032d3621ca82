import satisfies from 'spdx-satisfies';
import { ALLOWED, EXCEPTIONS } from './allowed.ts';

type Licensed = { readonly name: string; readonly version: string; readonly licence: string | undefined };

/** Packages that may not be in the image, with the reason for each. */
export function refused(packages: readonly Licensed[]): string[] {
  return packages.flatMap(({ name, version, licence }) => {
    if (EXCEPTIONS.some(({ packages: those }) => those.test(name))) return [];
    if (licence === undefined) return [`${name}@${version} names no licence`];
    return isAllowed(licence) ? [] : [`${name}@${version} is under ${licence}`];
  });
}

/** Returns the licence of a package: its exception, or else what it says. */
export const licenceOf = ({ name, licence }: Licensed): string =>
  EXCEPTIONS.find(({ packages }) => packages.test(name))?.licence ?? licence ?? 'none';

/** @param expression of SPDX; one that is none is not allowed */
function isAllowed(expression: string): boolean {
  try {
    return satisfies(expression, [...ALLOWED]);
  } catch {
    return false;
  }
}
