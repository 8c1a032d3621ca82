import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { chooseLayer, chosenLayers, layerAddress, mapLayers } from '../../data/pages/map-layers.ts';
import { preferencesRead } from '../../data/session/preferences.ts';
import { start } from '../../data/session/session.ts';
import { layerData } from '../../maps/layers.ts';
import type { Box, Site, SitesMap } from '../../maps/sites-map.ts';
import { afterPaint } from '../../ui/after-paint.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import type { PlaceRow } from './rows.ts';
import { stateText } from './state-sign.tsx';

type PlacesMapProps = {
  readonly rows: readonly PlaceRow[];
  readonly chosen: PlaceRow | undefined;
  readonly firstBox: Box | undefined;
  readonly onBox: (box: Box) => void;
  readonly onChoose: (row: PlaceRow | undefined) => void;
  readonly children: ComponentChildren;
};

/** Shows all places on a map, which comes by itself after the page. */
export function PlacesMap({ rows, chosen, firstBox, onBox, onChoose, children }: PlacesMapProps) {
  const { overview, ui } = words.value;
  const host = useRef<HTMLDivElement>(null);
  const map = useRef<SitesMap>(undefined);
  const [isThere, setThere] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  // The map's calls are those of the present page, though it was made with an earlier one.
  const now = useRef({ rows, onBox, onChoose });
  now.current = { rows, onBox, onChoose };

  useEffect(() => {
    let isOver = false;
    setFailed(false);
    import('../../maps/sites-map.ts').then(
      ({ openSitesMap }) => {
        if (isOver || !host.current) return;
        map.current = openSitesMap(host.current, {
          tiles: start().mapTiles,
          box: firstBox,
          zoomTexts: { in: overview.zoomIn, out: overview.zoomOut },
          onBox: (box) => now.current.onBox(box),
          onChoose: (id) => now.current.onChoose(now.current.rows.find(({ place }) => place._id === id)),
          siteText: ({ name, state }) => overview.site(name, stateText(state)),
          clusterText: (count, state, ofState) =>
            state === 'NORMAL'
              ? overview.cluster(count)
              : overview.clusterWith(overview.cluster(count), ofState, stateText(state)),
        });
        setThere(true);
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      map.current?.close();
      map.current = undefined;
      setThere(false);
    };
  }, [attempt, overview]);

  const sites = useRef<{ rows: readonly PlaceRow[]; sites: readonly Site[] }>({ rows: [], sites: [] });
  if (sites.current.rows !== rows) sites.current = { rows, sites: rows.flatMap(siteOf) };
  const chosenId = chosen?.place._id;
  const wentTo = useRef<string | undefined>(firstBox && chosenId);
  useEffect(() => {
    if (!isThere) return;
    return afterPaint(() => {
      const { sites: all } = sites.current;
      map.current?.show(all, chosenId);
      if (chosenId === wentTo.current) return;
      wentTo.current = chosenId;
      const site = all.find(({ id }) => id === chosenId);
      if (site) map.current?.goTo(site);
    });
  }, [isThere, rows, chosenId]);

  useEffect(() => {
    if (!isThere) return;
    const stop = new AbortController();
    // A map without them is as good as it can be.
    Promise.all([mapLayers(stop.signal), preferencesRead()]).then(
      ([layers]) => {
        if (stop.signal.aborted || layers.length === 0) return;
        const on = chosenLayers();
        map.current?.offer({
          title: overview.layers,
          layers: layers.map((layer) => ({ ...layer, isOn: on.includes(layer.id) })),
          read: async (id, signal) => layerData(await layerAddress(id), signal),
          onChoose: (id, isOn) => chooseLayer(id, isOn).catch((error) => toast(errorText(error), { isBad: true })),
          onFailed: (label, error) => toast(`${overview.layerFailed(label)} ${errorText(error)}`, { isBad: true }),
        });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [isThere]);

  const without = rows.filter(({ place }) => place.position === undefined).length;
  return (
    <section class="places-map map" aria-label={overview.map}>
      {hasFailed ? (
        <Problem text={overview.mapFailed} again={() => setAttempt((n) => n + 1)} againText={ui.again} />
      ) : (
        <div ref={host} class="map-host" />
      )}
      <div class="map-tools">
        <Button
          icon="whole"
          aria-label={overview.whole}
          title={overview.whole}
          onClick={() => map.current?.showAll()}
        />
        {without > 0 && <p class="map-note">{overview.withoutPosition(without)}</p>}
      </div>
      {children}
    </section>
  );
}

const siteOf = ({ place: { _id, name, position }, state }: PlaceRow): Site[] =>
  position === undefined ? [] : [{ id: _id, name, state, ...position }];
