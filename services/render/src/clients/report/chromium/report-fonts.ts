import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fontsOf } from '../../drawing/fonts/font-config.ts';
import { packagedFont } from '../../drawing/fonts/packaged-font.ts';
import { SCRIPT_FONTS } from '../../drawing/fonts/script-fonts.ts';
import { FONT_FAMILY, FONT_FILES } from '../../drawing/fonts/text-width.ts';

/** These fonts have the widths of Helvetica, Courier and Times. */
const TEXT_FONTS = ['Arimo', 'Cousine', 'Tinos'];
const TEXT_STYLES = ['400Regular', '700Bold', '400Regular_Italic', '700Bold_Italic'];
const FALLBACKS = [FONT_FAMILY, ...SCRIPT_FONTS.map(({ family }) => family)];

/** Fonts for letters that the named font lacks, as CSS has them. */
export const FALLBACK_FAMILIES = FALLBACKS.map((family) => `'${family}'`).join(',');

export type BrowserFiles = {
  /** `FONTCONFIG_FILE` names this file. */
  readonly configFile: string;
  readonly home: string;
  close(): Promise<void>;
};

const HOMES = 'catchment-browser-';
/** Homes of this process's browsers. */
const homes = new Set<string>();

/** A home of the browser, and the packaged fonts. Scripts have one weight: more would make the start of the browser slow. */
export async function browserFiles(): Promise<BrowserFiles> {
  const text = TEXT_FONTS.flatMap((family) => TEXT_STYLES.map((style) => packagedFont(family, style)));
  const files = [...text, ...Object.values(FONT_FILES), ...SCRIPT_FONTS.map(({ file }) => file)];
  const configFile = await fontsOf(files, FALLBACKS);
  await sweepHomes();
  const home = await mkdtemp(join(tmpdir(), `${HOMES}${process.pid}-`));
  homes.add(home);
  const close = async () => {
    homes.delete(home);
    await removed(home);
  };
  return { configFile, home, close };
}

/** A process that was killed has left its browser's home. */
export async function sweepHomes(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(/^catchment-browser-(\d+)-/.exec(name)?.[1]);
    const path = join(folder, name);
    // The previous process of a container had the same id.
    if (pid > 0 && (pid === process.pid ? !homes.has(path) : !isRunning(pid))) await removed(path).catch(() => {});
  }
}

const removed = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's: it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
