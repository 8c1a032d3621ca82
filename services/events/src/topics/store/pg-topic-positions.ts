import type { Database } from '@catchment/pg';
import type { TopicPositions } from '../usecases/ports.ts';

export const pgTopicPositions = (database: Database): TopicPositions => ({
  async begin(topic, position) {
    await database.query('INSERT INTO topic_positions (topic, position) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      topic,
      position,
    ]);
  },

  advance(topic, work) {
    return database.transactionOnce(async (tx) => {
      const { rows } = await tx.query<{ position: number }>(
        'SELECT position FROM topic_positions WHERE topic = $1 FOR UPDATE SKIP LOCKED',
        [topic],
        'lock-topic-position',
      );
      const [row] = rows;
      if (!row) return false;
      const position = await work(row.position);
      if (position === row.position) return false;
      await tx.query('UPDATE topic_positions SET position = $2 WHERE topic = $1', [topic, position], 'topic-position');
      return true;
    });
  },
});
