import { PeopleServiceService } from '@catchment/contracts/people';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';
import { Command } from 'commander';
import { connection, forPeople, WHERE } from '../account/connection.ts';
import { dataDirOption } from '../data-dir.ts';

/** `catchment person …` */
export function personCommand(): Command {
  const person = new Command('person').description('people of this installation');
  person
    .command('link <email>')
    .description('print a new link for a person: to finish the profile, or to set a new password')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
For installations without a mail server, and for people whose mail does not arrive. Hand the link over in private: whoever
opens it first sets the password, and has proven to own the e-mail. What accounts give to it can be accepted from then on.
${WHERE}`,
    )
    .action(async (email: string, { dataDir }: { dataDir: string }) => {
      const { nodesAddress, serviceTokenSecret } = await connection(dataDir);
      const client = createGrpcClient(PeopleServiceService, nodesAddress);
      try {
        const token = await new CallerSigner(serviceTokenSecret).sign({ kind: 'service', service: 'cli' });
        const { url, purpose, expiresMs } = await client.createLink({ email }, { token }).catch(forPeople);
        const until = `${new Date(expiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
        console.log(`${purpose === 'activate' ? 'Finish the profile' : 'Set a new password'} (once, until ${until}):`);
        console.log(url);
      } finally {
        client.close();
      }
    });
  return person;
}
