import { cloudEventOf } from './cloud-event.ts';

const event = {
  eventId: '5b2f1c0a9d3e4f6a7b8c9d0e',
  ownerId: '5b2f1c0a9d3e4f6a7b8c9d01',
  nodeId: '5b2f1c0a9d3e4f6a7b8c9d03',
  timeMs: Date.UTC(2024, 7, 16, 9, 30),
  text: '{"_id":"5b2f1c0a9d3e4f6a7b8c9d0e","nodeType":"io.svc.models.node.point.NumberPoint"}',
};

test('an event of a node: its id makes doubles visible, its data is what GET /events shows', () => {
  expect(cloudEventOf(event)).toEqual({
    specversion: '1.0',
    id: event.eventId,
    source: `/owners/${event.ownerId}`,
    type: 'io.catchment.event.recorded.v1',
    time: '2024-08-16T09:30:00.000Z',
    subject: `/nodes/${event.nodeId}`,
    datacontenttype: 'application/json',
    data: { _id: event.eventId, nodeType: 'io.svc.models.node.point.NumberPoint' },
  });
});

test('an event of the account has no subject', () => {
  expect(cloudEventOf({ ...event, nodeId: '' })).not.toHaveProperty('subject');
});
