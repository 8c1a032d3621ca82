import { FILE_HAND_OVER } from '@catchment/query';
import { Type } from 'typebox';
import { ACCEPTED, operation } from '../openapi/parts.ts';

export const pushFile = operation({
  id: 'pushFile',
  tag: 'Historic data',
  summary: 'Push a file to a source by its key',
  description:
    'For sources with the transport `HttpUpload`; no API key is needed. The body is the file itself, of any media type, streamed, at most 100 MB; gzipped where `Content-Encoding` says so. Its name comes from `Content-Disposition`, then from `name`; otherwise it is `data`. With `authentication` BASIC the password goes along, with any user. 202: the file is kept and its records will be written; the events of the source report the result. 401: the password is wrong. 403: the address is not in `ipWhitelist`, or the source is disabled. 404: no source has the key.',
  params: Type.Object({
    key: Type.String({ description: '`transport.key` of the source.', examples: ['soap-laugh-corn'] }),
  }),
  query: FILE_HAND_OVER,
  consumes: 'text/csv',
  body: { type: 'string', description: 'The file.' },
  success: ACCEPTED,
  security: [{}, { upload: [] }],
  extension: true,
});
