/**
 * Reads entries of `INFLUX_SHARDS` (`name=url,…`): the InfluxDBs besides `default`. The check of the settings reports
 * entries that cannot be read; they are left out.
 */
export const furtherInfluxdbs = (setting = ''): { readonly name: string; readonly url: string }[] =>
  setting.split(',').flatMap((entry) => {
    const at = entry.indexOf('=');
    const [name, url] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    return at < 1 || !URL.canParse(url) ? [] : [{ name, url }];
  });
