/** Returns a query as Prometheus gets it, where every variable of a dashboard is «All». */
export const plainQuery = (expr: string, rateInterval = '5m'): string =>
  expr
    .replaceAll('$__rate_interval', rateInterval)
    .replaceAll('$namespace', '.*')
    .replaceAll(/\$(?:job|instance)/g, '.+');
