import { PeopleServiceService } from '@catchment/contracts/people';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';
import { Command } from 'commander';
import { connection, forPeople, WHERE } from '../account/connection.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { dataDirOption } from '../data-dir.ts';

/** `catchment person …` */
export function personCommand(): Command {
  const person = new Command('person');
  person
    .command('link <email>')
    .description('print a new link for a person: to finish the profile, or to set a new password')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
For installations without a mail server, and for people whose mail does not arrive. Hand the link over in private: whoever
opens it first sets the password, and has proven to own the e-mail. From then on that person can accept invitations of accounts.
${WHERE}`,
    )
    .action(async (email: string, { dataDir, ...options }: JsonOption & { dataDir: string }) => {
      const { nodesAddress, serviceTokenSecret } = await connection(dataDir);
      const client = createGrpcClient(PeopleServiceService, nodesAddress);
      try {
        const token = await new CallerSigner(serviceTokenSecret).sign({ kind: 'service', service: 'cli' });
        const { url, purpose, expiresMs } = await client.createLink({ email }, { token }).catch(forPeople);
        const until = `${new Date(expiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
        const what = purpose === 'activate' ? 'Finish the profile' : 'Set a new password';
        const link = { email, purpose, url, expires: new Date(expiresMs).toISOString() };
        answer(options, link, () => [`${what} (once, until ${until}):`, url]);
      } finally {
        client.close();
      }
    });
  return person;
}
