import { access } from 'node:fs/promises';
import path from 'node:path';
import { installedCommand } from './installed-command.ts';

/** Finds the browser for tests: `CHROMIUM` of the environment, or that of the machine. */
export const testChromium = async (): Promise<string> => process.env.CHROMIUM ?? (await inPath());

/** Chromium takes the last list alone, so what Playwright turns off for the sake of pages is named here again. */
const UNUSED_FEATURES = [
  // Each context has a window that nobody sees; the pages of its address bar would cost half a second of a processor.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Arguments of a browser for tests: nothing but what the test asks for. */
export const QUIET_BROWSER = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${UNUSED_FEATURES.join(',')}`,
];

async function inPath(): Promise<string> {
  const command = await installedCommand('chromium', 'chromium');
  const folders = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, command));
  for (const file of folders) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new Error(`${command} is not in PATH`);
}
