const DATE_WORDS = 'dates?|\\p{L}{0,15}datum|fecha|dato|jour';
const CLOCK_WORDS = 'times?|uhrzeit|zeit|heures?|hora|hours?|hrs?|hhmm(?:ss)?|hh:?mm(?::?ss)?|tid|tijd|clock|uhr|hh?';
const BOTH_WORDS =
  'date\\W{0,3}(?:and\\W{0,3})?time|y{4}m{2}d{2}\\w*|mess_?datum|timestamps?|time_?stamps?|tmstamp|tmst|zeitstempel|zeitpunkt|horodat\\w*|epoch|unix\\w*|ts|utc|_?time|recorded_?at|created_?at|measured_?at|received_?at|serial date';
const WORD = (words: string): RegExp => new RegExp(`(?:^|[^\\p{L}\\d])(?:${words})(?![\\p{L}])`, 'iu');
const ANY = WORD(`${BOTH_WORDS}|${CLOCK_WORDS}|${DATE_WORDS}`);
const CLOCK = WORD(CLOCK_WORDS);
/** Such a time is a value of the row: when something was greatest, how long it took. */
const OF_ELSE =
  /max|min(?!utes?\b)|peak|sun|rise|set\b|start|stop|end\b|export|download|retriev|uploaded|updated|generated|previous|vor(?:herig|ig)|elapsed|duration|dauer|up_?time|run_?time|travel|lag|delay|respon|expos|integration|since|last|next|average|interval|install|calib/i;

export const isTimeLabel = (label: string): boolean => ANY.test(label) && !OF_ELSE.test(label);
export const isClockLabel = (label: string): boolean => CLOCK.test(label) && !OF_ELSE.test(label);
/** Returns whether a label says where an interval begins: `START TIME`, `Zeit von`. */
export const isBeginOfRow = (label: string): boolean =>
  /^(?:start|begin|from|von)(?:ning)?[ _-]?(?:time|zeit|uhrzeit)$|^(?:time|zeit|uhrzeit)[ _-](?:from|von|start)$/i.test(
    label,
  );
/** Returns whether a label names the time at which a record came, where a file says too when it was measured. */
export const isTimeOfArrival = (label: string): boolean =>
  /receiv|insert|import|stored|server|ingest|arriv|sent|transmi/i.test(label);
export const isTimeOfElse = (label: string): boolean => OF_ELSE.test(label);

/** Labels name these parts of a time in separate columns. */
export type TimePart = 'year' | 'month' | 'day' | 'dayOfYear' | 'hour' | 'minute' | 'second' | 'clock';
const PARTS: readonly (readonly [TimePart, RegExp])[] = [
  [
    'dayOfYear',
    /^(?:doy|jday|j_?day|julian(?:[ _-]?(?:day|date))?|day[ _-]?of[ _-]?(?:the[ _-]?)?year|year[ _-]?day|yday|ddd)\b/i,
  ],
  ['clock', /^(?:hhmm(?:ss)?|hour[ _-]?min(?:ute)?s?|hrmin|hrmn|time|military[ _-]?time)\b/i],
  ['year', /^(?:years?|yr|y{2,4}|jahr|ann[ée]e|a[ñn]o)(?![\p{L}\d])/iu],
  ['month', /^(?:months?|mon|mo|MM|monat|mois|mes)(?![\p{L}\d])/iu],
  ['day', /^(?:days?|dy|da|dd|day[ _-]?of[ _-]?month|tag|jour|d[ií]a)(?![\p{L}\d])/iu],
  ['hour', /^(?:hours?|hr|hh|h|stunde|std|heure|hora)(?![\p{L}\d])/iu],
  ['minute', /^(?:minutes?|min|mn|mm|mi|minuto)(?![\p{L}\d])/iu],
  ['second', /^(?:seconds?|sec|ss?|sekunden?|secondes?)(?![\p{L}\d])/iu],
];

/** @param known parts that columns before it have: `mm` behind a month is minutes */
export function partOf(label: string, known: ReadonlySet<TimePart>): TimePart | undefined {
  const text = label.replace(/^[#\s]+/, '').trim();
  return PARTS.find(([part, pattern]) => pattern.test(text) && !known.has(part))?.[0];
}
