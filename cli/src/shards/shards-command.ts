import { setTimeout as delay } from 'node:timers/promises';
import { type ShardMove, ShardsServiceService } from '@catchment/contracts/shards';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';
import { Command, InvalidArgumentError } from 'commander';
import { connection, forPeople } from '../account/connection.ts';
import { answer } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { dataDirOption } from '../data-dir.ts';
import { moveLine, movesTable, shardsTable } from './shard-lines.ts';

type Options = { readonly dataDir: string; readonly json: boolean };
type Shards = ReturnType<typeof createGrpcClient<typeof ShardsServiceService>>;
type Call = { readonly shards: Shards; readonly token: () => Promise<string> };

const WHERE = `
Where the installation is found:
  NODES_ADDRESS, HISTORIC_ADDRESS and SERVICE_TOKEN_SECRET in the environment (as in the gateway's container),
  otherwise the installation that runs with "npm start" on this machine.`;
const ASK_EVERY_MS = 500;

/** `catchment shards …` */
export function shardsCommand(): Command {
  const command = new Command('shards');
  const add = (name: string, description: string) =>
    command.command(name).description(description).addOption(dataDirOption()).option('--json', 'for programs', false);

  add('list', 'list the InfluxDBs with what they have, and the workspaces that are assigned to them')
    .addHelpText('after', `${WHERE}\n\nExample:\n  catchment shards list`)
    .action((options: Options) =>
      using(options, async ({ shards, token }) => {
        const found = await shards.listShards({}, { token: await token() });
        if (options.json) return console.log(JSON.stringify(found));
        for (const line of shardsTable(found)) console.log(line);
      }),
    );

  add(
    'assign <workspace> <shard>',
    'assign a workspace: its new series go to the shard, its old ones stay where they are',
  )
    .addHelpText('after', `${WHERE}\n\nExample:\n  catchment shards assign 53eada0ada91110000000046 b`)
    .action((workspaceId: string, shard: string, options: Options) =>
      using(options, async ({ shards, token }) => {
        await shards.assignWorkspace({ workspaceId, shard }, { token: await token() });
        answer(options, { workspaceId, shard }, () => `New series of workspace ${workspaceId} go to ${shard}.`);
      }),
    );

  add('move <workspace> <shard>', 'move a workspace with its records while it is read and written')
    .option('--no-wait', 'do not wait for the end')
    .addHelpText(
      'after',
      `
The records are copied, then the series switch over, some hundreds at a time; writes to these wait for about a second. Reads do not
notice. The move goes on when this command or any process is ended; "catchment shards status" says how far it is, "catchment shards
cancel" ends it: what has been moved stays moved. The old InfluxDB keeps its copy for SHARD_GRACE_SECONDS.
${WHERE}

Example:
  catchment shards move 53eada0ada91110000000046 b`,
    )
    .action((workspaceId: string, shard: string, options: Options & { wait: boolean }) =>
      using(options, async (call) => {
        const { token } = call;
        const asked = await call.shards.moveWorkspace({ workspaceId, shard }, { token: await token() });
        const move = options.wait ? await untilEnded(call, asked, options) : asked;
        console.log(options.json ? JSON.stringify(move) : moveLine(move));
        if (move.state === 'cancelled') process.exitCode = 1;
      }),
    );

  add('status', 'list moves that are under way, and those of the last month')
    .addHelpText('after', WHERE)
    .action((options: Options) =>
      using(options, async ({ shards, token }) => {
        const { moves } = await shards.listMoves({}, { token: await token() });
        if (options.json) return console.log(JSON.stringify(moves));
        for (const line of movesTable(moves)) console.log(line);
      }),
    );

  add('cancel <move>', 'end a move; what has been moved stays moved')
    .addHelpText('after', WHERE)
    .action((move: string, options: Options) =>
      using(options, async ({ shards, token }) => {
        const cancelled = await shards.cancelMove({ moveId: moveNumber(move) }, { token: await token() });
        console.log(options.json ? JSON.stringify(cancelled) : moveLine(cancelled));
      }),
    );

  add(
    'drain <shard>',
    'put no new workspaces on a shard, so that its workspaces can be moved away and it can be removed',
  )
    .option('--end', 'let the shard take new workspaces again', false)
    .addHelpText('after', `${WHERE}\n\nExample:\n  catchment shards drain b`)
    .action((shard: string, options: Options & { end: boolean }) =>
      using(options, async ({ shards, token }) => {
        await shards.drainShard({ shard, ends: options.end }, { token: await token() });
        const takes = options.end ? 'new workspaces again' : 'no new workspaces';
        answer(options, { shard, isDrained: !options.end }, () => `Shard ${shard} takes ${takes}.`);
      }),
    );

  add('remove <shard>', 'forget an InfluxDB that has no series any more; remove it from INFLUX_SHARDS first')
    .addHelpText('after', WHERE)
    .action((shard: string, options: Options) =>
      using(options, async ({ shards, token }) => {
        await shards.removeShard({ shard }, { token: await token() });
        answer(options, { shard, isForgotten: true }, () => `Shard ${shard} is forgotten.`);
      }),
    );
  return command;
}

async function using({ dataDir }: Options, work: (call: Call) => Promise<void>): Promise<void> {
  const { historicAddress, serviceTokenSecret } = await connection(dataDir);
  if (!historicAddress) throw new UsageError('The historic service was not found. Set HISTORIC_ADDRESS, too.');
  const shards = createGrpcClient(ShardsServiceService, historicAddress);
  const signer = new CallerSigner(serviceTokenSecret);
  try {
    await work({ shards, token: () => signer.sign({ kind: 'service', service: 'cli' }) }).catch(forPeople);
  } finally {
    shards.close();
  }
}

/** Reports on the way how far it is. A service that is away for a moment is asked again. */
async function untilEnded({ shards, token }: Call, asked: ShardMove, { json }: Options): Promise<ShardMove> {
  let lastLine = '';
  for (;;) {
    const answer = await token()
      .then((signed) => shards.listMoves({}, { token: signed }))
      .catch(() => undefined);
    const move = answer?.moves.find(({ moveId }) => moveId === asked.moveId);
    if (move && move.state !== 'moving') return move;
    const line = move ? moveLine(move) : 'The historic service does not answer; the move goes on when it does.';
    if (line !== lastLine && !json) console.error(line);
    lastLine = line;
    await delay(ASK_EVERY_MS);
  }
}

function moveNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError(`move: ${text} is no number of a move; see "catchment shards status"`);
}
