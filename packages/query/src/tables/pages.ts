import { choice, flag, text, time, whole } from '../argument.ts';
import { CHART, IMAGE_FORMATS, READ_FORMATS } from './historic.ts';

/** See docs/reference/public-pages.md#options. */
export const PAGE = {
  timezone: text({ about: 'Zone of the page. Default: that of the person or of the account’s owner.' }, { max: 100 }),
  timezoneAdjustForDst: flag({ about: 'Daylight saving time.' }, true),
  startTime: time({ about: 'First instant of charts and tables of a parameter.' }),
  endTime: time({ about: 'Last instant.' }),
  header: choice({ about: 'Whether the page has a header.' }, ['LOGO', 'NONE'], { absent: 'LOGO' }),
};

/** Forms of a chart and of records that a public link gives. */
export const PUBLIC_CHART_FORMAT = choice({ about: 'Page or kind of image.' }, ['HTML', ...IMAGE_FORMATS], {
  absent: 'HTML',
});
export const PUBLIC_HISTORIC_FORMAT = choice({ about: 'Page or form of records.' }, ['HTML', ...READ_FORMATS], {
  absent: 'HTML',
});

/** A tile of a page asks for this: columns of pixels of a line, size of a picture. */
export const TILE = {
  width: whole({ about: 'Pixels.' }, { min: 1, max: 4_000, absent: 800 }),
};
/** See docs/reference/charts.md#previews. */
export const CHART_PREVIEW = {
  format: CHART.format,
  width: CHART.width,
  height: CHART.height,
  timezone: PAGE.timezone,
  timezoneAdjustForDst: PAGE.timezoneAdjustForDst,
};

/** See docs/reference/dashboards-and-reports.md#previews. */
export const PAGE_PREVIEW = {
  timezone: PAGE.timezone,
  timezoneAdjustForDst: PAGE.timezoneAdjustForDst,
  tile: text({ about: 'Id of the tile whose lines, rows or picture come too.', example: '53eada0ada91110000000046' }),
  start: time({ about: 'First instant of the lines of the tile; default: that of its period.' }),
  end: time({ about: 'Last instant.' }),
  width: whole({ about: 'Pixels of the tile.' }, { min: 1, max: 4_000, absent: 800 }),
  height: CHART.height,
};
export const TILE_IMAGE = { width: CHART.width, height: CHART.height };
