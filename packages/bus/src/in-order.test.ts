import { seedOf } from '@catchment/testkit/amount';
import { type Delivery, InOrder } from './in-order.ts';

const SEED = seedOf('IN_ORDER_SEED');
const MAX_PENDING = 8;

const first = (seq: number, deliverySequence = seq): Delivery => ({ seq, deliverySequence, deliveryCount: 1 });
const again = (seq: number, deliverySequence: number): Delivery => ({ seq, deliverySequence, deliveryCount: 2 });
const seqs = (deliveries: readonly Delivery[]) => deliveries.map(({ seq }) => seq);

test('nothing is safe before the broker was asked, and everything that follows without a gap is safe afterwards', () => {
  const held = new InOrder();
  held.add(first(4, 1));
  expect([held.isBlocked, held.take(9)]).toEqual([true, []]);
  expect(held.prove({ delivered: 1, ackPending: 1 })).toBe(true);
  held.add(first(7, 2));
  expect(seqs(held.take(9))).toEqual([4, 7]);
});

test.each([
  ['another replica holds a message', { delivered: 2, ackPending: 2 }, [first(2)], false],
  ['a delivery is still on its way here', { delivered: 2, ackPending: 2 }, [first(1)], false],
  ['all unacknowledged messages are here', { delivered: 2, ackPending: 2 }, [first(1), first(2)], true],
  [
    'a redelivery replaces the first delivery',
    { delivered: 3, ackPending: 2 },
    [first(1), first(2), again(1, 3)],
    true,
  ],
  ['what came after the answer proves nothing', { delivered: 1, ackPending: 2 }, [first(1), again(9, 2)], false],
  ['nothing is unacknowledged any more', { delivered: 1, ackPending: 0 }, [first(1)], false],
])('asked while %s', (_, position, deliveries, isProven) => {
  const held = new InOrder();
  for (const delivery of deliveries) held.add(delivery);
  expect(held.prove(position)).toBe(isProven);
});

test.each([
  ['a gap in the deliveries', first(12, 9)],
  ['a redelivery', again(3, 2)],
])('%s breaks the chain', (_, delivery) => {
  const held = new InOrder();
  held.add(first(1));
  held.prove({ delivered: 1, ackPending: 1 });
  held.take(1);
  held.add(delivery);
  held.add(first(20, 10));
  expect(held.isBlocked).toBe(true);
});

test('proven messages are taken in the order of the stream, and come first again when put back', () => {
  const held = new InOrder();
  for (const delivery of [again(9, 4), again(5, 5), again(7, 6)]) held.add(delivery);
  held.prove({ delivered: 6, ackPending: 3 });
  const batch = held.take(2);
  held.putBack(batch);
  expect(seqs(held.take(9))).toEqual([5, 7, 9]);
});

/** Acts as a durable consumer with explicit acknowledgements, as far as order depends on it. */
class Broker {
  readonly pending = new Map<number, number>();
  readonly redeliver: number[] = [];
  readonly counts = new Map<number, number>();
  nextSeq = 1;
  delivered = 0;

  deliver(): Delivery | undefined {
    const seq = this.redeliver.shift() ?? (this.pending.size < MAX_PENDING ? this.nextSeq++ : undefined);
    if (seq === undefined) return undefined;
    this.delivered += 1;
    this.pending.set(seq, this.delivered);
    this.counts.set(seq, (this.counts.get(seq) ?? 0) + 1);
    return { seq, deliverySequence: this.delivered, deliveryCount: this.counts.get(seq) ?? 1 };
  }

  nak(seq: number): void {
    if (this.pending.has(seq) && !this.redeliver.includes(seq)) this.redeliver.push(seq);
    this.redeliver.sort((a, b) => a - b);
  }
}

test(`replicas that pull, yield, ask and die at random handle every message once, in order; while a span lasts no other replica has handled any (seed ${SEED})`, () => {
  let state = SEED;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  let confirmed = 0;
  for (let round = 0; round < 300; round += 1) {
    const broker = new Broker();
    const replicas = Array.from({ length: 3 }, () => ({
      held: new InOrder(),
      onTheWay: [] as Delivery[],
      handled: 0,
      /** Others had handled this much when a span was confirmed first. */
      span: -1,
      othersHandled: 0,
    }));
    const handled: number[] = [];
    for (let step = 0; step < 400; step += 1) {
      const replica = replicas[random(8) === 0 ? random(3) : round % 3];
      if (!replica) continue;
      const action = random(10);
      if (action < 4) {
        const delivery = broker.deliver();
        if (delivery) replica.onTheWay.push(delivery);
      } else if (action < 6) {
        const arrived = replica.onTheWay.shift();
        if (arrived) replica.held.add(arrived);
      } else if (action < 9) {
        if (replica.held.isBlocked)
          replica.held.prove({ delivered: broker.delivered, ackPending: broker.pending.size });
        for (const { seq } of replica.held.take(1 + random(4))) {
          handled.push(seq);
          replica.handled += 1;
          broker.pending.delete(seq);
        }
        const position = { delivered: broker.delivered, ackPending: broker.pending.size };
        if (random(3) === 0 && (replica.held.hasAll(position) || replica.held.begin(position))) {
          const othersHandled = handled.length - replica.handled;
          if (replica.span === replica.held.span) {
            confirmed += 1;
            expect(othersHandled).toBe(replica.othersHandled);
          }
          Object.assign(replica, { span: replica.held.span, othersHandled });
        }
      } else if (random(6) === 0) {
        for (const { seq } of [...replica.held.clear(), ...replica.onTheWay.splice(0)]) broker.nak(seq);
      }
    }
    expect(handled).toEqual(handled.map((_, n) => n + 1));
  }
  expect(confirmed).toBeGreaterThan(20);
});

test('a span ends where a delivery may have gone elsewhere, and another one begins when nothing is under way', () => {
  const held = new InOrder();
  const idle = (delivered: number) => ({ delivered, ackPending: 0 });
  expect([held.hasAll(idle(3)), held.begin({ delivered: 3, ackPending: 1 }), held.begin(idle(3))]).toEqual([
    false,
    false,
    true,
  ]);
  const { span } = held;
  held.add(first(9, 4));
  expect([held.hasAll({ delivered: 4, ackPending: 1 }), held.span === span]).toEqual([true, true]);
  // The fifth went to somebody else, or is on its way.
  expect([held.hasAll({ delivered: 5, ackPending: 2 }), held.begin({ delivered: 5, ackPending: 2 })]).toEqual([
    false,
    false,
  ]);
  held.add(first(12, 6));
  expect(held.span).not.toBe(span);
  expect(held.hasAll({ delivered: 6, ackPending: 2 })).toBe(false);
});
