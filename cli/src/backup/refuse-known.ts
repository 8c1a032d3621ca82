import type pg from 'pg';

export type Account = { readonly owner_id: string; readonly account_name: string; readonly slug: string };

/**
 * @param staged the schema in which the backup's rows of a service are
 * @throws Error when anything of the account is, or was, in this installation, or has what is another one's there
 */
export async function refuseKnown(
  client: pg.Client,
  { owner_id, slug }: Account,
  staged: (schema: string) => string,
): Promise<void> {
  const [nodes, devices] = [staged('nodes'), staged('devices')];
  const { rows: known } = await client.query<{ what: string }>(
    `SELECT 'its id or its slug (' || $2 || ')' AS what FROM nodes.owners WHERE owner_id = $1 OR slug = $2
     UNION ALL SELECT 'nodes of it' FROM nodes.nodes n JOIN ${nodes}.nodes s USING (node_id) WHERE s.owner_id = $1
     UNION ALL SELECT 'nodes of it that were deleted' FROM historic.deleted_series d
       JOIN ${nodes}.nodes s USING (node_id) WHERE s.owner_id = $1
     UNION ALL SELECT 'devices of it' FROM devices.devices d JOIN ${devices}.devices s USING (device_id) WHERE s.owner_id = $1
     LIMIT 1`,
    [owner_id, slug],
  );
  if (known[0])
    throw new Error(`The installation has the account already: ${known[0].what}. Restore it into another one.`);

  // A number that was made for a device is of no other one, and all secrets of a number have one salt.
  const { rows: taken } = await client.query<{ what: string }>(
    `SELECT 'device ' || s.device_key || ' has a number that was made for one device, and is that of another device there' AS what
       FROM devices.devices d JOIN ${devices}.devices s USING (device_key) WHERE s.owner_id = $1 AND s.is_generated
     UNION ALL SELECT 'device ' || s.device_key || ' has a secret, and so has that of another account there: the modem could not sign in'
       FROM ${devices}.devices s WHERE s.owner_id = $1 AND s.secret_hash IS NOT NULL AND EXISTS (
         SELECT FROM devices.devices d JOIN devices.key_salts k USING (device_key)
         WHERE d.device_key = s.device_key AND d.secret_hash IS NOT NULL AND k.salt <> split_part(s.secret_hash, '$', 2))
     UNION ALL SELECT 'node ' || s.node_id || ' (' || s.name || ') has the push key of a source there'
       FROM ${nodes}.nodes s JOIN nodes.nodes n ON n.config -> 'transport' ->> 'key' = s.config -> 'transport' ->> 'key'
       WHERE s.owner_id = $1
     UNION ALL SELECT 'node ' || s.node_id || ' (' || s.name || ') names the station of a source there'
       FROM ${nodes}.nodes s JOIN nodes.nodes n ON n.config -> 'transport' ->> 'siteId' = s.config -> 'transport' ->> 'siteId'
       WHERE s.owner_id = $1 AND s.config -> 'transport' ->> 'class' = 'TcpServer' AND n.config -> 'transport' ->> 'class' = 'TcpServer'
     UNION ALL SELECT 'node ' || s.node_id || ' (' || s.name || ') has the public id of a node there'
       FROM ${nodes}.nodes s JOIN nodes.nodes n USING (public_id) WHERE s.owner_id = $1
     LIMIT 10`,
    [owner_id],
  );
  if (taken.length > 0)
    throw new Error(
      ['The account does not fit into the installation:', ...taken.map(({ what }) => what)].join('\n  ') +
        '\nChange that there, or restore the account into another installation.',
    );
}
