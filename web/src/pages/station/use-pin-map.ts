import { useEffect, useRef, useState } from 'preact/hooks';
import { start } from '../../data/session/session.ts';
import { followPlaces, places } from '../../data/tree/locations.ts';
import type { PinMap } from '../../maps/pin-map.ts';
import { words } from '../../words/index.ts';
import { change, draft } from './draft.ts';
import { positionOf } from './make.ts';
import { say } from './words.ts';

/** Shows a map in `host` whose pin is the position of the draft; it begins near places that are there. */
export function usePinMap() {
  const text = say();
  const { overview } = words.value;
  const d = draft();
  const host = useRef<HTMLDivElement>(null);
  const map = useRef<PinMap>(undefined);
  const [hasFailed, setFailed] = useState(false);
  const all = places.value;
  const isKnown = all.kind !== 'loading';
  useEffect(() => void followPlaces(), []);
  const position = positionOf(d);
  useEffect(() => {
    if (!isKnown || hasFailed) return;
    let isOver = false;
    import('../../maps/pin-map.ts').then(
      ({ openPinMap }) => {
        if (isOver || !host.current) return;
        const near = all.kind === 'ready' ? [...all.places.values()].flatMap((place) => place.position ?? []) : [];
        map.current = openPinMap(host.current, {
          tiles: start().mapTiles,
          zoomTexts: { in: overview.zoomIn, out: overview.zoomOut },
          pinText: text.pin,
          near,
          onPin: ({ latitude, longitude }) => change({ latitude: String(latitude), longitude: String(longitude) }),
        });
        map.current.put(positionOf(draft()));
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      map.current?.close();
      map.current = undefined;
    };
  }, [isKnown, hasFailed, text]);
  useEffect(() => map.current?.put(position), [position?.latitude, position?.longitude]);
  return { host, hasFailed, setFailed };
}
