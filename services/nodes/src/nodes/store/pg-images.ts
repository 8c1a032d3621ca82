import type { Queryable } from '@catchment/pg';

export async function renewImages(tx: Queryable, parentIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE node_values v SET shown_count = v.shown_count + 1
     FROM (
       SELECT own.node_id FROM node_values own WHERE own.node_id IN (
         SELECT s.node_id FROM nodes s WHERE s.node_id = ANY($1) AND s.class = 'source.attachment.AttachmentSource'
         UNION ALL SELECT l.node_id FROM nodes l WHERE l.config ->> 'imageSourceId' = ANY($1) AND l.config ->> 'imageSourceId' IS NOT NULL)
       ORDER BY own.node_id FOR NO KEY UPDATE
     ) shown
     WHERE v.node_id = shown.node_id`,
    [parentIds],
    'renew-images',
  );
}
