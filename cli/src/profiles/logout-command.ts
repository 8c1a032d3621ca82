import { Command } from 'commander';
import { answer, type JsonOption } from '../command-line/answer.ts';

type Options = JsonOption & { readonly profile?: string };

/** `catchment logout` */
export function logoutCommand(): Command {
  return new Command('logout')
    .option('--profile <name>', 'the profile (default: the one that is used when none is named)')
    .addHelpText('after', '\nThe key itself stays valid: delete it in the console, where nobody else uses it.')
    .action(logout);
}

async function logout({ profile, json }: Options): Promise<void> {
  const { configFile, readConfig, removeProfile } = await import('./config-file.ts');
  const { UsageError } = await import('../command-line/failure.ts');
  const file = configFile(process.env);
  const name = profile ?? (await readConfig(file)).chosen;
  if (name === undefined) throw new UsageError(`--profile: must be given, since ${file} has no default`);
  await removeProfile(file, name);
  answer(
    { json: json === true },
    { profile: name, file },
    () => `Profile ${name} is gone from ${file}. Its key stays valid.`,
  );
}
