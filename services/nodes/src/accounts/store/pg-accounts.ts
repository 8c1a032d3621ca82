import type { Queryable } from '@catchment/pg';
import type { NewOwner, OwnerChange } from '../usecases/ports.ts';

export async function insertOwner(tx: Queryable, owner: NewOwner): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id, parent_owner_id)
     VALUES ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7, $8) ON CONFLICT (slug) DO NOTHING`,
    [
      owner.ownerId,
      owner.accountName,
      owner.accountType,
      owner.slug,
      JSON.stringify(owner.categories),
      owner.createdMs,
      owner.userId,
      owner.parentOwnerId,
    ],
  );
  return rowCount === 1;
}

export async function deleteOwner(tx: Queryable, ownerId: string): Promise<boolean> {
  await tx.query('SELECT 1 FROM owners WHERE owner_id = $1 FOR UPDATE', [ownerId]);
  const { rowCount } = await tx.query(
    'DELETE FROM owners o WHERE o.owner_id = $1 AND NOT EXISTS (SELECT FROM nodes n WHERE n.owner_id = o.owner_id)',
    [ownerId],
  );
  return rowCount === 1;
}

/** Stores the given attributes; the others stay. */
export async function saveOwner(tx: Queryable, ownerId: string, change: OwnerChange): Promise<void> {
  const { categories, quality, ...plain } = change;
  const values = {
    ...plain,
    ...(categories && { categories: JSON.stringify(categories) }),
    ...(quality && { quality: JSON.stringify(quality) }),
  };
  const names = Object.keys(values);
  if (names.length === 0) return;
  const assignments = names.map((name, i) => `${name} = $${i + 2}`).join(', ');
  await tx.query(`UPDATE owners SET ${assignments} WHERE owner_id = $1`, [ownerId, ...Object.values(values)]);
}
