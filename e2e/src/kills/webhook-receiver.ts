import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

type CloudEvent = { readonly id: string };

/** Takes deliveries and checks their signatures. */
export class WebhookReceiver {
  /** The webhook-id leads to ids of events; a delivery that comes again is the same. */
  readonly deliveries = new Map<string, readonly string[]>();
  readonly faults: string[] = [];
  secret = '';
  repeated = 0;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      this.#take(Buffer.concat(parts).toString(), request.headers as Record<string, string>);
      response.writeHead(200).end();
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(body: string, headers: Record<string, string>): void {
    const id = headers['webhook-id'] ?? '';
    try {
      const events = (new Webhook(this.secret).verify(body, headers) as CloudEvent[]).map((event) => event.id);
      const known = this.deliveries.get(id);
      if (known) this.repeated += 1;
      if (known && known.join() !== events.join()) this.faults.push(`delivery ${id} came again with other events`);
      this.deliveries.set(id, events);
    } catch (error) {
      this.faults.push(`delivery ${id}: ${String(error)}`);
    }
  }
}
