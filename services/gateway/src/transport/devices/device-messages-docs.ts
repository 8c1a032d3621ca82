import { UPLINK } from '@catchment/query';
import { Type } from 'typebox';
import { ACCEPTED, operation } from '../openapi/parts.ts';

export const takeUplink = operation({
  id: 'takeUplink',
  tag: 'Historic data',
  summary: 'Take an uplink of a LoRaWAN network server',
  description:
    'For sources with the transport `LorawanUpload`; no API key is needed. The body is a message of The Things Stack v3 or an event of ChirpStack v3 or v4, at most 256 KiB. With `authentication` BASIC the password goes along, with any user. 202: its records are in the log, or it is another event, which is ignored. 400: it can never be taken. 401: the password is wrong. 403: the address is not in `ipWhitelist`, the source is disabled, or the uplink is of another device. 404: no source has the key. 429 and 503: to be sent again.',
  params: Type.Object({
    key: Type.String({ description: '`transport.key` of the source.', examples: ['soap-laugh-corn'] }),
  }),
  query: UPLINK,
  body: { type: 'object', description: 'The message as the network server makes it.' },
  success: ACCEPTED,
  security: [{}, { upload: [] }],
  extension: true,
});

export const takeSamples = operation({
  id: 'takeSamples',
  tag: 'Historic data',
  summary: 'Take samples of the app SensorLog',
  description:
    'For sources of class `SensorLog` with the transport `TcpServer`, whose `siteId` is the `deviceID` of the samples; no API key is needed. The body is a JSON object, an array of up to 5 000, or the CSV of the app (`text/csv`), at most 5 MiB. 202: the samples are in the log. 400: they can never be taken. 404: no source has the device.',
  body: {
    type: ['object', 'array'],
    examples: [{ deviceID: 'my-phone', loggingTime: '2024-05-15 12:00:00.000 +0200', altimeterPressure: '100.39' }],
  },
  success: ACCEPTED,
  security: [{}],
  extension: true,
});
