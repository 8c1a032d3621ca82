import { REPORT, REPORT_PREVIEW } from '@catchment/query';
import { binary, json, operation } from '../openapi/parts.ts';

export const report = operation({
  id: 'renderReport',
  tag: 'Reports',
  summary: 'Make a report',
  description:
    'The Report as a PDF. Without elements in its template it has a plain one: the values, alarms and charts of its links, or of the parameters below its Location.',
  withId: true,
  query: REPORT,
  success: binary('The document.', ['application/pdf']),
});

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const WHOLE = { type: 'integer' };
const TIME = { type: 'string', format: 'date-time' };
const list = (items: object) => ({ type: 'array', items });
const whole = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const STATUS = whole({ code: { type: 'integer' }, message: { type: 'string' } });
const state = (...all: readonly string[]) => ({ type: 'string', enum: all });

export const previewReport = operation({
  id: 'previewReport',
  tag: 'Reports',
  summary: 'See a report as it would be',
  description:
    'With attributes that are not saved, such as `template` and `links`, as `PUT /nodes/{id}` takes them, and what they would be refused for. Needs MODIFY and, of people, CONFIGURE. Nothing is changed, and no event is written.',
  withId: true,
  query: REPORT_PREVIEW,
  body: {
    allOf: [{ $ref: 'NodeAttributes#' }],
    examples: [{ template: { elements: [{ type: 'TEXT', x: 40, y: 40, content: 'Levels of {{ WORKSPACE.name }}' }] } }],
  },
  success: json(
    200,
    'Pictures of at most four pages of the PDF, and what could not be evaluated or fetched.',
    whole({
      pageCount: { ...WHOLE, description: 'Of the whole report.' },
      pages: list(whole({ page: WHOLE, width: WHOLE, height: WHOLE, png: { ...TEXT, contentEncoding: 'base64' } })),
      problems: list(
        whole({ at: { ...TEXT, description: 'The place, such as `template.elements[3].content`.' }, message: TEXT }),
      ),
    }),
  ),
});

export const listRuns = operation({
  id: 'listReportRuns',
  tag: 'Reports',
  summary: 'List the runs of a report',
  description:
    'The latest 50 of the last 31 days, newest first, and who would get the report now. Of people, those with CONFIGURE.',
  withId: true,
  success: json(
    200,
    'What has become of them.',
    whole({
      runs: list(
        whole({
          time: { ...TIME, description: 'The moment that the report shows: when it was due, or asked for.' },
          askedBy: { ...TEXT_OR_NULL, description: 'E-mail; null: its schedule.' },
          state: state('WAITING', 'MAKING', 'MADE', 'FAILED'),
          problem: { ...TEXT_OR_NULL, description: 'Why there is no report.' },
          mails: list(whole({ email: TEXT, state: state('WAITING', 'SENT', 'NOT_SENT'), problem: TEXT_OR_NULL })),
        }),
      ),
      recipients: { ...list(TEXT), description: 'E-mail addresses.' },
    }),
  ),
});

export const runReport = operation({
  id: 'runReport',
  tag: 'Reports',
  summary: 'Make a report now and send it',
  description:
    'To its subscribers, as of now; its schedule goes on as before. Needs MODIFY and, of people, CONFIGURE. One at a time of a report, and 20 within an hour.',
  withId: true,
  success: json(202, 'Accepted: it stands among the runs by its time.', whole({ status: STATUS, time: TIME })),
});

export const previewSchedule = operation({
  id: 'previewSchedule',
  tag: 'Reports',
  summary: 'See when a report would be due',
  description:
    'With attributes that are not saved, such as `schedule` and `timezone`, as `PUT /nodes/{id}` takes them. Needs MODIFY and, of people, CONFIGURE.',
  withId: true,
  body: {
    allOf: [{ $ref: 'NodeAttributes#' }],
    examples: [
      { schedule: { enabled: true, type: 'WEEKLY', days: ['MON'], time: '06:30' }, timezone: 'Europe/Berlin' },
    ],
  },
  success: json(200, 'The next five times; none without a schedule that is switched on.', whole({ times: list(TIME) })),
});
