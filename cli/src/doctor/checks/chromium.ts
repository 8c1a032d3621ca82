import { type Finding, ok, unknown, warning } from '@catchment/bus';
import { findChromium } from '@catchment/service/find-chromium';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';

const ABOUT = 'chromium';
const ADVICE =
  'Install Chromium (Debian and Ubuntu: apt install chromium), or name one with CHROMIUM_PATH; it is found without a restart.';

/** Checks what prints reports, on the machine of a local installation. */
export const chromium = ({ dataDir }: Installation): Check => ({
  about: ABOUT,
  advice: ADVICE,
  look: async () => [
    dataDir === undefined
      ? unknown(ABOUT, 'where render runs cannot be looked into from here', 'The image of Catchment has it.')
      : chromiumFinding(process.env.PATH ?? '', process.env.CHROMIUM_PATH ?? ''),
  ],
});

export function chromiumFinding(searchPath: string, given: string): Finding {
  const found = findChromium(searchPath, given);
  if (found) return ok(ABOUT, `reports are printed with ${found}`);
  const what = given === '' ? 'there is none' : 'CHROMIUM_PATH names no program';
  return warning(ABOUT, `${what}: reports are refused`, ADVICE);
}
