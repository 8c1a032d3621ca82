// `node web/test/serve.ts` serves the page with all types of tiles at an address that is printed, for a look at it in a browser.

import { buildPage } from './fixture/build-page.ts';
import { allTiles } from './fixture/dashboard.ts';
import { servePage } from './fixture/page-server.ts';

const { folder } = await buildPage();
const server = await servePage(folder, allTiles());
process.stdout.write(`${server.url}\n`);
