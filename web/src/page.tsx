import { useEffect, useMemo, useState } from 'preact/hooks';
import { arrange } from './components/arrange.ts';
import { ConnectionNote, Header } from './components/header.tsx';
import { Empty } from './components/notes.tsx';
import { oneByOne } from './components/one-by-one.ts';
import { PageContext, usePage } from './components/page-context.ts';
import { Tile } from './components/tile.tsx';
import { absoluteTime } from './format/times.ts';
import { isKnown } from './format/zone.ts';
import type { PageState } from './live/page-state.ts';

type PageProps = { readonly state: PageState; readonly hasLogo: boolean };

export function Page({ state, hasLogo }: PageProps) {
  return (
    <PageContext.Provider value={state}>
      <a class="skip" href="#tiles">
        Skip to the tiles
      </a>
      <Header hasLogo={hasLogo} />
      <ConnectionNote />
      <Tiles />
      <Footer />
      <p class="unseen" aria-live="polite">
        {state.announcement}
      </p>
    </PageContext.Provider>
  );
}

/** Tiles that are there at once, and that come with each step after it: about a screen, and what takes no notable time. */
const AT_ONCE = 6;
const PER_STEP = 3;

function Tiles() {
  const { tiles } = usePage().view.value;
  const places = useMemo(() => arrange(tiles), [tiles]);
  const [count, setCount] = useState(AT_ONCE);
  const isWhole = count >= tiles.length;
  useEffect(() => (isWhole ? undefined : oneByOne(() => setCount((before) => before + PER_STEP))), [count, isWhole]);
  return (
    <main id="tiles" tabIndex={-1} class={tiles.length === 1 ? 'tiles is-single' : 'tiles'}>
      {tiles.length === 0 && <Empty>There are no tiles here yet.</Empty>}
      {tiles.slice(0, count).map(({ id }, i) => (
        <Tile key={id} id={id} place={places[i]!} />
      ))}
    </main>
  );
}

function Footer() {
  const { view, zone } = usePage();
  const { timezone, adjustForDst, generatedTime } = view.value;
  const isUtc = /^(?:Etc\/)?UTC$/.test(zone.value.name);
  return (
    <footer class="foot">
      <p>
        {`Times in ${zone.value.name}${adjustForDst || isUtc ? '' : ', without daylight saving time'}`}
        {!isKnown(timezone) && `: this browser does not know ${timezone}`}
        <span class="only-print">{` · as of ${absoluteTime(Date.parse(generatedTime), zone.value)}`}</span>
      </p>
    </footer>
  );
}
