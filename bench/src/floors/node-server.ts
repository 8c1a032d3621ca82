// The floor of GET /nodes/:id is a bare route of Fastify that answers with what one query finds. Prints its port; ends with its standard
// input.
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const app = fastify();
app.get<{ Params: { id: string } }>('/api/v1/nodes/:id', async ({ params }) => {
  const found = await pool.query({
    name: 'node',
    text: 'SELECT * FROM nodes.nodes WHERE node_id = $1',
    values: [params.id],
  });
  return found.rows[0];
});
await app.listen({ host: '127.0.0.1', port: 0 });
console.log((app.server.address() as AddressInfo).port);
process.stdin.resume().on('end', () => process.exit());
