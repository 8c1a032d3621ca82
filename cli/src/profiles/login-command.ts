import { Command } from 'commander';
import { httpUrl } from '../api/api-options.ts';
import type { LoginOptions } from './login-options.ts';

/** `catchment login` */
export function loginCommand(): Command {
  return new Command('login')
    .option('--url <url>', 'address of the installation (default: asked for)', httpUrl)
    .option('--profile <name>', 'its name', 'default')
    .option('--default', 'use this profile when no --profile is given, as the first profile always is', false)
    .addHelpText(
      'after',
      `
Asks for the key without showing it; without a terminal the key is the first line of standard input. The key is tried, then kept in
~/.config/catchment.toml, which only you can read, and which the Python client reads too.

Examples:
  catchment login --url https://catchment.example.org
  catchment login --url https://test.example.org --profile test
  pass show catchment | catchment login --url https://catchment.example.org`,
    )
    .action(async (options: LoginOptions) => (await import('./login.ts')).login(options));
}
