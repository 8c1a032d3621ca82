export { CONSOLE_ATTRIBUTES, type ConsoleStart } from './console-start.ts';
export { gapMsOf, isGap, LEARNT_RECORDS } from './gap.ts';
export {
  drawable,
  inRange,
  LARGEST_DRAWN,
  type LineRange,
  type LineType,
  lineOf,
  type Point,
  visibleValues,
} from './line.ts';
export { PALETTE_SIZE, paletteColor } from './palette.ts';

/**
 * A page shows this of a dashboard, as JSON between the server and the page in the browser: displayed values and
 * nothing else. `GET <page>/view` answers a `DashboardView`; `GET <page>/stream` sends server-sent events, `view` (a
 * `DashboardView`, first and whenever the dashboard itself has changed) `tile` (a `TileView`, whenever what a tile
 * shows has changed) and `heartbeat` (when nothing else has come for 15 s). `<page>` is the address of the page:
 * `/public/dash/<publicId>`, `/public/chart/<publicId>`, `/public/historic/<publicId>`, `/dash/<nodeId>`, `/a/<account
 * slug>/n/<nodeId>`. Addresses in here are relative to the origin. Every text is plain: the page escapes it.
 */

export type DashboardView = {
  readonly name: string;
  readonly description: string;
  readonly account: { readonly name: string; readonly logoUrl: string | null };
  /** Times are shown in this IANA zone; its daylight saving time is left out where `adjustForDst` is false. */
  readonly timezone: string;
  readonly adjustForDst: boolean;
  /** The page has this zone without one in its address: that of the person, else of the account. */
  readonly ownTimezone?: string;
  /** ISO. */
  readonly generatedTime: string;
  /** Address of raster tiles with {z}, {x}, {y}, and what must be said beside it; null: maps have no background. */
  readonly mapTiles: { readonly url: string; readonly attribution: string } | null;
  /** The tiles come in row order, top left to bottom right. */
  readonly tiles: readonly TileView[];
};

export type TileStyle = 'default' | 'white' | 'blue' | 'green' | 'purple' | 'mauve' | 'pink' | 'black';

export type TileView = {
  readonly id: string;
  readonly label: string;
  /** The grid has 12 columns. */
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly style: TileStyle;
  /** The tile is painted by the alarms of its nodes; null as well where the tile does not show alarms. */
  readonly alarm: 'ACTIVE' | 'ACKNOWLEDGED' | null;
  readonly content: TileContent;
};

/** A tile shows a parameter like this; null in its place: the link is broken. */
export type ParameterView = {
  readonly name: string;
  /** The formatted value without units; empty without a value. */
  readonly value: string;
  readonly units: string;
  /** Only Number parameters have a number. */
  readonly number: number | null;
  readonly state: { readonly name: string; readonly isAlarm: boolean } | null;
  /** The value has changed by this many percent since the previous one; null where there is none to show. */
  readonly changePercent: number | null;
  /** The difference replaces percent of units in which these mean nothing, such as °C. */
  readonly change: number | null;
  /** ISO; null without a value. */
  readonly time: string | null;
};

export type SeriesView = {
  readonly name: string;
  readonly units: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly type: 'LINE' | 'STEP' | 'COLUMN';
  readonly fill: boolean;
  /** Null: values are shown in full. */
  readonly decimals: number | null;
};

export type TileContent =
  | {
      readonly type: 'VALUE';
      readonly parameter: ParameterView | null /** Only signed-in people may control it. */;
      readonly control?: { readonly nodeId: string };
    }
  | { readonly type: 'VALUE_LIST'; readonly parameters: readonly (ParameterView | null)[] }
  /** `dataUrl` answers a `TableView`. It is asked again when `revision` changes. */
  | { readonly type: 'HISTORIC_TABLE'; readonly period: string; readonly dataUrl: string; readonly revision: string }
  /** `dataUrl?start=<ISO or OPC>&end=…&width=<pixels>` answers a `ChartData`; a zoom or pan asks again for what it shows, so that no peak is hidden. */
  | {
      readonly type: 'STANDARD_CHART';
      readonly period: string;
      readonly zoom: boolean;
      readonly series: readonly (SeriesView | null)[];
      readonly dataUrl: string;
      readonly revision: string;
    }
  /** `imageUrl?width=&height=` answers an SVG image. Broken: null. */
  | {
      readonly type: 'CUSTOM_CHART';
      readonly name: string;
      readonly imageUrl: string | null;
      readonly revision: string;
    }
  /** Alarms of a node that are raised; on pages of signed-in people only. */
  | {
      readonly type: 'ALARMS';
      readonly nodeId: string;
      readonly canAcknowledge: boolean;
      readonly alarms: readonly {
        readonly type: string;
        readonly state: 'ACTIVE' | 'ACKNOWLEDGED';
        readonly message: string;
        /** ISO; null = not known. */
        readonly time: string | null;
        /** This person has acknowledged it. */
        readonly by: string | null;
      }[];
    }
  | {
      readonly type: 'ALARM_SUMMARY';
      readonly name: string | null;
      readonly period: string;
      /** The types of event with the most come first. */
      readonly counts: readonly { readonly eventType: string; readonly count: number }[];
    }
  | {
      readonly type: 'LOCATION_MAP';
      readonly name: string | null;
      readonly position: { readonly latitude: number; readonly longitude: number } | null;
      readonly zoom: number;
      readonly mapStyle: string | null;
      readonly marker: { readonly color: string | null; readonly icon: string | null };
      /** GeoJSON or KML. */
      readonly layers: readonly { readonly label: string; readonly url: string }[];
      readonly imageUrl: string | null;
    }
  | {
      readonly type: 'ATTACHMENT_IMAGE';
      readonly name: string | null;
      readonly imageUrl: string | null;
      readonly time: string | null;
    }
  | {
      readonly type: 'SOLID_GAUGE';
      readonly parameter: ParameterView | null;
      readonly minimum: number;
      readonly maximum: number;
      readonly shape: 'FULL' | 'HALF';
    }
  | { readonly type: 'STATIC_TEXT'; readonly text: string };

export type TableView = {
  readonly columns: readonly {
    readonly name: string;
    readonly units: string;
    /** Absent: texts, or values of several kinds. */
    readonly isNumber?: boolean;
  }[];
  /** The newest come first; texts are as displayed, empty where a column has no value. */
  readonly rows: readonly { readonly time: string; readonly cells: readonly string[] }[];
  /** True if there are older rows in the period than are given. */
  readonly hasMore: boolean;
};

/** Times are Unix milliseconds. A null value is a gap. Records before `start` and after `end` are the nearest ones. */
export type ChartData = {
  readonly start: number;
  readonly end: number;
  readonly series: readonly {
    readonly times: readonly number[];
    readonly values: readonly (number | null)[];
    /** A line is drawn over steps of at most this, in milliseconds; null = any. */
    readonly gapMs: number | null;
  }[];
};
