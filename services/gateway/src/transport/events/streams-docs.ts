import { STREAM as query } from '@catchment/query';
import { operation } from '../openapi/parts.ts';

const stream = (description: string, example: string) => ({
  status: 200 as const,
  description,
  content: { 'text/event-stream': { schema: { type: 'string' }, example } },
});

const ABOUT = `Server-sent events, without an end. The id of a message is given back as \`Last-Event-ID\`, and the stream goes on after it; without
one it begins with what comes from then on. A message \`end\` says why the server ends a stream.`;

export const followEvents = operation({
  id: 'followEvents',
  tag: 'Events',
  summary: 'Follow the events of the account',
  description: `${ABOUT} Each message is an event as \`GET /events\` shows it, in the order of recording.`,
  query,
  success: stream('The stream.', 'id: 4711\ndata: {"_class":"io.svc.models.event.Event", …}\n\n'),
  extension: true,
});

export const followNodes = operation({
  id: 'followNodes',
  tag: 'Nodes',
  summary: 'Follow changes of nodes',
  description: `${ABOUT} A message \`node\` has a node that has changed, as \`GET /nodes\` shows it; \`removed\` the \`_id\` of one that is deleted, cannot be seen
any more or is not taken by the filter any more. After a message \`reset\` all nodes follow.`,
  query,
  success: stream('The stream.', 'event: node\ndata: {"_id":"53eada0ada91110000000046", …}\n\n'),
  extension: true,
});
