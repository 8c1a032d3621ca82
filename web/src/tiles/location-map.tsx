import { useEffect, useRef, useState } from 'preact/hooks';
import { Broken, Empty, Failed } from '../components/notes.tsx';
import { usePage } from '../components/page-context.ts';
import { useSeen } from '../components/use-seen.ts';
import { positionText } from '../maps/position.ts';
import type { TileProps } from './content.ts';

/** Shows where a Location is; the code of maps comes only when a map is to be seen. */
export function LocationMap({ content, name }: TileProps<'LOCATION_MAP'>) {
  const ref = useRef<HTMLElement>(null);
  const isSeen = useSeen(ref);
  const [hasFailed, setFailed] = useState(false);
  const tiles = usePage().view.value.mapTiles;
  const { position } = content;
  const key = JSON.stringify([content, tiles]);
  useEffect(() => {
    if (!isSeen || position === null || !ref.current) return;
    const host = ref.current;
    let close: (() => void) | undefined;
    let isOver = false;
    import('../maps/map.ts').then(
      ({ showMap }) => {
        if (!isOver) close = showMap(host, { ...content, position }, tiles);
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      close?.();
    };
  }, [isSeen, key, hasFailed]);
  if (content.name === null) return <Broken what="Location" />;
  if (position === null) return <Empty>The position of this Location is not known yet.</Empty>;
  return (
    <div class="map">
      {hasFailed ? (
        <Failed what="map" again={() => setFailed(false)} />
      ) : (
        <section ref={ref} class="map-host" aria-label={`Map of ${name}`} />
      )}
      <p class="position">{positionText(position)}</p>
    </div>
  );
}
