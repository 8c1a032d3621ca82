import { QUIET_BROWSER, testChromium } from '@catchment/testkit';
import { type Browser, chromium } from 'playwright-core';
import { type Installation, type StartOptions, startInstallation } from '../installation.ts';
import { administrator, type Person } from './people.ts';
import { makeSites, type Sites } from './sites.ts';

/** A stage has an installation with people, places and a browser. */
export type Stage = {
  readonly installation: Installation;
  readonly browser: Browser;
  readonly person: Person;
  readonly sites: Sites;
  readonly close: () => Promise<void>;
};

export async function openStage(options?: StartOptions): Promise<Stage> {
  const [installation, browser] = await Promise.all([
    startInstallation(options),
    testChromium().then((executablePath) => chromium.launch({ executablePath, args: QUIET_BROWSER })),
  ]);
  const sites = await makeSites(installation.api);
  const person = await administrator(installation.api);
  const close = async () => {
    await browser.close();
    await installation.stop();
  };
  return { installation, browser, person, sites, close };
}
