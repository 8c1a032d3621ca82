import { globSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { compressedSizes, weightReport, weightsOf } from './build/budgets.ts';
import { CHUNK_ORDER, chunkOf } from './build/chunks.ts';

const COMPRESSED = /\.(?:css|js|json|svg)$/;
/** Headers weigh more below it than what is saved. */
const SMALLEST = 1_024;

/** Writes `<file>.br` and `<file>.gz` beside what is served, so that the gateway compresses nothing at request time. */
function compressed(): Plugin {
  const brotli = promisify(zlib.brotliCompress);
  const gzip = promisify(zlib.gzip);
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const files = (await readdir(dir!, { recursive: true })).filter((name) => COMPRESSED.test(name));
      await Promise.all(
        files.map(async (name) => {
          const file = path.join(dir!, name);
          const bytes = await readFile(file);
          if (bytes.length < SMALLEST) return;
          await writeFile(`${file}.br`, await brotli(bytes));
          await writeFile(`${file}.gz`, await gzip(bytes, { level: zlib.constants.Z_BEST_COMPRESSION }));
        }),
      );
    },
  };
}

/** A console that grew too heavy is no build: phones on slow networks are its readers too. */
function budgets(): Plugin {
  return {
    name: 'budgets',
    apply: 'build',
    // The files are written after what is compressed.
    writeBundle: {
      sequential: true,
      order: 'post',
      async handler({ dir }) {
        const manifest = JSON.parse(await readFile(path.join(dir!, '.vite/manifest.json'), 'utf8'));
        const { text, tooHeavy } = weightReport(weightsOf(manifest, await compressedSizes(dir!, manifest)));
        this.info(`script, compressed:\n${text}`);
        if (tooHeavy.length > 0) this.error(`too much script, compressed:\n${tooHeavy.join('\n')}`);
      },
    },
  };
}

const VIEW = 'src/main.tsx';
const CONSOLE = 'src/app/console.tsx';
const BEGUN = 'src/data/requests/begun.ts';
const WORDS = ['src/words/de.ts', 'src/words/en.ts'];
const at = (file: string) => path.join(import.meta.dirname, file);

type Graph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null };

/** Lists the files that several pages share, by the imports of this build. */
function sharedFiles() {
  const pages = globSync('src/pages/*/index.tsx', { cwd: import.meta.dirname }).sort();
  const entries = {
    view: at(VIEW),
    console: at(CONSOLE),
    first: at(BEGUN),
    pages: Object.fromEntries(pages.map((file) => [path.basename(path.dirname(file)), at(file)])),
    words: WORDS.map(at),
  };
  let nameOf: ReturnType<typeof chunkOf> | undefined;
  const names = new Map<string, string | undefined>();
  return CHUNK_ORDER.map((which) => ({
    name: (id: string, graph: Graph): string | null => {
      nameOf ??= chunkOf((moduleId) => graph.getModuleInfo(moduleId)?.importedIds ?? [], entries);
      if (!names.has(id)) names.set(id, nameOf(id));
      const name = names.get(id);
      return name !== undefined && which.test(name) ? name : null;
    },
  }));
}

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // The gateway makes the page; it finds the hashed names here.
    manifest: true,
    // The list of what is in the image reads this (deploy/image/sbom).
    license: { fileName: '.vite/licences.json' },
    target: 'es2023',
    // Browsers of 2024 and later know light-dark(), which must not be replaced: tiles have schemes of their own.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // The content policy allows no data: in style sheets, and each file is cached for good.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [VIEW, CONSOLE],
      output: { codeSplitting: { groups: sharedFiles() } },
    },
  },
  plugins: [compressed(), budgets()],
});
