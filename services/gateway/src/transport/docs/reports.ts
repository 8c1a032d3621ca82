import { REPORT } from '@catchment/query';
import { binary, operation } from './parts.ts';

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
