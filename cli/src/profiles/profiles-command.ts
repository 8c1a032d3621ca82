import { Command } from 'commander';
import { answer, type JsonOption, onOneLine, tableOf } from '../command-line/answer.ts';

/** `catchment profiles` */
export function profilesCommand(): Command {
  return new Command('profiles')
    .addHelpText('after', '\nThe file is ~/.config/catchment.toml, or below XDG_CONFIG_HOME. Keys are never printed.')
    .action(profiles);
}

async function profiles(options: JsonOption): Promise<void> {
  const { configFile, isOpenToOthers, readConfig } = await import('./config-file.ts');
  const file = configFile(process.env);
  const { profiles: found, chosen } = await readConfig(file);
  const list = Object.entries(found).map(([profile, { url = null }]) => ({
    profile,
    url,
    isDefault: profile === chosen,
  }));
  if (await isOpenToOthers(file))
    console.error(`Others on this machine can read ${file}, with its keys: chmod 600 ${file}`);
  answer(options, list, () =>
    list.length > 0
      ? tableOf(list.map(({ profile, url, isDefault }) => [profile, onOneLine(url ?? '–'), isDefault ? 'default' : '']))
      : [`There are no profiles in ${file}: "catchment login" makes one.`],
  );
}
