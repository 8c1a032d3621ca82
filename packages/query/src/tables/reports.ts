import { optionalFlag, text, time, whole } from '../argument.ts';

/** Longest wait of a report for its turn, which is no part of the time that it may take itself. */
export const REPORT_WAIT_MS = 60_000;

/** Arguments of GET /nodes/:id/report (docs/reference/dashboards-and-reports.md#report-endpoint). */
export const REPORT = {
  nowTime: time({
    about:
      'The moment that the report shows: its values, alarms and ranges. Default: now. ISO 8601 or OPC relative time.',
    example: '2024-08-16T00:00:00Z',
  }),
  timezone: text({ about: 'Zone of the times in the report. Default: that of the Report.', example: 'Etc/UTC' }),
  timezoneAdjustForDst: optionalFlag({ about: 'Daylight saving time. Default: as the Report has it.' }),
};

/** Arguments of POST /nodes/:id/report/preview (docs/reference/dashboards-and-reports.md#report-preview). */
export const REPORT_PREVIEW = {
  ...REPORT,
  page: whole({ about: 'The first page of which there is a picture.' }, { min: 1, max: 500, absent: 1 }),
  width: whole({ about: 'Pixels of a page.' }, { min: 100, max: 1_600, absent: 900 }),
};
