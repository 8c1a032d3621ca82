import type { ApiClient } from '../api/api-client.ts';
import { SHOWN_PAGES } from './pages.ts';

/** Lists public dashboards of the demonstration, as far as they are there. */
export async function shownPages(api: ApiClient): Promise<{ name: string; path: string }[]> {
  const found = SHOWN_PAGES.map(async ({ customId }) => {
    const node = await api.find(`/nodes/@${customId}?attr=name,isPublic,publicId`);
    const { name, isPublic, publicId } = (node ?? {}) as { name?: string; isPublic?: boolean; publicId?: string };
    return name !== undefined && isPublic && publicId ? [{ name, path: `/public/dash/${publicId}` }] : [];
  });
  return (await Promise.all(found)).flat();
}
