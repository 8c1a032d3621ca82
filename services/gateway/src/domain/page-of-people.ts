/** People may come from such a page to sign in, with its arguments; an address of it goes into another one, encoded. */
const PAGE_OF_PEOPLE =
  /^\/(?:dash|a\/[\da-z]{1,40}\/n)\/(?:%40|@)?[\w%-]{1,300}(?:(?<=^\/a\/.*)\/report)?(?:\?[\w%=&.:/+~-]{0,1000})?$/;

/** The address of a page of the console is what it shows. */
const PAGE_OF_CONSOLE =
  /^\/a(?:\/[\da-z]{1,40}(?:\/(?:overview|alarms|events|dashboards|reports|report\/[\w%@-]{1,300}\/[a-z]{1,20}|dash\/[\w%@-]{1,300}\/edit|(?:people|account|installation|me|station|transfers)(?:\/[a-z-]{1,20})?|(?:devices|templates)(?:\/[a-z\d]{1,24})?|n\/[\w%@-]{1,300}\/[a-z]{1,20}))?)?(?:\?[\w%=&.:,/+~-]{0,2000})?$/;

/** Returns where to go on after signing in; no other address is accepted. */
export const pageOfPeople = (given: string | null | undefined): string | undefined =>
  given && (PAGE_OF_PEOPLE.test(given) || PAGE_OF_CONSOLE.test(given)) ? given : undefined;
