import type { DashboardView } from '@catchment/dashboard-view';
import { render } from 'preact';
import { PageContext } from '../../components/page-context.ts';
import { scheme } from '../../components/scheme.ts';
import { Tile } from '../../components/tile.tsx';
import { type PageState, pageState } from '../../live/page-state.ts';
import type { Get } from '../../live/requests.ts';
import text from '../../styles/console/tile-sheet.css?inline';

let sheet: CSSStyleSheet | undefined;
function tileSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
  }
  return sheet;
}

type Room = HTMLElement & { endScheme?: () => void };
const roomOf = (host: HTMLElement): Room | undefined =>
  (host.shadowRoot?.firstElementChild ?? undefined) as Room | undefined;

/**
 * Shows the one tile of a view in a room of its own, so that the styles of dashboards are for it alone.
 * @param ask how it reads what it has no address for
 */
export function showTile(host: HTMLElement, view: DashboardView, ask: Get): PageState {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [tileSheet()];
  let room = roomOf(host);
  if (!room) {
    room = Object.assign(document.createElement('div'), { className: 'room' }) as Room;
    root.append(room);
    const made = room;
    made.endScheme = scheme.subscribe((value) => {
      made.dataset.scheme = value;
    });
  }
  const state = { ...pageState(view, Date.now), ask };
  const [tile] = view.tiles;
  render(null, room);
  if (tile)
    render(
      <PageContext.Provider value={state}>
        <Tile id={tile.id} place={{ x: 0, y: 0, w: tile.w, h: tile.h }} />
      </PageContext.Provider>,
      room,
    );
  return state;
}

/** Ends what the tile follows. */
export function clearTile(host: HTMLElement): void {
  const room = roomOf(host);
  if (!room) return;
  room.endScheme?.();
  render(null, room);
}
